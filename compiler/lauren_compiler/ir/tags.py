"""What tells the members of a discriminated union apart: a key of their JSON, and the constants each takes there."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from .types import (
    Adapted,
    AliasDefinition,
    Bounded,
    Definition,
    Described,
    Discriminator,
    EnumDefinition,
    Field,
    LiteralOf,
    ObjectDefinition,
    ObjectKind,
    Reference,
    Type,
    Union,
)
from .values import Constant, EnumMember, Value


class NoTags(Exception):
    """A union can't be told apart by its key; the message says why."""


class Tags(Struct, frozen=True):
    """`constants` are those of each member, in the members' order. `required`: every member says that the key must be
    there, which for the union it must in any case."""

    wire: str
    constants: tuple[tuple[str | int, ...], ...]
    required: bool = True


def tags_of(union: Union, definitions: Mapping[str, Definition]) -> Tags:
    """The tags of a union whose discriminator is a key. Raises `NoTags`, and KeyError for a definition that is not
    there (yet)."""
    key = union.discriminator.key if union.discriminator is not None else None
    if key is None:
        raise NoTags("a function tells its members apart")
    found = [_member(member, key, definitions) for member in union.members]
    wires = {tags.wire for tags in found}
    if len(wires) > 1:
        raise NoTags(f"its members have `{key}` under different names in JSON")
    constants = tuple(tuple(tag for part in tags.constants for tag in part) for tags in found)
    every = [tag for part in constants for tag in part]
    twice = next((tag for tag in every if every.count(tag) > 1), None)
    if twice is not None:
        raise NoTags(f"two of its members have the value {twice!r} for `{key}`")
    return Tags(wires.pop(), constants, all(tags.required for tags in found))


def known_tags(union: Union, definitions: Mapping[str, Definition]) -> Tags | None:
    """The tags of a union; None for one without, or (in a tool set with errors) whose discriminator tells none."""
    try:
        return tags_of(union, definitions) if union.discriminator is not None else None
    except (NoTags, KeyError):
        return None


def _bare(kind: Type, definitions: Mapping[str, Definition]) -> Type | Definition:
    """Without texts, aliases and what pydantic does with the value."""
    while True:
        if isinstance(kind, (Described, Adapted, Bounded)):
            kind = kind.inner
        elif isinstance(kind, Reference):
            definition = definitions[kind.key]
            if not isinstance(definition, AliasDefinition):
                return definition
            kind = definition.type
        else:
            return kind


def _member(member: Type, key: str, definitions: Mapping[str, Definition]) -> Tags:
    found = _bare(member, definitions)
    if isinstance(found, Union):
        return tags_of(Union(found.members, found.discriminator or Discriminator(key)), definitions)
    if not isinstance(found, ObjectDefinition) or found.kind in (ObjectKind.NAMED_TUPLE, ObjectKind.ROOT_MODEL):
        raise NoTags("one of its members is no object with keys")
    field = next((field for field in found.fields if field.name == key), None)
    if field is None:
        raise NoTags(f"`{found.qualname}` has no field `{key}`")
    return Tags(field.wire, (_constants(field, found, definitions),), field.required)


def _constants(field: Field, owner: ObjectDefinition, definitions: Mapping[str, Definition]) -> tuple[str | int, ...]:
    found = _bare(field.type, definitions)
    values: tuple[Value, ...] = ()
    if isinstance(found, LiteralOf):
        values = found.values
    elif isinstance(found, EnumDefinition):
        values = tuple(value for _, value in found.members)
    tags = tuple(_constant(value) for value in values)
    if not tags or None in tags:
        raise NoTags(f"`{field.name}` of `{owner.qualname}` is no `Literal` of strings or integers")
    return tuple(tag for tag in tags if tag is not None)


def _constant(value: Value) -> str | int | None:
    plain = value.value if isinstance(value, EnumMember) else value
    tag = plain.value if isinstance(plain, Constant) else None
    return tag if isinstance(tag, (str, int)) and not isinstance(tag, bool) else None
