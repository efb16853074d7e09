"""Ways through a type that need no recursion, so that nesting as deep as a source may have it costs no stack."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar, assert_never

from .tools import Tool, ToolSet
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
    Reference,
    Scalar,
    SetOf,
    Stated,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)

Result = TypeVar("Result")

_LEAVES = frozenset({Anything, Scalar, LiteralOf, Reference, Formatted})
"""Types with nothing inside: most are such, and what class one is of tells it sooner than a comparison with each."""


def children(type_: Type) -> tuple[Type, ...]:
    """The types directly inside `type_`, in source order; a reference has none."""
    match type_:
        case Anything() | Scalar() | LiteralOf() | Reference() | Formatted():
            return ()
        case ListOf(item) | SetOf(item):
            return (item,)
        case VariadicTupleOf(item, prefix):
            return (*prefix, item)
        case TupleOf(items):
            return items
        case DictOf(key, value):
            return (key, value)
        case Union(members):
            return members
        case Described(inner) | Bounded(inner) | Built(inner) | Adapted(inner) | JsonText(inner):
            return (inner,)
        case Stated(inner=inner):
            return (*(() if inner is None else (inner,)), *stated_references(type_))
        case _:
            assert_never(type_)


def stated_references(type_: Stated) -> tuple[Reference, ...]:
    """What the stated schema itself refers to."""
    return tuple(reference for _, reference in type_.definitions)


def walk(type_: Type) -> Iterator[Type]:
    """`type_` and every type inside it, outer before inner, left before right; definitions are not entered."""
    return iter((type_,)) if type(type_) in _LEAVES else _walk(type_)


def _walk(type_: Type) -> Iterator[Type]:
    pending = [type_]
    while pending:
        current = pending.pop()
        yield current
        if type(current) not in _LEAVES:
            pending.extend(reversed(children(current)))


def fold(type_: Type, combine: Callable[[Type, tuple[Result, ...]], Result]) -> Result:
    """What `combine` makes of `type_` and of the results for its children, inner types first."""
    if type(type_) in _LEAVES:
        return combine(type_, ())
    results: list[Result] = []
    for current in reversed(list(walk(type_))):
        # Every child's result is on the stack by now, the first child's on top.
        count = len(children(current))
        parts = tuple(results.pop() for _ in range(count))
        results.append(combine(current, parts))
    return results[0]


def types_of(definition: Definition) -> tuple[Type, ...]:
    """The types a definition is made of, in source order."""
    match definition:
        case ObjectDefinition(fields=fields, extra=extra):
            return (*(field.type for field in fields), *(() if extra is None else (extra,)))
        case AliasDefinition(type=type_):
            return (type_,)
        case EnumDefinition():
            return ()
        case _:
            assert_never(definition)


def input_types(tool: Tool) -> tuple[Type, ...]:
    """The types of all that a model may send: the parameters, then the values of `**kwargs`."""
    extra = () if tool.extra is None else (tool.extra,)
    return (*(parameter.type for parameter in tool.parameters), *extra)


def _shown(type_: Type) -> Iterator[Type]:
    """As `walk`, without what decodes the values of a stated schema."""
    pending = [type_]
    while pending:
        current = pending.pop()
        yield current
        if type(current) not in _LEAVES:
            inside = stated_references(current) if isinstance(current, Stated) else children(current)
            pending.extend(reversed(inside))


def reachable(types: Iterable[Type], toolset: ToolSet) -> tuple[str, ...]:
    """The keys of all definitions that the schemas of `types` need, directly or through others, by first use."""
    found: dict[str, None] = {}
    # Of what holds nothing, only a reference leads anywhere.
    pending = [each for each in types if type(each) is Reference or type(each) not in _LEAVES]
    if not pending:
        return ()
    pending.reverse()
    while pending:
        for part in _shown(pending.pop()):
            if isinstance(part, Reference) and part.key not in found:
                found[part.key] = None
                pending.extend(reversed(types_of(toolset.by_key[part.key])))
    return tuple(found)
