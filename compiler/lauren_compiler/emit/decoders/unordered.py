"""Where a tool's arguments hold sets: arrays whose order means nothing, which cache keys sort.

A path that is left out costs a cache hit, a wrong one gives the result of other arguments: what is not sure, or not
found soon, is left out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from msgspec import Struct

from ...ir.tools import Tool, ToolSet
from ...ir.types import (
    Bounded,
    Built,
    Described,
    DictOf,
    ListOf,
    ObjectKind,
    Reference,
    SetOf,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)
from ...ir.walk import input_types, reachable, types_of, walk
from .shapes import Shapes

_ITEM, _VALUE = "[]", "{}"
_MOST_PATHS = 64
_MOST_STEPS = 2000
"""Classes that use each other have more paths through them than can be gone: those near the root are."""


def unordered(toolset: ToolSet, tool: Tool) -> tuple[tuple[str, ...], ...]:
    """The paths of sets in the JSON arguments: keys, `[]` for each item of an array, `{}` for each value of an object.

    Shorter paths come first, 64 at most. A recursive type is followed once; where a union reads arrays (or objects) in
    two ways, nothing in them is listed.
    """
    types = input_types(tool)
    keys = _with_sets(toolset, types)
    if not any(_holds_set(type, keys) for type in types):
        return ()
    search = _Search(Shapes(toolset), keys)
    found: dict[tuple[str, ...], None] = {}
    pending = deque[_Step]()
    for type, path in _roots(search, tool):
        search.follow(type, path, frozenset(), pending)
    for _ in range(_MOST_STEPS):
        if not pending or len(found) == _MOST_PATHS:
            break
        step = pending.popleft()
        if isinstance(step.type, SetOf):
            found.setdefault(step.path)
        for child, more in search.below(step.type):
            search.follow(child, (*step.path, *more), step.inside, pending)
    return tuple(found)


class _Step(Struct, frozen=True):
    """A resolved type at a path; `inside` are the definitions that are open there."""

    type: Type
    path: tuple[str, ...]
    inside: frozenset[str]


class _Search(Struct, frozen=True):
    """`keys` are the definitions that have sets somewhere in them."""

    shapes: Shapes
    keys: frozenset[str]

    def follow(self, type: Type, path: tuple[str, ...], inside: frozenset[str], pending: deque[_Step]) -> None:
        """Add a type that is to be looked at, if there is anything to be found."""
        if not _holds_set(type, self.keys):
            return
        while isinstance(type, (Described, Bounded, Built)):
            type = type.inner
        opened = {type.key} if isinstance(type, Reference) else set[str]()
        resolved = self.shapes.resolved(type)
        if isinstance(resolved, (Bounded, Built)):
            resolved = self.shapes.resolved(resolved.inner)
        if not opened & inside:
            pending.append(_Step(resolved, path, inside | opened))

    def below(self, type: Type) -> list[tuple[Type, tuple[str, ...]]]:
        """The types one level down, each with the step to it."""
        match type:
            case ListOf(item) | SetOf(item):
                return [(item, (_ITEM,))]
            case VariadicTupleOf(item, prefix):
                return [(item, (_ITEM,))] if set(prefix) <= {item} else []
            case TupleOf(items):
                return [(item, (_ITEM,)) for item in items[:1]] if len(set(items)) == 1 else []
            case DictOf(_, value):
                return [(value, (_VALUE,))]
            case Union(members):
                return [(member, ()) for member in members if not self._is_doubtful(member, members)]
            case _:
                definition = self.shapes.object_of(type)
                if definition is None or definition.is_array or definition.kind is ObjectKind.ROOT_MODEL:
                    return []
                return [(each.type, (each.wire,)) for each in definition.fields if each.wire not in (_ITEM, _VALUE)]

    def _is_doubtful(self, member: Type, members: tuple[Type, ...]) -> bool:
        """Whether another member of the union may read the same array or object otherwise."""
        own = self.shapes.kinds(member) & {"list", "dict"}
        return any(other is not member and own & self.shapes.kinds(other) for other in members)


def _roots(search: _Search, tool: Tool) -> Iterable[tuple[Type, tuple[str, ...]]]:
    """The arguments. Paths of `**kwargs` would match parameters too: they are listed where those hold no containers."""
    for each in tool.parameters:
        if each.wire not in (_ITEM, _VALUE):
            yield each.type, (each.wire,)
    holders = [each for each in tool.parameters if search.shapes.kinds(each.type) & {"list", "dict"}]
    if tool.extra is not None and not holders:
        yield tool.extra, (_VALUE,)


def _with_sets(toolset: ToolSet, types: Iterable[Type]) -> frozenset[str]:
    """The definitions below `types` that have sets in them, themselves or through others: found from inside out."""
    users: dict[str, list[str]] = {}
    pending: list[str] = []
    for key in reachable(types, toolset):
        parts = [part for type in types_of(toolset.by_key[key]) for part in walk(type)]
        for part in parts:
            if isinstance(part, Reference):
                users.setdefault(part.key, []).append(key)
        if any(isinstance(part, SetOf) for part in parts):
            pending.append(key)
    found: set[str] = set()
    while pending:
        key = pending.pop()
        if key not in found:
            found.add(key)
            pending += users.get(key, [])
    return frozenset(found)


def _holds_set(type: Type, keys: frozenset[str]) -> bool:
    return any(isinstance(part, SetOf) or (isinstance(part, Reference) and part.key in keys) for part in walk(type))
