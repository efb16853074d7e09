"""What pydantic takes and leaves out of the schema: `SkipJsonSchema[...]`.

A model can't know of it, so nothing of it is taken here: a member of a union is none, a field keeps its default.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..syntax import expressions as ex
from ..syntax.annotations import parse_annotation
from ..syntax.declarations import Scope
from .symbols import KnownSymbol

if TYPE_CHECKING:
    from .resolver import Resolver

_SKIPPED = KnownSymbol("pydantic.json_schema.SkipJsonSchema")
_ANNOTATED = KnownSymbol("typing.Annotated")
_UNIONS = (KnownSymbol("typing.Union"), KnownSymbol("typing.Optional"))


def skipped(expr: ex.Expr, scope: Scope, resolver: Resolver) -> ex.Expr | None:
    """The type that is left out, None if the expression is another one."""
    expr = _unquoted(expr, scope)
    if not isinstance(expr, ex.Subscript):
        return None
    owner = resolver.dealias(resolver.resolve(expr.value, scope))
    if owner == _SKIPPED:
        return expr.index
    if owner != _ANNOTATED or not isinstance(expr.index, ex.Tuple):
        return None
    marks = (item for item in expr.arguments[1:] if isinstance(item, ex.Call))
    found = any(resolver.dealias(resolver.resolve(mark.func, scope)) == _SKIPPED for mark in marks)
    return expr.arguments[0] if found else None


def hides_null(expr: ex.Expr, scope: Scope, resolver: Resolver) -> bool:
    """Whether null is a member of a union that is left out: `int | SkipJsonSchema[None]`."""
    inner = (skipped(member, scope, resolver) for member in _members(_unquoted(expr, scope), scope, resolver))
    return any(isinstance(each, ex.Constant) and each.value is None for each in inner)


def _members(expr: ex.Expr, scope: Scope, resolver: Resolver) -> Iterator[ex.Expr]:
    if isinstance(expr, ex.Chain):
        yield from expr.items
    elif isinstance(expr, ex.Subscript):
        owner = resolver.dealias(resolver.resolve(expr.value, scope))
        if owner in _UNIONS:
            yield from expr.arguments
        elif owner == _ANNOTATED:
            yield from _members(_unquoted(expr.arguments[0], scope), scope, resolver)


def _unquoted(expr: ex.Expr, scope: Scope) -> ex.Expr:
    if isinstance(expr, ex.Constant) and isinstance(expr.value, str):
        return parse_annotation(expr, scope.module.file) or expr
    return expr
