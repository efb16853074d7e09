"""The items of a list in the source: a display, displays joined by `+`, a tuple that a name stands for."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...semantics.resolver import Resolver
from ...semantics.symbols import Symbol, ValueSymbol
from ...source.span import Span
from ...syntax import expressions as ex
from ...syntax.declarations import Scope

Item = tuple[ex.Expr, Scope]


@dataclass(slots=True)
class Items:
    """The items that are known, in order; and what can't be: the places, each with the reason."""

    known: list[Item] = field(default_factory=list[Item])
    unknown: list[tuple[Span, str]] = field(default_factory=list[tuple[Span, str]])


def items_of(expr: ex.Expr | None, scope: Scope, resolver: Resolver) -> Items:
    """The items of a list; none for None."""
    found = Items()
    if expr is not None:
        _collect(expr, scope, resolver, found, 0)
    return found


def _collect(expr: ex.Expr, scope: Scope, resolver: Resolver, found: Items, depth: int) -> None:
    if isinstance(expr, ex.Constant) and expr.value is None:
        return
    if isinstance(expr, (ex.ListDisplay, ex.Tuple)):
        for item in expr.items:
            if isinstance(item, ex.Starred):
                _collect(item.value, scope, resolver, found, depth + 1)
            else:
                found.known.append((item, scope))
        return
    if isinstance(expr, ex.Chain) and expr.op == "+":
        for part in expr.items:
            _collect(part, scope, resolver, found, depth + 1)
        return
    if isinstance(expr, ex.Conditional) and (met := resolver.conditions.truth(expr.test, scope)) is not None:
        _collect(expr.body if met else expr.orelse, scope, resolver, found, depth + 1)
        return
    why = "it is computed"
    if isinstance(expr, (ex.Name, ex.Attribute)):
        symbol = resolver.dealias(resolver.resolve(expr, scope))
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, ex.Tuple) and depth < 20:
            _collect(symbol.expr, symbol.scope, resolver, found, depth + 1)
            return
        why = _why(symbol)
    found.unknown.append((scope.module.file.span(expr.pos), why))


def _why(symbol: Symbol) -> str:
    if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, ex.ListDisplay):
        return f"the list `{symbol.name}` may be changed before it is used; a tuple may not"
    return getattr(symbol, "why", "") or "it is computed"
