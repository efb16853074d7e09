"""Tuples whose items are listed, some of them unpacked from other tuples (PEP 646).

tuple[int, *tuple[str, bool]]   →   TupleOf((int, str, bool))
tuple[int, *tuple[str, ...]]    →   VariadicTupleOf(str, prefix=(int,))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..diagnostics.rules import types as rules
from ..ir.types import TupleOf, Type, VariadicTupleOf
from ..syntax import expressions as ex
from ..syntax.declarations import Scope
from . import type_table as table
from .symbols import KnownSymbol, ValueSymbol
from .variables import Spread, unpacked_in, variable_of

if TYPE_CHECKING:
    from .subject import Subject
    from .types import TypeReader


def tuple_of(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    """The type of `tuple[a, b]`; None, reported, if an item has none, or if no JSON Schema says what it is."""
    items: list[Type] = []
    rest: tuple[int, Type] | None = None
    unpacked = False
    parts: tuple[Type | Spread, ...] | None
    for argument in expr.arguments:
        inner = unpacked_in(argument, scope, reader.resolver)
        unpacked = unpacked or inner is not None
        if inner is None:
            item = reader.inside_container(argument, scope, subject)
            parts = None if item is None else (item,)
        else:
            parts = unpacked_parts(reader, inner, scope, subject)
        if parts is None:
            return None
        for part in parts:
            if not isinstance(part, Spread):
                items.append(part)
            elif rest is None:
                rest = (len(items), part.item)
            else:
                message = f"a tuple, in the type of {subject.text}, has two parts with any number of items"
                reader.report(rules.INVALID_TYPE_ARGUMENTS, argument.pos, scope, subject, message)
                return None
    if rest is None:
        return TupleOf(tuple(items), unpacked)
    index, item = rest
    if all(each == item for each in items[index:]):
        # Items of that type behind the open part could as well stand before it.
        return VariadicTupleOf(item, tuple(items), True)
    message = f"a tuple, in the type of {subject.text}, has items behind a part with any number of them"
    label = "JSON Schema can't say of what type the last items of an array are"
    remedy = "put the part with any number of items last, or take it as a list of its own"
    reader.report(rules.UNSUPPORTED_TYPE, expr.pos, scope, subject, message, label=label, help=remedy)
    return None


def unpacked_parts(
    reader: TypeReader, inner: ex.Expr, scope: Scope, subject: Subject
) -> tuple[Type | Spread, ...] | None:
    """The items that `*inner` stands for; None, reported, if it is no tuple."""
    if isinstance(inner, (ex.Name, ex.Attribute)):
        variable = variable_of(reader.resolver.dealias(reader.resolver.resolve(inner, scope)), reader.resolver)
        if variable is not None and variable.kind == "TypeVarTuple":
            return reader.parametrized.several(variable, scope, subject)
    found = reader.inside_container(inner, scope, subject)
    if isinstance(found, TupleOf):
        return found.items
    if isinstance(found, VariadicTupleOf):
        return (*found.prefix, Spread(found.item))
    if found is not None:
        message = f"what is unpacked, in the type of {subject.text}, is no tuple"
        reader.report(rules.INVALID_TYPE_ARGUMENTS, inner.pos, scope, subject, message)
    return None


def in_place(arguments: tuple[ex.Expr, ...], scope: Scope, reader: TypeReader) -> tuple[tuple[ex.Expr, Scope], ...]:
    """What stands in brackets, tuples that are unpacked there replaced by what they hold: `X[*tuple[int, str]]` is
    `X[int, str]`. A part with any number of items stays as it is."""
    found: list[tuple[ex.Expr, Scope]] = []
    pending = [(argument, scope) for argument in reversed(arguments)]
    seen: set[int] = set()
    while pending:
        argument, home = pending.pop()
        inside = None if id(argument) in seen else _inside(argument, home, reader)
        if inside is None:
            found.append((argument, home))
        else:
            seen.add(id(argument))
            pending += reversed(inside)
    return tuple(found)


def _inside(argument: ex.Expr, scope: Scope, reader: TypeReader) -> list[tuple[ex.Expr, Scope]] | None:
    """The items of a tuple that is unpacked; None for anything else, and for any number of items."""
    inner = unpacked_in(argument, scope, reader.resolver)
    if isinstance(inner, (ex.Name, ex.Attribute)):
        symbol = reader.resolver.dealias(reader.resolver.resolve(inner, scope))
        inner, scope = (symbol.expr, symbol.scope) if isinstance(symbol, ValueSymbol) else (None, scope)
    if not isinstance(inner, ex.Subscript):
        return None
    owner = reader.resolver.dealias(reader.resolver.resolve(inner.value, scope))
    if not isinstance(owner, KnownSymbol) or owner.name not in table.TUPLES:
        return None
    items = inner.arguments
    is_open = len(items) == 2 and isinstance(items[1], ex.Constant) and items[1].value is ...
    return None if is_open else [(item, scope) for item in items]
