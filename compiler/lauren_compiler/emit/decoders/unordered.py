"""Where a tool's arguments hold sets: arrays whose order means nothing, which cache keys sort."""

from __future__ import annotations

from ...ir.tools import Tool, ToolSet
from ...ir.types import DictOf, ListOf, ObjectKind, Reference, SetOf, TupleOf, Type, Union, VariadicTupleOf
from .shapes import Shapes

_ITEM, _VALUE = "[]", "{}"


def unordered(toolset: ToolSet, tool: Tool) -> tuple[tuple[str, ...], ...]:
    """The paths of sets in the JSON arguments: keys, `[]` for each item of an array, `{}` for each value of an object.

    A recursive type is followed once; an array that a union may also read as a list counts as ordered.
    """
    shapes = Shapes(toolset)
    found: dict[tuple[str, ...], None] = {}
    pending: list[tuple[Type, tuple[str, ...], frozenset[str]]] = [
        (each.type, (each.wire,), frozenset()) for each in reversed(tool.parameters)
    ]
    if tool.extra is not None:
        pending.insert(0, (tool.extra, (_VALUE,), frozenset()))
    while pending:
        type, path, inside = pending.pop()
        if isinstance(type, Reference):
            if type.key in inside:
                continue
            inside |= {type.key}
        type = shapes.resolved(type)
        if isinstance(type, SetOf):
            found.setdefault(path)
        pending += [(child, (*path, *step), inside) for child, step in reversed(_steps(shapes, type))]
    return tuple(found)


def _steps(shapes: Shapes, type: Type) -> list[tuple[Type, tuple[str, ...]]]:
    """The types one level down, each with the step to it."""
    match type:
        case ListOf(item) | SetOf(item) | VariadicTupleOf(item):
            return [(item, (_ITEM,))]
        case TupleOf(items):
            return [(item, (_ITEM,)) for item in items] if len(set(items)) == 1 else []
        case DictOf(_, value):
            return [(value, (_VALUE,))]
        case Union(members):
            arrays = [member for member in members if "list" in shapes.kinds(member)]
            return [(member, ()) for member in members if len(arrays) < 2 or member not in arrays]
        case _:
            definition = shapes.object_of(type)
            if definition is None or definition.kind is ObjectKind.NAMED_TUPLE:
                return []
            return [(field.type, (field.wire,)) for field in definition.fields]
