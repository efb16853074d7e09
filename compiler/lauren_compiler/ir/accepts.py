"""Whether a type accepts a JSON value: for defaults, which must not break their own schema.

The same verdict as validating against the type's JSON Schema, which tests show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .dump import Json, dump
from .types import (
    AliasDefinition,
    Anything,
    Definition,
    Described,
    DictOf,
    EnumDefinition,
    ListOf,
    LiteralOf,
    ObjectDefinition,
    ObjectKind,
    Reference,
    Scalar,
    ScalarKind,
    SetOf,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)


def accepts(kind: Type, value: Json, definitions: Mapping[str, Definition]) -> bool:
    """Whether `value` is valid for a type."""
    match kind:
        case Anything():
            return True
        case Scalar(scalar):
            return _scalar(scalar, value)
        case LiteralOf(values):
            return any(same(dump(option, definitions), value) for option in values)
        case ListOf(item) | VariadicTupleOf(item):
            return isinstance(value, list) and all(accepts(item, part, definitions) for part in _items(value))
        case SetOf(item):
            return isinstance(value, list) and _unique(value) and accepts(ListOf(item), value, definitions)
        case TupleOf(items):
            return _tuple(items, value, definitions)
        case DictOf(key, item):
            return isinstance(value, dict) and _dict(key, item, value, definitions)
        case Union(members):
            return any(accepts(member, value, definitions) for member in members)
        case Described(inner):
            return accepts(inner, value, definitions)
        case Reference(name):
            # A class that is still being read, further out: nothing can be said against the value yet.
            return name not in definitions or _definition(definitions[name], value, definitions)


def same(left: Json, right: Json) -> bool:
    """Equality as JSON has it, at every depth: `1` is `1.0`, `true` is not `1`."""
    if isinstance(left, list) and isinstance(right, list):
        pairs = zip(_items(left), _items(right), strict=False)
        return len(_items(left)) == len(_items(right)) and all(same(a, b) for a, b in pairs)
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in _keys(left))
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def _items(value: list[Any]) -> list[Any]:
    return value


def _keys(value: dict[str, Any]) -> list[str]:
    return list(value)


def _scalar(kind: ScalarKind, value: Json) -> bool:
    if kind is ScalarKind.NULL:
        return value is None
    if kind is ScalarKind.BOOLEAN:
        return isinstance(value, bool)
    if kind is ScalarKind.STRING:
        return isinstance(value, str)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return kind is ScalarKind.NUMBER or isinstance(value, int) or value.is_integer()


def _unique(value: list[Any]) -> bool:
    return not any(same(item, other) for index, item in enumerate(value) for other in value[:index])


def _tuple(items: tuple[Type, ...], value: Json, definitions: Mapping[str, Definition]) -> bool:
    if not isinstance(value, list) or len(_items(value)) != len(items):
        return False
    return all(accepts(item, part, definitions) for item, part in zip(items, _items(value), strict=True))


def _dict(key: Type, item: Type, value: dict[str, Any], definitions: Mapping[str, Definition]) -> bool:
    names_fit = key == Scalar(ScalarKind.INTEGER) or all(accepts(key, name, definitions) for name in value)
    return names_fit and all(accepts(item, part, definitions) for part in value.values())


def _definition(definition: Definition, value: Json, definitions: Mapping[str, Definition]) -> bool:
    if isinstance(definition, AliasDefinition):
        return accepts(definition.type, value, definitions)
    if isinstance(definition, EnumDefinition):
        return any(same(dump(member, definitions), value) for _, member in definition.members)
    if definition.kind is ObjectKind.NAMED_TUPLE:
        return _named_tuple(definition, value, definitions)
    if not isinstance(value, dict):
        return False
    known = {field.wire: field for field in definition.fields}
    if definition.closed and not value.keys() <= known.keys():
        return False
    if any(field.required and wire not in value for wire, field in known.items()):
        return False
    return all(accepts(known[name].type, value[name], definitions) for name in _keys(value) if name in known)


def _named_tuple(definition: ObjectDefinition, value: Json, definitions: Mapping[str, Definition]) -> bool:
    required = sum(field.required for field in definition.fields)
    if not isinstance(value, list) or not required <= len(_items(value)) <= len(definition.fields):
        return False
    pairs = zip(definition.fields, _items(value), strict=False)
    return all(accepts(field.type, part, definitions) for field, part in pairs)
