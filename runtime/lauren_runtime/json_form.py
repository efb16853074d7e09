"""JSON out: what a tool returned, in the form a model can read.

Objects take the form pydantic's serialization gives them, so that a result agrees with the tool's `output_schema`. What
has none is an error, never `str()` of it.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import ipaddress
import json
import os
import re
import sys
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence, Set
from typing import Any, cast

from .errors import LaurenToolError
from .json_text import MAX_DIGITS, census

CONTENT_BLOCKS = frozenset({"text", "image", "audio", "document", "resource", "resource_link", "search_result"})
"""The `type` of content blocks that providers know; a list of nothing else is content as it stands."""
_MAX_DEPTH = 256
_LONGEST_PATH = 200
_encoded = json.JSONEncoder(check_circular=False, allow_nan=False).encode


class ResultError(LaurenToolError):
    """A result has no JSON form; the text says which part of it and why."""


def _refused(path: str, why: str) -> ResultError:
    """The error for a part of a result: the way to it may be as long as the result is deep, and so may its keys."""
    if len(path) > _LONGEST_PATH:
        path = f"{path[: _LONGEST_PATH // 2]}…{path[-_LONGEST_PATH // 2 :]}"
    return ResultError(f"{path} {why}")


def content_of(value: object) -> str | list[Any]:
    """The content of a result. Text and lists of content blocks stay, everything else becomes JSON text.

    Raises ResultError for what JSON cannot hold.
    """
    if type(value) is str:
        return value
    form = form_of(value)
    if isinstance(form, str):
        return form
    if is_blocks(form):
        return cast("list[Any]", form)
    return _encoded(form)


def is_blocks(value: object) -> bool:
    """Whether a value is a list, not empty, of content blocks only."""
    if not isinstance(value, list) or not value:
        return False
    return all(
        isinstance(item, dict) and cast("dict[str, object]", item).get("type") in CONTENT_BLOCKS
        for item in cast("list[object]", value)
    )


def form_of(value: object) -> Any:
    """The JSON form: the value itself if it is plain JSON, else a new one. Raises ResultError."""
    if census(value, _MAX_DEPTH) >= 0:
        return value
    return _form(value, "the result", _MAX_DEPTH)


def _form(value: object, path: str, room: int) -> Any:
    if room == 0:
        raise _refused(path, f"is nested deeper than {_MAX_DEPTH} levels, or contains itself")
    kind = type(value)
    if value is None or kind is str or kind is bool:
        return value
    if kind is int or kind is float:
        return _number(cast(float, value), path)
    if isinstance(value, enum.Enum):
        return _form(value.value, path, room - 1)
    if isinstance(value, Mapping):
        return _object(cast("Mapping[Any, object]", value), path, room)
    if isinstance(value, Set):
        return _sorted([_form(item, f"{path}[{{}}]", room - 1) for item in cast("Set[object]", value)])
    for known, convert in _SCALARS:
        if isinstance(value, known):
            return convert(value, path)
    fields = _fields_of(value)
    if fields is not None:
        return _form(fields, path, room - 1)
    if _is_of_pydantic(kind):
        return _form(sys.modules["pydantic_core"].to_jsonable_python(value), path, room - 1)
    if isinstance(value, Sequence | deque):
        return [_form(item, f"{path}[{index}]", room - 1) for index, item in enumerate(cast("Sequence[object]", value))]
    raise _refused(path, f"cannot be written as JSON: it is of type {kind.__module__}.{kind.__qualname__}")


def _number(value: float, path: str) -> float:
    if census(value, 1) < 0:
        what = value if isinstance(value, float) else f"an integer of more than {MAX_DIGITS} digits"
        raise _refused(path, f"cannot be written as JSON: it is {what}")
    return value


def _object(value: Mapping[Any, object], path: str, room: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, item in value.items():
        name = _key(key, path)
        if name in found:
            raise _refused(path, f"cannot be written as JSON: two of its keys become {name!r}")
        found[name] = _form(item, f"{path}[{name!r}]", room - 1)
    return found


def _key(key: object, path: str) -> str:
    if type(key) is str:
        return key
    form = _form(key, f"a key of {path}", 2) if not isinstance(key, list | tuple | Mapping | Set) else None
    if isinstance(form, str):
        return form
    if form is None and key is not None:
        raise _refused(path, f"cannot be written as JSON: {key!r} is no key")
    return json.dumps(form)


def _sorted(items: list[Any]) -> list[Any]:
    """Sets have no order of their own; one that does not change from run to run."""
    return sorted(items, key=lambda item: json.dumps(item, sort_keys=True))


def _fields_of(value: Any) -> Any:
    """The fields of a model or data class, or None. Asks the object, so that no library is imported."""
    if isinstance(value, type):
        return None
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True)
    if hasattr(value, "__struct_fields__") and "msgspec" in sys.modules:
        return _struct(value, sys.modules["msgspec"])
    if hasattr(value, "__pydantic_serializer__"):
        return value.__pydantic_serializer__.to_python(value, mode="json", by_alias=True)
    if hasattr(value, "__dataclass_fields__"):
        from dataclasses import fields

        return {field.name: getattr(value, field.name) for field in fields(value)}
    if hasattr(value, "__attrs_attrs__"):
        # Under the names that the constructor takes them by, as they are sent.
        return {
            getattr(field, "alias", None) or field.name: getattr(value, field.name) for field in value.__attrs_attrs__
        }
    if type(value).__name__ == "Raw" and type(value).__module__ == "msgspec":
        return json.loads(bytes(value))
    return None


def _struct(value: Any, msgspec: Any) -> dict[str, Any] | list[Any]:
    """What msgspec writes a struct as, its members still to be written: bytes are text here, and models are known."""
    config = value.__struct_config__
    names = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
    found: dict[str, Any] = {wire: getattr(value, name) for name, wire in names}
    if config.omit_defaults:
        defaults = {field.encode_name: field for field in msgspec.structs.fields(value)}
        found = {wire: item for wire, item in found.items() if not _is_default(item, defaults[wire])}
    if config.tag is not None:
        found = {config.tag_field: config.tag, **found}
    if config.array_like:
        return list(found.values())
    return {wire: item for wire, item in found.items() if item is not msgspec.UNSET}


def _is_default(value: Any, field: Any) -> bool:
    """Whether `omit_defaults` leaves a member out: the very default, or an empty collection where one is made."""
    made = field.default_factory
    if made in (list, dict, set):
        return type(value) is made and not value
    return value is field.default


def _is_of_pydantic(kind: type) -> bool:
    """Whether a class is one of pydantic's own value types, `HttpUrl` or `SecretStr`: the library is there then."""
    modules = {base.__module__.partition(".")[0] for base in kind.__mro__}
    return "pydantic_core" in sys.modules and not modules.isdisjoint(("pydantic", "pydantic_core"))


