"""A tool set as JSON and back.

An object is its class's name under `is` with its fields, an enum member `{"enum": class, "value": value}`, a tuple an
array. Bytes and floats that JSON has no form of are `{"bytes": hexadecimal}` and `{"float": "nan"}`. Nothing here
recurses: types nest as deep as annotations do.
"""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Callable, Mapping
from typing import Any, cast

from msgspec import Struct

from ..source.span import Position, Span
from . import agents, recipes, tools, types, values
from .tools import ToolSet

VERSION = 2

_CLASSES: Mapping[str, type] = {
    found.__name__: found
    for module in (types, values, tools, agents, recipes)
    for found in vars(module).values()
    if isinstance(found, type) and found is not Struct and issubclass(found, (Struct, enum.Enum))
} | {"Position": Position, "Span": Span}


class FormatError(Exception):
    """A text that is no tool set, or one of another version."""


def to_json(toolset: ToolSet) -> str:
    """The tool set as JSON text."""
    return json.dumps({"version": VERSION, "toolset": encode(toolset)}, separators=(",", ":"))


def from_json(text: str) -> ToolSet:
    """The tool set that `to_json` made `text` of. Raises `FormatError`."""
    try:
        document = json.loads(text)
        if document["version"] != VERSION:
            raise FormatError(f"version {document['version']!r}, this is {VERSION}")
        result = _decode(document["toolset"])
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise FormatError(f"no tool set: {error!r}") from error
    if not isinstance(result, ToolSet):
        raise FormatError(f"no tool set, but {type(result).__name__}")
    return result


def encode(value: object) -> Any:
    """The JSON form of a tool set or of any part of one; equal parts have equal forms."""
    top: list[Any] = [None]
    # A value, and where its form goes: a container of the form and the place in it.
    pending: list[tuple[object, Any, Any]] = [(value, top, 0)]
    while pending:
        current, container, place = pending.pop()
        form, parts = _form(current)
        container[place] = form
        pending.extend((part, form, key) for key, part in parts)
    return top[0]


def _form(value: object) -> tuple[Any, list[tuple[Any, object]]]:
    """The JSON form of a value, with its parts still to be filled in."""
    match value:
        case enum.Enum():
            return {"enum": type(value).__name__, "value": value.value}, []
        case None | bool() | int() | str():
            return value, []
        case float():
            return (value if math.isfinite(value) else {"float": repr(value)}), []
        case bytes():
            return {"bytes": value.hex()}, []
        case Position() | Span():
            return {"is": type(value).__name__, **dict.fromkeys(value._fields)}, list(value._asdict().items())
        case tuple():
            items = cast("tuple[object, ...]", value)
            return [None] * len(items), list(enumerate(items))
        case Struct():
            parts = [(name, getattr(value, name)) for name in value.__struct_fields__]
            return {"is": type(value).__name__, **dict.fromkeys(name for name, _ in parts)}, parts
        case _:
            raise TypeError(f"{type(value).__name__} has no place in a tool set")


def _decode(form: object) -> Any:
    """Inner values first: containers are listed outer before inner, then made in the opposite order."""
    made: dict[int, Any] = {}
    containers: list[object] = [form]
    for container in containers:
        containers += [part for part in _parts(container) if _is_container(part)]
    for container in reversed(containers):
        made[id(container)] = _made(container, lambda part: made.get(id(part), part))
    return made[id(form)]


def _parts(form: object) -> list[object]:
    if isinstance(form, dict):
        return list(cast("dict[str, object]", form).values())
    return cast("list[object]", form)


def _made(form: object, part: Callable[[object], Any]) -> Any:
    if isinstance(form, list):
        return tuple(part(item) for item in cast("list[object]", form))
    members = cast("dict[str, Any]", form)
    if "is" in members:
        return _CLASSES[members["is"]](**{name: part(member) for name, member in members.items() if name != "is"})
    if "enum" in members:
        return _CLASSES[members["enum"]](members["value"])
    return bytes.fromhex(members["bytes"]) if "bytes" in members else float(members["float"])


def _is_container(form: object) -> bool:
    return isinstance(form, (dict, list))
