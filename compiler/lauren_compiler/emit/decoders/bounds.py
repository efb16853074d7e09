"""Whether types bound what their values hold, or the arguments have to be looked through first."""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.types import Anything, Reference, Stated, Type
from ...ir.walk import types_of, walk
from .shapes import Shapes

_SURELY_SHALLOW = 200


def needs_scan(shapes: Shapes, types: Iterable[Type]) -> bool:
    """Whether values of `types` can hold what their decoders do not see, or nest deeper than arguments may.

    So for `Any`; for recursive types, whose depth only the value tells; and for so many types that, all inside each
    other, they could be too deep.
    """
    count = 0
    opened: set[str] = set()
    closed: set[str] = set()
    # A type still to be walked, or the key of a definition that is then done.
    pending: list[Type | str] = list(types)
    while pending:
        current = pending.pop()
        if isinstance(current, str):
            closed.add(current)
            continue
        for part in walk(current):
            count += 1
            if isinstance(part, (Anything, Stated)):
                return True
            if isinstance(part, Reference) and part.key not in closed:
                if part.key in opened:
                    return True
                opened.add(part.key)
                pending += [part.key, *types_of(shapes.toolset.by_key[part.key])]
    return count > _SURELY_SHALLOW
