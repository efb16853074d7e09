"""Whether a type accepts a JSON value: for defaults, which must not break their own schema.

The same verdict as validating against the type's JSON Schema, which tests show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from .bounds import within
from .dump import Json, dump
from .equality import identity, same
from .formats import FORMATS
from .tags import known_tags
from .types import (
    Adapted,
    AliasDefinition,
    Anything,
    Bounded,
    Built,
    Definition,
    Described,
    DictOf,
    EnumDefinition,
    Formatted,
    JsonText,
    ListOf,
    LiteralOf,
    ObjectDefinition,
    ObjectKind,
    Reference,
    Scalar,
    ScalarKind,
    SetOf,
    Stated,
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
        case JsonText():
            return isinstance(value, str)
        case Scalar(scalar):
            return _scalar(scalar, value)
        case LiteralOf(values):
            return any(same(dump(option, definitions), value) for option in values)
        case ListOf(item):
            items = _array(value)
            return items is not None and all(accepts(item, part, definitions) for part in items)
        case VariadicTupleOf(item, prefix):
            return _open_tuple(prefix, item, _array(value), definitions)
        case SetOf(item):
            items = _array(value)
            unique = items is not None and len({identity(part) for part in items}) == len(items)
            return unique and accepts(ListOf(item), value, definitions)
        case TupleOf(items):
            return _tuple(items, _array(value), definitions)
        case DictOf(key, item):
            return _dict(key, item, _object(value), definitions)
        case Union(members, discriminator) if discriminator is not None:
            tags = known_tags(kind, definitions)
            told = tags is None or tags.wire in (_object(value) or ())
            return told and any(accepts(member, value, definitions) for member in members)
        case Union(members):
            return any(accepts(member, value, definitions) for member in members)
        case Formatted(form):
            number = FORMATS[form].number and _scalar(ScalarKind.NUMBER, value)
            return number or isinstance(value, str)
        case Described(inner) | Built(inner) | Adapted(inner):
            return accepts(inner, value, definitions)
        case Bounded(Formatted(form), bounds) if FORMATS[form].number:
            in_bounds = not _scalar(ScalarKind.NUMBER, value) or within(bounds, value)
            return accepts(kind.inner, value, definitions) and in_bounds
        case Stated():
            from .stated import satisfies

            return satisfies(kind.schema, value)
        case Bounded(inner, bounds):
            return accepts(inner, value, definitions) and within(bounds, value)
        case Reference(name):
            # A class that is still being read, further out: nothing can be said against the value yet.
            return name not in definitions or _definition(definitions[name], value, definitions)


def _is_array(value: Json) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _is_object(value: Json) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _array(value: Json) -> list[Any] | None:
    return value if _is_array(value) else None


def _object(value: Json) -> dict[str, Any] | None:
    return value if _is_object(value) else None


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


def _tuple(types: tuple[Type, ...], items: list[Any] | None, definitions: Mapping[str, Definition]) -> bool:
    if items is None or len(items) != len(types):
        return False
    return all(accepts(kind, part, definitions) for kind, part in zip(types, items, strict=True))


def _open_tuple(
    prefix: tuple[Type, ...], item: Type, items: list[Any] | None, definitions: Mapping[str, Definition]
) -> bool:
    if items is None or not _tuple(prefix, items[: len(prefix)], definitions):
        return False
    return all(accepts(item, part, definitions) for part in items[len(prefix) :])


def _dict(key: Type, item: Type, members: dict[str, Any] | None, definitions: Mapping[str, Definition]) -> bool:
    if members is None:
        return False
    # Of these the schema says nothing: decoders read them from the names.
    is_read = key in (Scalar(ScalarKind.INTEGER), Scalar(ScalarKind.NUMBER), Scalar(ScalarKind.BOOLEAN))
    names_fit = is_read or all(accepts(key, name, definitions) for name in members)
    return names_fit and all(accepts(item, part, definitions) for part in members.values())


def _definition(definition: Definition, value: Json, definitions: Mapping[str, Definition]) -> bool:
    if isinstance(definition, AliasDefinition):
        return accepts(definition.type, value, definitions)
    if isinstance(definition, EnumDefinition):
        return any(same(dump(member, definitions), value) for _, member in definition.members)
    if definition.kind is ObjectKind.ROOT_MODEL:
        return accepts(definition.fields[0].type, value, definitions)
    if definition.is_array:
        return _items(definition, _array(value), definitions)
    members = _object(value)
    if members is None:
        return False
    known = {field.wire: field for field in definition.fields}
    if definition.closed and not members.keys() <= known.keys():
        return False
    if any(field.required and wire not in members for wire, field in known.items()):
        return False
    others = definition.extra
    if others is not None and not all(accepts(others, members[name], definitions) for name in members.keys() - known):
        return False
    return all(accepts(known[name].type, part, definitions) for name, part in members.items() if name in known)


def _items(definition: ObjectDefinition, items: list[Any] | None, definitions: Mapping[str, Definition]) -> bool:
    if items is None or len(items) < definition.least:
        return False
    if definition.most is not None and len(items) > definition.most:
        return False
    pairs = zip(definition.fields, items, strict=False)
    return all(accepts(field.type, part, definitions) for field, part in pairs)
