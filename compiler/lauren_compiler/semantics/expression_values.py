"""The value of each kind of expression, for `Constants`: one function a kind, in a table."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..ir.values import Constant, EnumMember, Mapping, Sequence, Value
from ..syntax import expressions as ex
from ..syntax.declarations import Scope
from .not_constant import NotConstant
from .set_order import is_unordered
from .symbols import ClassSymbol, FunctionSymbol, KnownSymbol

if TYPE_CHECKING:
    from .constants import Constants

_SIGNS: dict[str, Callable[[Any], Any]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
    "not": operator.not_,
}


def _constant(constants: Constants, expr: ex.Constant, scope: Scope) -> Value | NotConstant:
    if expr.value is None or isinstance(expr.value, (bool, int, float, str, bytes)):
        return Constant(expr.value)
    return NotConstant(f"it is `{expr.value!r}`" if expr.value is not ... else "it is `...`", expr.pos)


def _given(constants: Constants, expr: ex.Given, scope: Scope) -> Value | NotConstant:
    return expr.value


def _name(constants: Constants, expr: ex.Name, scope: Scope) -> Value | NotConstant:
    if expr.id in ("__name__", "__doc__"):
        return _of_module(expr, scope)
    return constants.symbol_value(constants.resolver.resolve(expr, scope), expr)


def _of_module(expr: ex.Name, scope: Scope) -> Value | NotConstant:
    """`__name__` and `__doc__` of the module that is read."""
    if expr.id == "__name__":
        return Constant(scope.module.file.module)
    if scope.kind == "class":
        return NotConstant("it is the docstring of a class", expr.pos)
    return Constant(scope.module.docstring)


def _attribute(constants: Constants, expr: ex.Attribute, scope: Scope) -> Value | NotConstant:
    if expr.attr in ("value", "name"):
        owner = constants.evaluate(expr.value, scope)
        if isinstance(owner, EnumMember):
            return owner.value if expr.attr == "value" else Constant(owner.name)
    member = constants.member_of(expr.value, expr.attr, scope)
    if member is not None:
        return member
    if expr.attr == "__members__" and (members := constants.members_by_name(expr.value, scope)) is not None:
        return members
    resolver = constants.resolver
    if expr.attr == "__name__":
        named = resolver.dealias(resolver.resolve(expr.value, scope))
        if isinstance(named, (ClassSymbol, FunctionSymbol)) and not named.decl.decorators:
            return Constant(named.decl.name)
    if expr.attr == "utc" and resolver.dealias(resolver.resolve(expr.value, scope)) == KnownSymbol("datetime.timezone"):
        from .format_values import UTC

        return UTC
    return constants.symbol_value(constants.resolver.resolve(expr, scope), expr)


def _sequence(
    constants: Constants, expr: ex.Tuple | ex.ListDisplay | ex.SetDisplay, scope: Scope
) -> Value | NotConstant:
    items: list[Value] = []
    for item in expr.items:
        value = constants.evaluate(item.value if isinstance(item, ex.Starred) else item, scope)
        if isinstance(value, NotConstant):
            return value
        if not isinstance(item, ex.Starred):
            items.append(value)
        elif isinstance(value, Sequence) and (isinstance(expr, ex.SetDisplay) or not is_unordered(value)):
            items += value.items
        else:
            return NotConstant("it unpacks something whose order can't be known", item.pos)
    kind = {ex.Tuple: "tuple", ex.ListDisplay: "list", ex.SetDisplay: "set"}[type(expr)]
    return Sequence(kind, tuple(items))


def _mapping(constants: Constants, expr: ex.DictDisplay, scope: Scope) -> Value | NotConstant:
    pairs: list[tuple[Value, Value]] = []
    for key, value in expr.items:
        if key is None:
            other = constants.evaluate(value, scope)
            if not isinstance(other, Mapping):
                return other if isinstance(other, NotConstant) else NotConstant("it unpacks no dict", value.pos)
            pairs += other.items
            continue
        both = constants.all((key, value), scope)
        if isinstance(both, NotConstant):
            return both
        pairs.append((both[0], both[1]))
    return Mapping(tuple(pairs))


def _item(constants: Constants, expr: ex.Subscript, scope: Scope) -> Value | NotConstant:
    """`Size["L"]` of an enum, `LIMITS["max"]`, `NAMES[0]` and `TEXT[1:3]` of constants."""
    from . import operations

    if isinstance(expr.index, ex.Slice):
        return _slice(constants, expr.value, expr.index, scope)
    index = constants.evaluate(expr.index, scope)
    if isinstance(index, Constant) and isinstance(index.value, str):
        member = constants.member_of(expr.value, index.value, scope)
        if member is not None:
            return member
    whole = constants.evaluate(expr.value, scope)
    for part in (index, whole):
        if isinstance(part, NotConstant):
            return NotConstant("it is an item of something known only at run time", expr.pos, part.unresolved)
    assert not isinstance(index, NotConstant)
    assert not isinstance(whole, NotConstant)
    return or_why(operations.item(whole, index), expr)


def _slice(constants: Constants, owner: ex.Expr, bounds: ex.Slice, scope: Scope) -> Value | NotConstant:
    from . import operations

    whole = constants.evaluate(owner, scope)
    if isinstance(whole, NotConstant):
        return whole
    ends: list[int | None] = []
    for bound in (bounds.lower, bounds.upper):
        end = constants.evaluate(bound, scope) if bound is not None else Constant(None)
        if not isinstance(end, Constant) or not (end.value is None or isinstance(end.value, int)):
            return NotConstant("it is a slice that can't be known", bounds.pos)
        ends.append(end.value)
    return or_why(operations.section(whole, ends[0], ends[1]), bounds)


def _unary(constants: Constants, expr: ex.Unary, scope: Scope) -> Value | NotConstant:
    from . import operations

    operand = constants.evaluate(expr.operand, scope)
    if isinstance(operand, NotConstant):
        return operand
    if expr.op == "not" and (truth := operations.truth(operand)) is not None:
        return Constant(not truth)
    if isinstance(operand, Constant) and isinstance(operand.value, (int, float)):
        try:
            return Constant(_SIGNS[expr.op](operand.value))
        except TypeError:
            return NotConstant("it is an operation that fails", expr.pos)
    return NotConstant("it is an operation", expr.pos)


def _chain(constants: Constants, expr: ex.Chain, scope: Scope) -> Value | NotConstant:
    from . import operations

    if expr.op in ("and", "or"):
        return _junction(constants, expr, scope)
    values = constants.all(expr.items, scope)
    if isinstance(values, NotConstant):
        return values
    return or_why(operations.operation(expr.op, values), expr)


def _junction(constants: Constants, expr: ex.Chain, scope: Scope) -> Value | NotConstant:
    """`a or b`: the first that decides, else the last."""
    from . import operations

    value: Value | NotConstant = NotConstant("it is an operation", expr.pos)
    for item in expr.items:
        value = constants.evaluate(item, scope)
        if isinstance(value, NotConstant):
            return value
        truth = operations.truth(value)
        if truth is None:
            return NotConstant("it is an operation", expr.pos)
        if truth is (expr.op == "or"):
            return value
    return value


def _compare(constants: Constants, expr: ex.Compare, scope: Scope) -> Value | NotConstant:
    truth = constants.truth(expr, scope)
    return NotConstant("it is a comparison", expr.pos) if truth is None else Constant(truth)


def or_why(found: Value | str, expr: ex.Expr) -> Value | NotConstant:
    return NotConstant(found, expr.pos) if isinstance(found, str) else found


def _interpolation(constants: Constants, expr: ex.Interpolation, scope: Scope) -> Value | NotConstant:
    from . import operations

    value = constants.evaluate(expr.value, scope)
    shown = None if isinstance(value, NotConstant) else operations.formatted(value, expr.conversion, expr.spec)
    return NotConstant("it is known only at run time", expr.pos) if shown is None else Constant(shown)


def _formatted(constants: Constants, expr: ex.FormattedString, scope: Scope) -> Value | NotConstant:
    from .operations import MAX_TEXT

    text: list[str] = []
    for part in expr.parts:
        if isinstance(part, str):
            text.append(part)
            continue
        value = constants.evaluate(part, scope) if part is not None else None
        if not isinstance(value, Constant) or not isinstance(value.value, str):
            return NotConstant("it is an f-string with parts known only at run time", expr.pos)
        text.append(value.value)
    joined = "".join(text)
    return Constant(joined) if len(joined) <= MAX_TEXT else NotConstant("it is too large", expr.pos)


def _conditional(constants: Constants, expr: ex.Conditional, scope: Scope) -> Value | NotConstant:
    truth = constants.truth(expr.test, scope)
    if truth is None:
        return NotConstant("it depends on a condition", expr.pos)
    return constants.evaluate(expr.body if truth else expr.orelse, scope)


def _comprehension(constants: Constants, expr: ex.Comprehension, scope: Scope) -> Value | NotConstant:
    if expr.kind == "generator":
        return NotConstant("it is a generator expression", expr.pos)
    from .iteration import comprehended

    return comprehended(constants, expr, scope)


def _call(constants: Constants, expr: ex.Call, scope: Scope) -> Value | NotConstant:
    return constants.call(expr, scope)


HANDLERS: dict[type[ex.Expr], Callable[[Constants, Any, Scope], Value | NotConstant]] = {
    ex.Constant: _constant,
    ex.Given: _given,
    ex.Name: _name,
    ex.Attribute: _attribute,
    ex.Tuple: _sequence,
    ex.ListDisplay: _sequence,
    ex.SetDisplay: _sequence,
    ex.DictDisplay: _mapping,
    ex.Subscript: _item,
    ex.Unary: _unary,
    ex.Compare: _compare,
    ex.Chain: _chain,
    ex.FormattedString: _formatted,
    ex.Interpolation: _interpolation,
    ex.Conditional: _conditional,
    ex.Call: _call,
    ex.Comprehension: _comprehension,
}
