"""Which definitions a type or tool needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .tools import Tool
from .types import (
    AliasDefinition,
    Definition,
    Described,
    DictOf,
    EnumDefinition,
    ListOf,
    LiteralOf,
    Reference,
    SetOf,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)
from .values import EnumMember


def children(kind: Type) -> tuple[Type, ...]:
    """The types directly inside a type."""
    match kind:
        case ListOf(item) | SetOf(item) | VariadicTupleOf(item):
            return (item,)
        case TupleOf(items):
            return items
        case DictOf(key, value):
            return (key, value)
        case Union(members):
            return members
        case Described(inner):
            return (inner,)
        case _:
            return ()


def keys_in(kind: Type) -> Iterator[str]:
    """The keys of the definitions a type names, those inside definitions excepted."""
    pending = [kind]
    while pending:
        step = pending.pop()
        if isinstance(step, Reference):
            yield step.key
        elif isinstance(step, LiteralOf):
            yield from (value.enum for value in step.values if isinstance(value, EnumMember))
        pending.extend(children(step))


def types_of(tool: Tool) -> Iterator[Type]:
    """The types of a tool's parameters, of what else it takes, and of what it returns."""
    for parameter in tool.parameters:
        yield parameter.type
    if tool.extra is not None:
        yield tool.extra
    if tool.output is not None:
        yield tool.output


def types_in(definition: Definition) -> Iterator[Type]:
    """The types a definition is made of."""
    if isinstance(definition, AliasDefinition):
        yield definition.type
    elif not isinstance(definition, EnumDefinition):
        for field in definition.fields:
            yield field.type


def reachable(tool: Tool, definitions: Mapping[str, Definition]) -> set[str] | None:
    """The keys of all definitions a tool needs, at any depth; None if one of them does not exist."""
    found: set[str] = set()
    pending = [key for kind in types_of(tool) for key in keys_in(kind)]
    while pending:
        key = pending.pop()
        if key in found:
            continue
        if key not in definitions:
            return None
        found.add(key)
        pending.extend(inner for kind in types_in(definitions[key]) for inner in keys_in(kind))
    return found
