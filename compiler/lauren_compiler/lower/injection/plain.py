"""Whether a name is bound to the function or class that is defined there, whatever decorators stand above it."""

from __future__ import annotations

from ...semantics.resolver import Resolver
from ...semantics.symbols import FunctionSymbol, KnownSymbol, Symbol
from ...syntax.declarations import ClassDecl, FunctionDecl
from ...syntax.expressions import Call, Name

_SAME = frozenset(
    """
    lauren.agent lauren.injectable lauren.module lauren.post_construct lauren.pre_destruct lauren.set_metadata
    lauren.tool lauren.use_hooks lauren.use_tools
    abc.abstractmethod typing.final typing.runtime_checkable typing.override typing.no_type_check typing.overload
    """.split()
)
"""Decorators that give back what they are given."""
MAKING_CLASSES = frozenset(
    """
    dataclasses.dataclass attrs.define attrs.frozen attrs.mutable attrs.s attrs.attrs attrs.attributes
    pydantic.dataclasses.dataclass enum.unique
    """.split()
)
"""Decorators that give a class its constructor, and it, or one with all that it has, under the same name."""
_OF_LIBRARIES = frozenset({"functools:total_ordering"})


def is_plain(decl: FunctionDecl | ClassDecl | object, resolver: Resolver) -> bool:
    """Whether no decorator of a definition puts anything else in its place."""
    assert isinstance(decl, (FunctionDecl, ClassDecl))
    return all(
        _gives_back(_decorator(each.expr, decl, resolver), isinstance(each.expr, Call), resolver)
        for each in decl.decorators
    )


def may_be_marked(decl: FunctionDecl | ClassDecl, resolver: Resolver) -> bool:
    """Whether a decorator, though it gives back what it takes, may do more with it: mark it as a provider or module."""
    symbols = (_decorator(each.expr, decl, resolver) for each in decl.decorators)
    known = (isinstance(symbol, KnownSymbol) and symbol.name in _SAME | MAKING_CLASSES for symbol in symbols)
    return not all(known)


def _decorator(expr: object, decl: FunctionDecl | ClassDecl, resolver: Resolver) -> Symbol:
    target = expr.func if isinstance(expr, Call) else expr
    return resolver.dealias(resolver.resolve(target, decl.scope))  # type: ignore[arg-type]


def _gives_back(symbol: Symbol, is_called: bool, resolver: Resolver) -> bool:
    if isinstance(symbol, KnownSymbol):
        return symbol.name in _SAME or symbol.name in MAKING_CLASSES
    if not isinstance(symbol, FunctionSymbol):
        return _is_bound_mark(symbol, resolver)
    if symbol.decl.key in _OF_LIBRARIES:
        return True
    return _returns_its_inner(symbol.decl, resolver) if is_called else _returns_what_it_takes(symbol.decl)


def _is_bound_mark(symbol: Symbol, resolver: Resolver) -> bool:
    """`per_run = injectable(scope=Scope.REQUEST)`, used as `@per_run`."""
    expr = getattr(symbol, "expr", None)
    if not isinstance(expr, Call):
        return False
    made = resolver.dealias(resolver.resolve(expr.func, symbol.scope))  # type: ignore[union-attr]
    return isinstance(made, KnownSymbol) and made.name in _SAME


def _returns_what_it_takes(decl: FunctionDecl) -> bool:
    """`def register(cls): REGISTRY.append(cls); return cls`"""
    if not decl.parameters or decl.is_async or decl.is_generator or not decl.returned or decl.decorators:
        return False
    first = decl.parameters[0].name
    returned = [each.expr for each in decl.returned]
    untouched = len(decl.body.bindings.get(first, ())) == 1
    return untouched and all(isinstance(each, Name) and each.id == first for each in returned)


def _returns_its_inner(decl: FunctionDecl, resolver: Resolver) -> bool:
    """A function that returns a decorator which it defines."""
    if decl.is_async or decl.is_generator or decl.decorators or not decl.returned:
        return False
    symbols = [resolver.resolve(each.expr, decl.body) for each in decl.returned]
    return all(isinstance(each, FunctionSymbol) and _returns_what_it_takes(each.decl) for each in symbols)
