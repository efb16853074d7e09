"""Which expressions make tools: `tool()` under any name, bound to a variable first, or a project's own decorator."""

from __future__ import annotations

from dataclasses import dataclass

from ..semantics.resolver import Resolver
from ..semantics.symbols import DynamicSymbol, FunctionSymbol, KnownSymbol, Unresolved, ValueSymbol
from ..syntax.declarations import Scope
from ..syntax.expressions import Attribute, Call, Expr, Keyword, Name

TOOL = KnownSymbol("lauren.tool")


@dataclass(frozen=True, slots=True, eq=False)
class Maker:
    """An expression that, applied to a function or class, makes it a tool.

    `call` is the `tool(...)` in it, None for the bare decorator; its arguments are read in `scope`.
    """

    expr: Expr
    call: Call | None
    scope: Scope
    bare: bool = False

    @property
    def keywords(self) -> tuple[Keyword, ...]:
        return self.call.keywords if self.call is not None else ()


class Makers:
    """Recognises makers. `wrappers` are qualified names of a project's own decorators that wrap `tool`."""

    def __init__(self, resolver: Resolver, wrappers: tuple[str, ...]) -> None:
        self._resolver = resolver
        self._wrappers = {name.replace(":", ".") for name in wrappers}

    def find(self, expr: Expr, scope: Scope) -> Maker | None:
        """The maker an expression is; None if it is none."""
        if isinstance(expr, Call):
            symbol = self._resolver.dealias(self._resolver.resolve(expr.func, scope))
            if symbol == TOOL or self._is_wrapper(symbol):
                return Maker(expr, expr, scope)
            return None
        if not isinstance(expr, (Name, Attribute)):
            return None
        symbol = self._resolver.dealias(self._resolver.resolve(expr, scope))
        if symbol == TOOL:
            return Maker(expr, None, scope, bare=True)
        if self._is_wrapper(symbol):
            return Maker(expr, None, scope)
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, Call):
            inner = self.find(symbol.expr, symbol.scope)
            if isinstance(inner, Maker):
                return Maker(expr, inner.call, inner.scope)
        return None

    def may_be(self, expr: Expr, scope: Scope) -> bool:
        """Whether an expression is a maker under some conditions that can't be decided."""
        target = expr.func if isinstance(expr, Call) else expr
        if not isinstance(target, (Name, Attribute)):
            return False
        symbol = self._resolver.resolve(target, scope)
        return isinstance(symbol, DynamicSymbol) and any(self._resolver.dealias(o) == TOOL for o in symbol.options)

    def misspelt(self, expr: Expr, scope: Scope) -> Unresolved | None:
        """The problem of a decorator that the tool system's modules do not have, but nearly."""
        target = expr.func if isinstance(expr, Call) else expr
        if not isinstance(target, (Name, Attribute)):
            return None
        symbol = self._resolver.resolve(target, scope)
        if isinstance(symbol, Unresolved) and "`tool`" in (symbol.diagnostic.help or ""):
            return symbol
        return None

    def inside_wrapper(self, scope: Scope) -> bool:
        """Whether a scope is the body of a project's own decorator, whose `tool(...)` makes no tool itself."""
        name = f"{scope.module.file.module}.{scope.qualname}."
        return any(name.startswith(wrapper + ".") for wrapper in self._wrappers)

    def _is_wrapper(self, symbol: object) -> bool:
        if not self._wrappers or not isinstance(symbol, FunctionSymbol):
            return False
        decl = symbol.decl
        return f"{decl.scope.module.file.module}.{decl.qualname}" in self._wrappers
