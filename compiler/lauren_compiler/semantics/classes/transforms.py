"""Classes whose fields another library makes: what `dataclass_transform` marks.

Source: the typing specification, "Dataclass transforms": it tells type checkers that there is a constructor, and
nothing of what is done with the values.
"""

from __future__ import annotations

from ...syntax.declarations import ClassDecl, FunctionDecl
from ...syntax.expressions import Call
from ..resolver import Resolver
from ..symbols import ClassSymbol, FunctionSymbol, KnownSymbol, Symbol
from .kinds import Ancestry

_MARK = KnownSymbol("typing.dataclass_transform")


def transformer(found: Ancestry, resolver: Resolver) -> str | None:
    """What makes the fields of a class: a decorator, a base or a metaclass that is so marked; None if nothing is."""
    for owner in found.classes:
        for decorator in owner.decorators:
            expr = decorator.expr
            symbol = resolver.dealias(resolver.resolve(expr.func if isinstance(expr, Call) else expr, owner.scope))
            if _is_marked(symbol, resolver):
                return f"the decorator `{_name(symbol)}`"
        if owner is not found.classes[0] and _is_marked(ClassSymbol(owner), resolver):
            return f"the base `{owner.name}`"
        word = owner.keywords.get("metaclass")
        if word is not None:
            symbol = resolver.dealias(resolver.resolve(word.expr, owner.scope))
            if _is_marked(symbol, resolver):
                return f"the metaclass `{_name(symbol)}`"
    return None


def _is_marked(symbol: Symbol, resolver: Resolver) -> bool:
    decl: ClassDecl | FunctionDecl | None = symbol.decl if isinstance(symbol, (ClassSymbol, FunctionSymbol)) else None
    for decorator in decl.decorators if decl is not None else ():
        expr = decorator.expr
        if isinstance(expr, Call) and decl is not None:
            if resolver.dealias(resolver.resolve(expr.func, decl.scope)) == _MARK:
                return True
    return False


def _name(symbol: Symbol) -> str:
    return symbol.decl.name if isinstance(symbol, (ClassSymbol, FunctionSymbol)) else ""
