"""What the converter of an attrs attribute takes: that is what a model has to send.

Source: attrs' chapter on initialization: the annotation of a converter's first parameter is that of `__init__`'s.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.rules import types as rules
from ...ir.types import Type
from ...syntax.declarations import FunctionDecl, Scope
from ...syntax.expressions import Call, Expr, ListDisplay, Tuple
from ..subject import Subject
from ..symbols import ClassSymbol, FunctionSymbol, KnownSymbol, Symbol
from ..type_table import BARE, NULL

if TYPE_CHECKING:
    from ..types import TypeReader

_SAME = frozenset({"attrs.converters.to_bool"})
_OPTIONAL = frozenset({"attrs.converters.optional", "attrs.converters.default_if_none"})
_FIRST = frozenset({"attrs.converters.pipe", "attrs.Converter"})


def converter_input(
    types: TypeReader, expr: Expr, scope: Scope, declared: Type | None, subject: Subject
) -> Type | None:
    """The type of what a converter takes; None, reported, if the source does not say.

    `declared` is the attribute's own type, None if it has none. A converter that is a type of Python's takes what is
    of that type already, and so the declared type.
    """
    target: Expr = expr
    nullable = False
    while True:
        symbol = _symbol(types, target.func if isinstance(target, Call) else target, scope)
        name = symbol.name if isinstance(symbol, KnownSymbol) else ""
        if isinstance(target, (ListDisplay, Tuple)) and target.items:
            target = target.items[0]
        elif isinstance(target, Call) and name in _FIRST and target.args:
            target = target.args[0]
        elif isinstance(target, Call) and name == "attrs.converters.optional" and target.args:
            nullable, target = True, target.args[0]
        elif isinstance(target, Call) and name in _OPTIONAL and declared is not None:
            return types.union((declared, NULL))
        else:
            break
    taken = _taken(types, symbol if not isinstance(target, Call) else None, declared, subject)
    if taken is None:
        message = f"what the converter of {subject.text} takes can't be known from the source"
        remedy = "annotate the converter's parameter"
        types.report(rules.INVALID_CLASS, target.pos, scope, subject, message, help=remedy)
        return None
    return types.union((taken, NULL)) if nullable else taken


def _symbol(types: TypeReader, expr: Expr, scope: Scope) -> Symbol:
    return types.resolver.dealias(types.resolver.resolve(expr, scope))


def _taken(types: TypeReader, symbol: Symbol | None, declared: Type | None, subject: Subject) -> Type | None:
    if isinstance(symbol, KnownSymbol) and (symbol.name in BARE or symbol.name in _SAME):
        return declared or BARE.get(symbol.name)
    if isinstance(symbol, ClassSymbol):
        if types.classes.is_enum(symbol.decl):
            return declared
        makers = symbol.decl.body.bindings.get("__init__", ())
        decls = [getattr(binding, "decl", None) for binding in makers]
        return _parameter(types, decls[0], 1, subject) if len(decls) == 1 else None
    return _parameter(types, symbol.decl, 0, subject) if isinstance(symbol, FunctionSymbol) else None


def _parameter(types: TypeReader, decl: object, index: int, subject: Subject) -> Type | None:
    """The type of a function's parameter."""
    if not isinstance(decl, FunctionDecl) or decl.is_async or len(decl.parameters) <= index:
        return None
    if decl.scope.kind == "class" and index == 0 and not decl.decorators:
        return None
    annotation = decl.parameters[index].annotation
    return types.argument(annotation.expr, decl.signature_scope, subject) if annotation is not None else None
