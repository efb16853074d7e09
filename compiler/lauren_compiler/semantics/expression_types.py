"""The type of each kind of expression that may stand in an annotation, for `TypeReader`: one function a kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..ir.types import Type
from ..syntax import expressions as ex
from ..syntax.declarations import Scope
from . import type_table as table
from .generics import subscripted
from .symbols import KnownSymbol

if TYPE_CHECKING:
    from .subject import Subject
    from .types import TypeReader


def _constant(reader: TypeReader, expr: ex.Constant, scope: Scope, subject: Subject) -> Type | None:
    if expr.value is None:
        return table.NULL
    if isinstance(expr.value, str):
        inner = reader.unquoted(expr, scope, subject)
        return None if inner is None else reader.argument(inner, scope, subject)
    return reader.not_a_type(
        expr, scope, subject, f"a constant, `{expr.value!r}`" if expr.value is not ... else "`...`"
    )


def _call(reader: TypeReader, expr: ex.Call, scope: Scope, subject: Subject) -> Type | None:
    """`conint(ge=1)` and the like: a type of pydantic's that a call makes; and `type(None)`."""
    symbol = reader.resolver.dealias(reader.resolver.resolve(expr.func, scope))
    only = expr.args[0] if len(expr.args) == 1 and not expr.keywords else None
    if symbol == KnownSymbol("builtins.type") and isinstance(only, ex.Constant) and only.value is None:
        return table.NULL
    if isinstance(symbol, KnownSymbol) and symbol.name.startswith("pydantic."):
        from .pydantic_forms import CALLED, called

        if symbol.name in CALLED:
            return called(reader, symbol.name, expr, scope, subject)
    return reader.not_a_type(expr, scope, subject, "a call")


def _name(reader: TypeReader, expr: ex.Name | ex.Attribute, scope: Scope, subject: Subject) -> Type | None:
    return reader.symbol_type(reader.resolver.resolve(expr, scope), expr, scope, subject)


def _chain(reader: TypeReader, expr: ex.Chain, scope: Scope, subject: Subject) -> Type | None:
    if expr.op != "|":
        return reader.not_a_type(expr, scope, subject, "an operation")
    return reader.members(expr.items, expr.pos, scope, subject)


def _conditional(reader: TypeReader, expr: ex.Conditional, scope: Scope, subject: Subject) -> Type | None:
    """`A if sys.version_info >= (3, 12) else B`, where that can be decided."""
    truth = reader.resolver.conditions.truth(expr.test, scope)
    if truth is None:
        return reader.not_a_type(expr, scope, subject, "a choice that can't be decided")
    return reader.argument(expr.body if truth else expr.orelse, scope, subject)


DISPLAYS: dict[type[ex.Expr], str] = {
    ex.ListDisplay: "a list",
    ex.SetDisplay: "a set",
    ex.DictDisplay: "a dict",
    ex.Tuple: "a tuple",
}

HANDLERS: dict[type[ex.Expr], Callable[[TypeReader, Any, Scope, Subject], Type | None]] = {
    ex.Constant: _constant,
    ex.Name: _name,
    ex.Attribute: _name,
    ex.Call: _call,
    ex.Chain: _chain,
    ex.Conditional: _conditional,
    ex.Subscript: subscripted,
}
