"""Loops that stand in expressions: comprehensions, and what they go through.

", ".join(f"{index}: {word}" for index, word in enumerate(WORDS))   →   "0: red, 1: green"
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from ..ir.values import Constant, Mapping, Sequence, Value
from ..syntax import expressions as ex
from ..syntax.declarations import Scope
from . import set_order
from .functions import applied, bind, in_order
from .not_constant import NotConstant
from .symbols import KnownSymbol

if TYPE_CHECKING:
    from .constants import Constants
    from .resolver import Resolver

_Items = tuple[Value, ...]
_MOST_COUNTED = 10_000


def comprehended(constants: Constants, expr: ex.Comprehension, scope: Scope) -> Value | NotConstant:
    """The value of a comprehension; of a generator expression, a list of what it gives."""
    source = iterated(constants, expr.source, scope)
    if isinstance(source, NotConstant):
        return source
    found: list[Value] = []
    for item in source:
        inside = bind(expr.target, item, scope)
        if isinstance(inside, NotConstant):
            return inside
        truths = [constants.truth(test, inside) for test in expr.tests]
        if None in truths:
            return NotConstant("it depends on a condition", expr.pos)
        if not all(truths):
            continue
        value = constants.evaluate(expr.element, inside)
        if isinstance(value, NotConstant):
            return value
        found.append(value)
    if expr.kind == "dict":
        pairs = [(item.items[0], item.items[1]) for item in found if isinstance(item, Sequence)]
        return Mapping(tuple(pairs))
    return Sequence("set" if expr.kind == "set" else "list", tuple(found))


def iterated(constants: Constants, expr: ex.Expr, scope: Scope) -> _Items | NotConstant:
    """What a loop over an expression goes through, in order."""
    reader = _reader(expr, scope, constants.resolver)
    if reader is not None and isinstance(expr, ex.Call):
        items = reader(constants, expr, scope)
    elif (members := constants.members_in_order(expr, scope)) is not None:
        items = members
    else:
        if isinstance(expr, ex.Comprehension):
            value = comprehended(constants, expr, scope)
        else:
            value = constants.evaluate(expr, scope)
        found = None if isinstance(value, NotConstant) else in_order(value)
        if isinstance(value, NotConstant):
            items = value
        elif found is None:
            why = set_order.WHY if set_order.is_unordered(value) else "it goes through something that can't be known"
            items = NotConstant(why, expr.pos)
        else:
            items = found
    if isinstance(items, NotConstant) or constants.affords(len(items)):
        return items
    return NotConstant("it is too large", expr.pos)


def is_gone_through(constants: Constants, expr: ex.Expr, scope: Scope) -> bool:
    """Whether an expression can be gone through, and is no constant by itself: a generator, `range(3)`, an enum."""
    if isinstance(expr, ex.Comprehension) and expr.kind == "generator":
        return True
    return _reader(expr, scope, constants.resolver) is not None or constants.members_in_order(expr, scope) is not None


def _reader(expr: ex.Expr, scope: Scope, resolver: Resolver) -> _Reader | None:
    if not isinstance(expr, ex.Call):
        return None
    if isinstance(expr.func, ex.Attribute) and expr.func.attr in _VIEWS and not expr.args and not expr.keywords:
        return _view
    owner = resolver.dealias(resolver.resolve(expr.func, scope))
    if not isinstance(owner, KnownSymbol) or any(word.name != _WORDS.get(owner.name, "") for word in expr.keywords):
        return None
    return _ITERATORS.get(owner.name)


def _all(constants: Constants, call: ex.Call, scope: Scope) -> list[_Items] | NotConstant:
    found: list[_Items] = []
    for argument in call.args:
        items = iterated(constants, argument, scope)
        if isinstance(items, NotConstant):
            return items
        found.append(items)
    return found


def _view(constants: Constants, call: ex.Call, scope: Scope) -> _Items | NotConstant:
    """`items()` and its like of a dict."""
    assert isinstance(call.func, ex.Attribute)
    owner = constants.evaluate(call.func.value, scope)
    if isinstance(owner, NotConstant):
        return owner
    if not isinstance(owner, Mapping):
        return NotConstant("it is a call", call.pos)
    return tuple(map(_VIEWS[call.func.attr], owner.items))


def _zip(constants: Constants, call: ex.Call, scope: Scope) -> _Items | NotConstant:
    each = _all(constants, call, scope)
    if isinstance(each, NotConstant):
        return each
    strict = call.keyword("strict")
    if strict is not None and constants.truth(strict, scope) is not False and len(set(map(len, each))) > 1:
        return NotConstant("it is a call that fails", call.pos)
    return tuple(Sequence("tuple", row) for row in zip(*each, strict=False))


def _enumerate(constants: Constants, call: ex.Call, scope: Scope) -> _Items | NotConstant:
    items = iterated(constants, call.args[0], scope) if call.args else NotConstant("it is a call", call.pos)
    given = call.args[1] if len(call.args) == 2 else call.keyword("start")
    start = constants.evaluate(given, scope) if given is not None else Constant(0)
    for part in (items, start):
        if isinstance(part, NotConstant):
            return part
    if not isinstance(start, Constant) or not isinstance(start.value, int) or len(call.args) + len(call.keywords) > 2:
        return NotConstant("it is a call", call.pos)
    assert not isinstance(items, NotConstant)
    return tuple(Sequence("tuple", (Constant(start.value + index), item)) for index, item in enumerate(items))


def _reversed(constants: Constants, call: ex.Call, scope: Scope) -> _Items | NotConstant:
    items = iterated(constants, call.args[0], scope) if len(call.args) == 1 else NotConstant("it is a call", call.pos)
    return items if isinstance(items, NotConstant) else items[::-1]


def _range(constants: Constants, call: ex.Call, scope: Scope) -> _Items | NotConstant:
    values = constants.all(call.args, scope)
    if isinstance(values, NotConstant):
        return values
    numbers = [each.value for each in values if isinstance(each, Constant) and isinstance(each.value, int)]
    if len(numbers) < len(values) or not 1 <= len(numbers) <= 3 or numbers[2:] == [0]:
        return NotConstant("it is a call that fails", call.pos)
    if max(map(abs, numbers)) > _MOST_COUNTED:
        return NotConstant("it is too large", call.pos)
    return tuple(map(Constant, range(*numbers)))


def _map(constants: Constants, call: ex.Call, scope: Scope) -> _Items | NotConstant:
    if len(call.args) != 2:
        return NotConstant("it is a call", call.pos)
    function, source = call.args
    items = iterated(constants, source, scope)
    if isinstance(items, NotConstant):
        return items
    found: list[Value] = []
    for item in items:
        made = applied(function, item, scope, constants)
        if isinstance(made, NotConstant):
            return made
        found.append(made)
    return tuple(found)


_VIEWS: dict[str, Callable[[tuple[Value, Value]], Value]] = {
    "items": lambda pair: Sequence("tuple", pair),
    "keys": lambda pair: pair[0],
    "values": lambda pair: pair[1],
}
_Reader: TypeAlias = "Callable[[Constants, ex.Call, Scope], _Items | NotConstant]"
_ITERATORS: dict[str, _Reader] = {
    "builtins.enumerate": _enumerate,
    "builtins.map": _map,
    "builtins.range": _range,
    "builtins.reversed": _reversed,
    "builtins.zip": _zip,
}
"""What gives something to go through, by known name."""
_WORDS = {"builtins.enumerate": "start", "builtins.zip": "strict"}
"""The keywords that they take."""
CONSUMERS = frozenset(f"builtins.{name}" for name in "all any dict frozenset list max min set sorted sum tuple".split())
"""Builtins that go through their only argument, and keep nothing of what it was."""
