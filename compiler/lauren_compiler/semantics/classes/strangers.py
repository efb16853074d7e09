"""What pydantic can't build in its models: classes of attrs and msgspec, enum members that equal no JSON value, and
tuples that are unpacked in others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from ...ir.types import Definition, LiteralOf, ObjectDefinition, ObjectKind, Reference, Type
from ...ir.values import EnumMember
from ...ir.walk import types_of, walk
from ..recipes import is_unpacked

_STRANGE = frozenset({ObjectKind.ATTRS, ObjectKind.STRUCT, ObjectKind.STRUCT_ARRAY})


def strangers(definition: Definition, definitions: Mapping[str, Definition]) -> ObjectDefinition | None:
    """The first class that pydantic does not know among those that the fields of a model hold, at any depth."""
    for part in _parts(definition, definitions):
        found = definitions.get(part.key) if isinstance(part, Reference) else None
        if isinstance(found, ObjectDefinition) and found.kind in _STRANGE:
            return found
    return None


def holds_unpacked(definition: Definition, definitions: Mapping[str, Definition]) -> bool:
    """Whether the fields of a model hold a tuple that is unpacked in another."""
    return any(map(is_unpacked, _parts(definition, definitions)))


def unequal_member(
    definition: Definition, definitions: Mapping[str, Definition], plain: AbstractSet[str]
) -> EnumMember | None:
    """The first member in a `Literal`, of one of the `plain` enums, that the fields of a model hold: pydantic compares
    what JSON has with the member itself, not with its value."""
    for part in _parts(definition, definitions):
        for value in part.values if isinstance(part, LiteralOf) else ():
            if isinstance(value, EnumMember) and value.enum in plain:
                return value
    return None


def _parts(definition: Definition, definitions: Mapping[str, Definition]) -> Iterator[Type]:
    """Every type that a definition holds, at any depth."""
    pending, seen = [definition], set[str]()
    while pending:
        for kind in types_of(pending.pop()):
            for part in walk(kind):
                yield part
                found = definitions.get(part.key) if isinstance(part, Reference) else None
                if found is not None and isinstance(part, Reference) and part.key not in seen:
                    seen.add(part.key)
                    pending.append(found)
