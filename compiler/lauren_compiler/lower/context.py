"""Which parameters receive the tool context, or what a framework fills: by symbol, never by spelling."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..semantics.subject import Subject
from ..semantics.symbols import AliasSymbol, ClassSymbol, KnownSymbol, Symbol, ValueSymbol
from ..semantics.types import TypeReader
from ..syntax.declarations import ParamDecl, Scope
from ..syntax.expressions import Attribute, Call, Chain, Constant, Expr, Name, Subscript
from .configured import Listed

_CONTEXTS = frozenset({"lauren.ToolContext", "lauren.ToolCallContext"})
_WRAPPERS = frozenset({KnownSymbol("typing.Optional"), KnownSymbol("typing.Union"), KnownSymbol("typing.Annotated")})
_ANNOTATED = KnownSymbol("typing.Annotated")
_MAX_DEPTH = 20

Wanted = Callable[[Symbol], bool]


def is_context(expr: Expr, scope: Scope, types: TypeReader) -> bool:
    """Whether an annotation means the tool context: alone, optional, annotated, quoted, or through an alias."""
    if isinstance(expr, Constant) and "Context" not in scope.module.file.text:
        return False
    return _means(expr, scope, types, _is_context)


def _is_context(symbol: Symbol) -> bool:
    return isinstance(symbol, KnownSymbol) and symbol.name in _CONTEXTS


def is_injected(parameter: ParamDecl, scope: Scope, types: TypeReader, listed: Listed) -> bool:
    """Whether a framework fills a parameter: by its name, its type or a base of that, what it is annotated with, or
    what its default is made of."""
    framework = listed.entry.framework
    if framework is None:
        return False
    if parameter.name in framework.injected_names:
        return True

    def wanted(symbol: Symbol) -> bool:
        bases = types.resolver.linear_bases(symbol.decl) if isinstance(symbol, ClassSymbol) else ()
        return listed.injects(symbol) or any(listed.injects(ClassSymbol(base)) for base in bases)

    if not listed.injected:
        return False
    marks = [] if parameter.default is None else [parameter.default.expr]
    if parameter.annotation is not None:
        annotation = parameter.annotation.expr
        if _means(annotation, scope, types, wanted):
            return True
        marks += _metadata(annotation, scope, types)
    return any(wanted(_symbol(mark.func if isinstance(mark, Call) else mark, scope, types)) for mark in marks)


def _symbol(expr: Expr, scope: Scope, types: TypeReader) -> Symbol:
    return types.resolver.dealias(types.resolver.resolve(expr, scope))


def _metadata(expr: Expr, scope: Scope, types: TypeReader) -> Iterator[Expr]:
    """What stands behind the type in `Annotated[...]`."""
    unquoted = types.unquoted(expr, scope, Subject("a parameter"))
    if isinstance(unquoted, Subscript) and _symbol(unquoted.value, scope, types) == _ANNOTATED:
        yield from unquoted.arguments[1:]


def _means(expr: Expr, scope: Scope, types: TypeReader, wanted: Wanted, depth: int = 0) -> bool:
    """Whether an annotation names a wanted type: alone, optional, annotated, quoted, or through an alias."""
    if depth > _MAX_DEPTH:
        return False
    if isinstance(expr, Name) and isinstance(symbol := _symbol(expr, scope, types), KnownSymbol):
        return wanted(symbol)
    if isinstance(expr, Constant):
        if not isinstance(expr.value, str):
            return False
        inner = types.unquoted(expr, scope, Subject("a parameter"))
        return inner is not None and _means(inner, scope, types, wanted, depth + 1)
    if isinstance(expr, Chain) and expr.op == "|":
        return _among(expr.items, scope, types, wanted, depth)
    if isinstance(expr, Subscript):
        owner = _symbol(expr.value, scope, types)
        if owner not in _WRAPPERS:
            return wanted(owner)
        items = expr.arguments[:1] if owner == _ANNOTATED else expr.arguments
        return _among(items, scope, types, wanted, depth)
    if not isinstance(expr, (Name, Attribute)):
        return False
    symbol = _symbol(expr, scope, types)
    if wanted(symbol):
        return True
    if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, (Chain, Subscript, Constant)):
        return _means(symbol.expr, symbol.scope, types, wanted, depth + 1)
    if isinstance(symbol, AliasSymbol):
        return _means(symbol.decl.value.expr, symbol.decl.scope, types, wanted, depth + 1)
    return False


def _among(items: tuple[Expr, ...], scope: Scope, types: TypeReader, wanted: Wanted, depth: int) -> bool:
    """Whether the items are the wanted type and otherwise None."""
    others = [item for item in items if not (isinstance(item, Constant) and item.value is None)]
    return len(others) == 1 and _means(others[0], scope, types, wanted, depth + 1)
