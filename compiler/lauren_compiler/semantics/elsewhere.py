"""What is wrong in a library is told where the sources name it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..diagnostics.model import Label, Level, Sink
from ..syntax.declarations import Scope
from ..syntax.expressions import Expr

if TYPE_CHECKING:
    from .types import TypeReader


@contextmanager
def told_at(expr: Expr, scope: Scope, home: Scope, types: TypeReader) -> Generator[None]:
    """While something is read that is defined in the scope `home` of a library and that `expr` names: what is wrong
    with it is told at `expr`, with the library's place as a label."""
    previous, aside = types.sink, Sink()
    types.sink = types.metadata.sink = aside
    try:
        yield
    finally:
        types.sink = types.metadata.sink = previous
    here = scope.module.file.span(expr.pos)
    library = home.module.file.shown
    for found in aside:
        if found.span.path == here.path:
            previous.add(found)
            continue
        labels = (Label(found.span, f"in module `{home.module.file.module}`"),)
        place = here if found.span.path == library or found.level is Level.ERROR else found.span
        previous.add(replace(found, span=place, labels=labels if place is here else found.labels))
