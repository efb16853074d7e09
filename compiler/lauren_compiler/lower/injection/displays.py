"""The items of a list in the source, in order: displays, joined by `+`, and names for such that nothing changes."""

from __future__ import annotations

from msgspec import Struct, field

from ...source.span import Span
from ...syntax import expressions as ex
from ...syntax.declarations import Scope
from ..lists import Lists

Item = tuple[ex.Expr, Scope]


class Items(Struct):
    """The items that are known, in order; and what can't be: the places, each with the reason."""

    known: list[Item] = field(default_factory=list[Item])
    unknown: list[tuple[Span, str]] = field(default_factory=list[tuple[Span, str]])


def items_of(expr: ex.Expr | None, scope: Scope, lists: Lists) -> Items:
    """The items of a list; none for None."""
    if expr is None:
        return Items()
    if isinstance(expr, ex.SetDisplay):
        return Items(unknown=[(scope.module.file.span(expr.pos), "a set has no order")])
    listing = lists.of(expr, scope)
    unknown = [(each.span, each.why) for each in listing.unknown]
    unknown += [(each.span, each.message) for each in listing.lost]
    return Items([(item.expr, item.scope) for item in listing.items], unknown)