def _text(value: object, path: str) -> str:
    return str(value)


def _instant(value: Any, path: str) -> str:
    text: str = value.isoformat()
    return text.removesuffix("+00:00") + "Z" if text.endswith("+00:00") else text


def _duration(value: Any, path: str) -> str:
    """ISO 8601, as `P1DT2H3.5S`; a year is 365 days, parts that are zero are left out."""
    total = abs(value)
    years, days = divmod(total.days, 365)
    minutes, seconds = divmod(total.seconds, 60)
    hours, minutes = divmod(minutes, 60)
    fraction = f"{seconds}.{total.microseconds:06d}".rstrip("0").rstrip(".")
    time = "".join(
        f"{part}{unit}" for part, unit in ((hours, "H"), (minutes, "M"), (fraction, "S")) if part not in (0, "0")
    )
    date = "".join(f"{part}{unit}" for part, unit in ((years, "Y"), (days, "D")) if part)
    sign = "-" if value < datetime.timedelta() else ""
    return f"{sign}P{date}T{time}" if time else f"{sign}P{date or 'T0S'}"


def _path(value: Any, path: str) -> Any:
    return _form(value.__fspath__(), path, 2)


def _octets(value: Any, path: str) -> str:
    try:
        return bytes(value).decode("utf-8")
    except UnicodeDecodeError:
        raise _refused(
            path, "cannot be written as JSON: its bytes are not UTF-8 text; encode them, say as base64"
        ) from None


_SCALARS: tuple[tuple[Any, Callable[[Any, str], Any]], ...] = (
    (str, lambda value, path: str.__str__(value)),
    (int, lambda value, path: _number(int(value), path)),
    (float, lambda value, path: _number(float(value), path)),
    (datetime.datetime, _instant),
    (datetime.time, _instant),
    (datetime.date, lambda value, path: value.isoformat()),
    (datetime.timedelta, _duration),
    (decimal.Decimal, _text),
    (uuid.UUID, _text),
    (os.PathLike, _path),
    ((bytes, bytearray, memoryview), _octets),
    (re.Pattern, lambda value, path: _form(value.pattern, path, 2)),
    (tuple(getattr(ipaddress, f"IPv{n}{kind}") for n in (4, 6) for kind in ("Address", "Network", "Interface")), _text),
)
"""Types whose instances are one JSON scalar, and their form; the first that fits holds."""
