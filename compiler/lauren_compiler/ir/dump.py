"""Constants → JSON, as pydantic dumps them: members by value, sets as arrays, objects with their defaults."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping as MappingType
from typing import Any, TypeAlias

from msgspec import Struct

from .equality import same
from .types import Definition, FormatKind, LiteralOf, ObjectDefinition, ObjectKind
from .values import Constant, Construction, EnumMember, Mapping, Sequence, Text, Value

Json: TypeAlias = Any
"""None, bool, int, float, str, list or dict with string keys."""


_EMPTY: dict[str, Value] = {
    **{kind: Sequence(kind, ()) for kind in ("list", "tuple", "set", "frozenset")},
    "dict": Mapping(()),
    "str": Constant(""),
    "int": Constant(0),
    "float": Constant(0.0),
    "bool": Constant(False),
}
"""What the built-in types make when called without arguments."""


_COMPACT = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"))
_FORMATS = frozenset(kind.value for kind in FormatKind)


class NoJson(Struct, frozen=True):
    """JSON has no form of a value; `why` says of which part."""

    why: str


def dump(value: Value, definitions: MappingType[str, Definition]) -> Json | NoJson:
    """The JSON form of a constant."""
    if isinstance(value, EnumMember):
        return dump(value.value, definitions)
    if isinstance(value, Constant):
        return _constant(value)
    if isinstance(value, Text):
        return value.text if value.kind in _FORMATS else NoJson(f"a {value.kind}")
    if isinstance(value, Sequence):
        return _sequence(value, definitions)
    if isinstance(value, Mapping):
        return _mapping(value, definitions)
    return _construction(value, definitions)


def json_text(value: Json) -> str:
    """Compact JSON text, keys in order of insertion."""
    return _COMPACT.encode(value)


def _constant(value: Constant) -> Json | NoJson:
    if isinstance(value.value, bytes):
        return _bytes(value.value)
    if isinstance(value.value, float) and not math.isfinite(value.value):
        return NoJson(f"`{value.value}`")
    if isinstance(value.value, int) and not isinstance(value.value, bool) and abs(value.value).bit_length() > 14_000:
        return NoJson("an integer of more than 4,300 digits")
    return value.value


def _bytes(value: bytes) -> Json | NoJson:
    """UTF-8 text, as which a model would have to send them."""
    try:
        return value.decode()
    except UnicodeDecodeError:
        return NoJson("bytes that are no UTF-8 text")


def _sequence(value: Sequence, definitions: MappingType[str, Definition]) -> Json | NoJson:
    items: list[Json] = []
    for item in value.items:
        dumped = dump(item, definitions)
        if isinstance(dumped, NoJson):
            return dumped
        if value.kind in ("list", "tuple") or not any(same(dumped, other) for other in items):
            items.append(dumped)
    return items if value.kind in ("list", "tuple") else _in_order(items)


def _in_order(items: list[Json]) -> list[Json]:
    """The items of a set, sorted if they are all texts or all numbers, as pydantic has them."""
    alike = any(all(isinstance(item, kind) for item in items) for kind in (str, (int, float)))
    return sorted(items) if alike else items


def _mapping(value: Mapping, definitions: MappingType[str, Definition]) -> Json | NoJson:
    result: dict[str, Json] = {}
    for key, item in value.items:
        name, dumped = dump(key, definitions), dump(item, definitions)
        if isinstance(name, NoJson) or isinstance(dumped, NoJson):
            return name if isinstance(name, NoJson) else dumped
        if name is None or isinstance(name, (list, dict)):
            return NoJson("a key that is no string")
        result[name if isinstance(name, str) else json.dumps(name)] = dumped
    return result


def _construction(value: Construction, definitions: MappingType[str, Definition]) -> Json | NoJson:
    definition = definitions.get(value.key)
    if not isinstance(definition, ObjectDefinition):
        return NoJson(f"`{value.key.partition(':')[2]}`")
    given = dict(value.arguments)
    result: dict[str, Json] = {}
    for field in definition.fields:
        if not field.init and isinstance(field.type, LiteralOf):
            dumped = dump(field.type.values[0], definitions)
        elif field.name in given:
            dumped = dump(given[field.name], definitions)
        elif field.default is not None and field.default.json is not None:
            dumped = json.loads(field.default.json)
        elif field.factory is not None and field.factory.module == "builtins" and field.factory.qualname in _EMPTY:
            dumped = dump(_EMPTY[field.factory.qualname], definitions)
        else:
            dumped = NoJson(f"the default of `{field.name}`")
        if isinstance(dumped, NoJson):
            return dumped
        result[field.wire] = dumped
    if definition.kind is ObjectKind.ROOT_MODEL:
        return result["root"]
    return list(result.values()) if definition.is_array else result
