"""Which parameters receive the tool context: by symbol, never by name or spelling."""

from __future__ import annotations

from ..semantics.subject import Subject
from ..semantics.symbols import AliasSymbol, KnownSymbol, ValueSymbol
from ..semantics.types import TypeReader
from ..syntax.declarations import Scope
from ..syntax.expressions import Attribute, Chain, Constant, Expr, Name, Subscript

CONTEXTS = frozenset({KnownSymbol("lauren.ToolContext"), KnownSymbol("lauren.ToolCallContext")})
_WRAPPERS = frozenset({KnownSymbol("typing.Optional"), KnownSymbol("typing.Union"), KnownSymbol("typing.Annotated")})
_MAX_DEPTH = 20


def is_context(expr: Expr, scope: Scope, types: TypeReader, depth: int = 0) -> bool:
    """Whether an annotation means the tool context: alone, optional, annotated, quoted, or through an alias."""
    if depth > _MAX_DEPTH:
        return False
    if isinstance(expr, Constant):
        if not isinstance(expr.value, str) or "Context" not in scope.module.file.text:
            return False
        inner = types.unquoted(expr, scope, Subject("a parameter"))
        return inner is not None and is_context(inner, scope, types, depth + 1)
    if isinstance(expr, Chain) and expr.op == "|":
        return _among(expr.items, scope, types, depth)
    if isinstance(expr, Subscript):
        owner = types.resolver.dealias(types.resolver.resolve(expr.value, scope))
        return owner in _WRAPPERS and _wrapped(owner, expr, scope, types, depth)
    if not isinstance(expr, (Name, Attribute)):
        return False
    symbol = types.resolver.dealias(types.resolver.resolve(expr, scope))
    if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, (Chain, Subscript, Constant)):
        return is_context(symbol.expr, symbol.scope, types, depth + 1)
    if isinstance(symbol, AliasSymbol):
        return is_context(symbol.decl.value.expr, symbol.decl.scope, types, depth + 1)
    return symbol in CONTEXTS


def _wrapped(owner: object, expr: Subscript, scope: Scope, types: TypeReader, depth: int) -> bool:
    items = expr.arguments[:1] if owner == KnownSymbol("typing.Annotated") else expr.arguments
    return _among(items, scope, types, depth)


def _among(items: tuple[Expr, ...], scope: Scope, types: TypeReader, depth: int) -> bool:
    """Whether the items are the context and otherwise None."""
    others = [item for item in items if not (isinstance(item, Constant) and item.value is None)]
    return len(others) == 1 and is_context(others[0], scope, types, depth + 1)
