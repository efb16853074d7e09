"""Decorators above `@tool()`: those that surely give an object of their own, which has no mark of `tool()`.

A table fetches a tool by its name, where it then finds that object. What can't be seen is left to the runtime's check.
"""

from __future__ import annotations

from ..diagnostics.model import Sink
from ..diagnostics.rules import tools as rules
from ..semantics.resolver import Resolver
from ..semantics.symbols import ClassSymbol, FunctionSymbol, Symbol
from ..syntax.declarations import ClassDecl, Definition, FunctionDecl
from ..syntax.expressions import Call, Constant, DictDisplay, Expr, Lambda, ListDisplay, Name, SetDisplay, Tuple
from .configured import Configured
from .registered import Candidate
from .signature import keeps

_DISPLAYS = (Constant, DictDisplay, Lambda, ListDisplay, SetDisplay, Tuple)
_COPYING = ("update_wrapper", "wraps", "__dict__", "TOOL_META")
"""What a decorator's source says if it may hand the mark on."""


def warn_of_replacing(candidate: Candidate, names: Resolver, known: Configured, sink: Sink) -> None:
    """Warn of each decorator above the maker that gives something else than it is given."""
    decl = candidate.decl
    for decorator in candidate.above:
        expr = decorator.expr
        target = expr.func if isinstance(expr, Call) else expr
        symbol = names.dealias(names.resolve(target, decl.scope))
        if keeps(symbol, names) or known.keeps(symbol) or not _replaces(symbol, expr, names):
            continue
        span = decl.scope.module.file.span(expr.pos)
        message = f"this decorator gives an object of its own in place of tool `{decl.name}`"
        label = "calls of the tool will fail: the object has no mark of `tool()`"
        remedy = "put it below `@tool()`, or use `functools.wraps` in it"
        sink.add(rules.REPLACED_TOOL.at(span, message, label=label, help=remedy))


def _replaces(symbol: Symbol, expr: Expr, names: Resolver) -> bool:
    """Whether what a decorator gives is surely another object than what it is given."""
    if isinstance(symbol, ClassSymbol):
        return not isinstance(expr, Call) and not _may_copy(symbol.decl)
    if not isinstance(symbol, FunctionSymbol) or _may_copy(symbol.decl):
        return False
    decorator = symbol.decl
    if isinstance(expr, Call):
        made = _inner(decorator)
        if made is None:
            return False
        decorator = made
    given = [item.expr for item in decorator.returned]
    return bool(given) and all(_is_other(item, decorator, names) for item in given)


def _inner(factory: FunctionDecl) -> FunctionDecl | None:
    """The decorator that `@factory(...)` makes: the function inside that is all it returns."""
    given = [item.expr for item in factory.returned]
    only = given[0] if len(given) == 1 else None
    return _function(only, factory) if isinstance(only, Name) else None


def _function(name: Name, owner: FunctionDecl) -> FunctionDecl | None:
    """The function of that name that is defined inside another, and nowhere else bound there."""
    bindings = owner.body.bindings.get(name.id, [])
    found = bindings[0] if len(bindings) == 1 else None
    decl = found.decl if isinstance(found, Definition) else None
    return decl if isinstance(decl, FunctionDecl) else None


def _is_other(given: Expr, decorator: FunctionDecl, names: Resolver) -> bool:
    """Whether a returned expression is a new object: a function inside, an instance, a display."""
    if isinstance(given, Name):
        return _function(given, decorator) is not None
    if isinstance(given, Call):
        made = names.dealias(names.resolve(given.func, decorator.body))
        return isinstance(made, ClassSymbol) and not _may_copy(made.decl)
    return isinstance(given, _DISPLAYS)


def _may_copy(decl: FunctionDecl | ClassDecl) -> bool:
    """Whether a decorator's source may hand on what is set on the function."""
    text = decl.scope.module.file.stretch(decl.line, decl.last_line)
    return any(word in text for word in _COPYING)
