"""Tuples whose items are listed, some of them unpacked from other tuples (PEP 646).

tuple[int, *tuple[str, bool]]   →   TupleOf((int, str, bool))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.rules import types as rules
from ..ir.types import TupleOf, Type, VariadicTupleOf
from ..syntax import expressions as ex
from ..syntax.declarations import Scope
from . import type_table as table
from .variables import unpacked_in, variable_of

if TYPE_CHECKING:
    from .subject import Subject
    from .types import TypeReader


def tuple_of(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    """The type of `tuple[a, b]`; None, reported, if an item has none, or if their number is open between others."""
    items: list[Type] = []
    open_at: list[int] = []
    for argument in expr.arguments:
        inner = unpacked_in(argument, scope, reader.resolver)
        if inner is None:
            item = reader.inside_container(argument, scope, subject)
            if item is None:
                return None
            items.append(item)
            continue
        found = _items(reader, inner, scope, subject)
        if found is None:
            return None
        if isinstance(found, VariadicTupleOf):
            open_at.append(len(items))
        items += (found.item,) if isinstance(found, VariadicTupleOf) else found.items
    if not open_at:
        return TupleOf(tuple(items))
    if len(items) == 1:
        return VariadicTupleOf(items[0])
    message = f"a tuple, in the type of {subject.text}, with any number of items beside others is not covered"
    remedy = "take two parameters, or a list of the open part"
    reader.report(rules.TYPE_NOT_COVERED, expr.pos, scope, subject, message, help=remedy)
    return None


def _items(reader: TypeReader, inner: ex.Expr, scope: Scope, subject: Subject) -> TupleOf | VariadicTupleOf | None:
    """The items that are unpacked; None, reported, if what is unpacked is no tuple."""
    if isinstance(inner, (ex.Name, ex.Attribute)):
        variable = variable_of(reader.resolver.dealias(reader.resolver.resolve(inner, scope)), reader.resolver)
        if variable is not None and variable.kind == "TypeVarTuple":
            known = reader.parametrized.unpacked(inner, scope, subject)
            return VariadicTupleOf(table.ANYTHING) if known is None else TupleOf(known)
    found = reader.inside_container(inner, scope, subject)
    if found is None or isinstance(found, (TupleOf, VariadicTupleOf)):
        return found
    message = f"what is unpacked in a tuple, in the type of {subject.text}, is no tuple"
    reader.report(rules.INVALID_TYPE_ARGUMENTS, inner.pos, scope, subject, message)
    return None
