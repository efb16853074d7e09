"""What functions of the sources give for a constant argument: its name stands for the value meanwhile.

    def camel(name: str) -> str:
        first, *rest = name.split("_")
        return first + "".join(word.title() for word in rest)       called with "some_name"  →  "someName"

Followed are bodies that only assign, choose and return. Nothing is run but the operators, methods and functions that
`operations.py` knows of constants.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..ir.values import Constant, Mapping, Sequence, Value
from ..syntax import expressions as ex
from ..syntax.declarations import Assignment, FunctionDecl, Lazy, Scope
from ..syntax.plain import Assign, Choose, Statement
from . import operations
from .not_constant import NotConstant
from .set_order import is_unordered
from .symbols import FunctionSymbol, KnownSymbol, Symbol, ValueSymbol

if TYPE_CHECKING:
    from .constants import Constants


def applied(function: ex.Expr, value: Value, scope: Scope, constants: Constants) -> Value | NotConstant:
    """What the function that an expression names gives for one constant argument."""
    if isinstance(function, ex.Lambda):
        return called_lambda(function, value, scope, constants)
    symbol = constants.resolver.dealias(constants.resolver.resolve(function, scope))
    if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, ex.Lambda):
        return called_lambda(symbol.expr, value, symbol.scope, constants)
    if isinstance(function, ex.Attribute) and not isinstance(symbol, (FunctionSymbol, KnownSymbol)):
        return called_method(function, value, scope, constants)
    return called(symbol, value, function, constants)


def called(symbol: Symbol, value: Value, pos: ex.Expr, constants: Constants) -> Value | NotConstant:
    """What a function gives for one constant argument."""
    if isinstance(symbol, FunctionSymbol):
        with constants.following() as close:
            if close:
                return _function(symbol.decl, value, pos, constants)
        return NotConstant("it calls itself", pos.pos)
    if isinstance(symbol, KnownSymbol):
        from .built import built

        made = operations.function(symbol.name, (value,), {}) or built(symbol.name, (value,), ())
        return NotConstant(made, pos.pos) if isinstance(made, str) else made
    return NotConstant("it calls something known only at run time", pos.pos)


def called_lambda(function: ex.Lambda, value: Value, scope: Scope, constants: Constants) -> Value | NotConstant:
    """What a lambda gives for one constant argument."""
    if len(function.names) != 1 or function.needed:
        return NotConstant("it is a lambda that takes other arguments", function.pos)
    return constants.evaluate(function.body, _with(scope, {function.names[0]: value}))


def called_method(method: ex.Attribute, value: Value, scope: Scope, constants: Constants) -> Value | NotConstant:
    """What `str.upper` and the like give for a text."""
    owner = constants.resolver.dealias(constants.resolver.resolve(method.value, scope))
    if owner == KnownSymbol("builtins.str") and isinstance(value, Constant) and isinstance(value.value, str):
        made = operations.method(value, method.attr, (), {})
        return NotConstant(made, method.pos) if isinstance(made, str) else made
    return NotConstant("it calls something known only at run time", method.pos)


def _function(decl: FunctionDecl, value: Value, call: ex.Expr, constants: Constants) -> Value | NotConstant:
    if decl.decorators:
        return NotConstant(f"what `{decl.name}` does is more than assign, choose and return", call.pos)
    return called_with(decl, (value,), call, constants)


def called_with(
    decl: FunctionDecl, values: tuple[Value, ...], call: ex.Expr, constants: Constants
) -> Value | NotConstant:
    """What a function gives for constant arguments, whatever decorates it."""
    inside = with_arguments(decl, values, call, constants)
    if isinstance(inside, NotConstant):
        return inside
    found = _run(decl.plain_body or (), inside, constants)
    return Constant(None) if isinstance(found, Scope) else found


def with_arguments(
    decl: FunctionDecl, values: tuple[Value, ...], call: ex.Expr, constants: Constants
) -> Scope | NotConstant:
    """A scope in which the parameters of a function stand for constant arguments, or for their defaults."""
    names = [each.name for each in decl.parameters if each.kind in ("positional_only", "positional_or_keyword")]
    needed = [each.name for each in decl.parameters if each.default is None and not each.kind.startswith("var_")]
    given = dict(zip(names, values, strict=False))
    if decl.is_async or decl.plain_body is None:
        return NotConstant(f"what `{decl.name}` does is more than assign, choose and return", call.pos)
    if len(given) < len(values) or not given.keys() >= set(needed):
        return NotConstant(f"how `{decl.name}` takes these arguments is not followed", call.pos)
    for parameter in decl.parameters:
        if parameter.name not in given and parameter.default is not None:
            default = constants.evaluate(parameter.default.expr, decl.signature_scope)
            if isinstance(default, NotConstant):
                return default
            given[parameter.name] = default
    return _with(decl.signature_scope, given)


def _run(body: tuple[Statement, ...], scope: Scope, constants: Constants) -> Value | NotConstant | Scope:
    """What the statements return; the scope as they leave it if they return nothing."""
    for statement in body:
        if isinstance(statement, Assign):
            value = constants.evaluate(statement.value.expr, scope)
            inside = value if isinstance(value, NotConstant) else bind(statement.target.expr, value, scope)
            if isinstance(inside, NotConstant):
                return inside
            scope = inside
        elif isinstance(statement, Choose):
            truth = constants.truth(statement.test.expr, scope)
            if truth is None:
                return NotConstant("it depends on a condition", statement.test.pos)
            found = _run(statement.body if truth else statement.orelse, scope, constants)
            if not isinstance(found, Scope):
                return found
            scope = found
        else:
            return constants.evaluate(statement.value.expr, scope)
    return scope


def bind(target: ex.Expr, value: Value, scope: Scope) -> Scope | NotConstant:
    """A scope inside `scope` in which the names of a target stand for the value, or for its parts."""
    names: dict[str, Value] = {}
    pending = [(target, value)]
    while pending:
        part, given = pending.pop()
        if isinstance(part, ex.Name):
            names[part.id] = given
            continue
        parts = _unpacked(part, given) if isinstance(part, (ex.Tuple, ex.ListDisplay)) else None
        if parts is None:
            return NotConstant("it is an assignment that can't be known", part.pos)
        pending += parts
    return _with(scope, names)


def _unpacked(target: ex.Tuple | ex.ListDisplay, value: Value) -> list[tuple[ex.Expr, Value]] | None:
    """Each part of a target with what it is given; None if they do not fit."""
    items = in_order(value)
    starred = [index for index, part in enumerate(target.items) if isinstance(part, ex.Starred)]
    more = None if items is None else len(items) - len(target.items)
    if items is None or more is None or len(starred) > 1 or (more != 0 and not starred) or more < -1:
        return None
    if not starred:
        return list(zip(target.items, items, strict=True))
    first = starred[0]
    end = first + more + 1
    middle = Sequence("list", items[first:end])
    part = target.items[first]
    assert isinstance(part, ex.Starred)
    before = zip(target.items[:first], items[:first], strict=True)
    after = zip(target.items[first + 1 :], items[end:], strict=True)
    return [*before, (part.value, middle), *after]


def _with(scope: Scope, names: dict[str, Value]) -> Scope:
    """A scope inside `scope` in which these names stand for the values."""
    inside = Scope("function", scope.qualname, scope, scope.module)
    for name, value in names.items():
        shown = (
            Lazy.display(operations.plain(value)) if _has_literal(value) else Lazy.known(ex.Given((1, 0, 1, 0), value))
        )
        inside.add(Assignment(name, shown.pos, (0, 0), None, shown, None))
    return inside


def _has_literal(value: Value) -> bool:
    """Whether `repr` shows a constant as an expression for it: of a member it shows the value."""
    if isinstance(value, Sequence):
        return all(map(_has_literal, value.items))
    if isinstance(value, Mapping):
        return all(_has_literal(part) for pair in value.items for part in pair)
    return isinstance(value, Constant) and not (isinstance(value.value, float) and not math.isfinite(value.value))


def in_order(value: Value) -> tuple[Value, ...] | None:
    """The items of a constant in the order that Python gives them; None for a set of several, and for what has none."""
    if isinstance(value, Sequence):
        return None if is_unordered(value) else value.items
    if isinstance(value, Mapping):
        return tuple(key for key, _ in value.items)
    if isinstance(value, Constant) and isinstance(value.value, str):
        return tuple(map(Constant, value.value))
    return None
