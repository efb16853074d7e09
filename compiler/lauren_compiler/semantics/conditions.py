"""Conditions that are decided at build time: `TYPE_CHECKING`, versions, platforms, constants.

The answer is True, False, or None where only running code would know. `TYPE_CHECKING` counts as true: what is
imported under it is what annotations mean.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from ..syntax.declarations import Binding, Condition, Scope
from ..syntax.expressions import Attribute, Chain, Compare, Constant, Expr, Name, Slice, Subscript, Tuple, Unary
from .environment import Environment
from .symbols import KnownSymbol, Symbol, ValueSymbol

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


Fact: TypeAlias = str | int | tuple[object, ...] | None
"""What is known at build time of one side of a comparison; None for nothing."""


class Names(Protocol):
    """What conditions ask of name resolution."""

    def resolve(self, expr: Expr, scope: Scope) -> Symbol: ...


class Conditions:
    """Decides tests for one environment."""

    def __init__(self, names: Names, environment: Environment) -> None:
        self._names = names
        self._environment = environment
        self._decided: dict[int, bool | None] = {}

    def reached(self, binding: Binding, scope: Scope) -> bool | None:
        """Whether a binding takes place: False under a test that fails, None under one that can't be decided."""
        answer: bool | None = True
        for guard in binding.guards or ():
            if not isinstance(guard, Condition):
                continue
            held = self._truth_of(guard, scope)
            if held is None:
                answer = None
            elif held is not guard.holds:
                return False
        return answer

    def _truth_of(self, guard: Condition, scope: Scope) -> bool | None:
        key = id(guard.test)
        if key not in self._decided:
            self._decided[key] = None  # a test that depends on itself is not decided
            self._decided[key] = self.truth(guard.test.expr, scope)
        return self._decided[key]

    def truth(self, expr: Expr, scope: Scope) -> bool | None:
        """The truth of a test, None if it can't be known."""
        if isinstance(expr, Constant):
            return bool(expr.value)
        if isinstance(expr, Unary) and expr.op == "not":
            inner = self.truth(expr.operand, scope)
            return None if inner is None else not inner
        if isinstance(expr, Chain) and expr.op in ("and", "or"):
            return self._junction(expr, scope)
        if isinstance(expr, Compare) and expr.op in _COMPARISONS:
            return self._comparison(expr, scope)
        if isinstance(expr, (Name, Attribute)):
            return self._named(expr, scope)
        return None

    def _named(self, expr: Name | Attribute, scope: Scope) -> bool | None:
        """A variable set to a constant once; one called `TYPE_CHECKING` is true, as it is for type checkers."""
        symbol = self._names.resolve(expr, scope)
        if symbol == KnownSymbol("typing.TYPE_CHECKING"):
            return True
        if not isinstance(symbol, ValueSymbol) or not isinstance(symbol.expr, Constant):
            return None
        if symbol.name == "TYPE_CHECKING":
            return True
        once = len(symbol.scope.bindings.get(symbol.name, ())) == 1
        return bool(symbol.expr.value) if once else None

    def _junction(self, expr: Chain, scope: Scope) -> bool | None:
        decisive = expr.op == "or"
        answers = [self.truth(item, scope) for item in expr.items]
        if decisive in answers:
            return decisive
        return None if None in answers else not decisive

    def _comparison(self, expr: Compare, scope: Scope) -> bool | None:
        left, right = self._fact(expr.left, scope), self._fact(expr.right, scope)
        if left is None or right is None or type(left) is not type(right):
            return None
        if isinstance(left, tuple) and isinstance(right, tuple) and self._finer_than_known(left, right):
            return None
        return _COMPARISONS[expr.op](left, right)

    def _finer_than_known(self, left: tuple[object, ...], right: tuple[object, ...]) -> bool:
        """Whether a comparison of versions turns on more than major and minor version."""
        return self._environment.version in (left[:2], right[:2]) and left[:2] == right[:2] and left != right

    def _fact(self, expr: Expr, scope: Scope) -> Fact:
        """The value of a constant, or of a fact about the environment."""
        if isinstance(expr, Constant) and isinstance(expr.value, (str, int)):
            return expr.value
        if isinstance(expr, Tuple):
            items = tuple(self._fact(item, scope) for item in expr.items)
            return None if None in items else items
        if isinstance(expr, Subscript):
            return _part(self._fact(expr.value, scope), expr.index)
        if isinstance(expr, Attribute) and expr.attr in ("major", "minor"):
            whole = self._fact(expr.value, scope)
            return self._environment.version[expr.attr == "minor"] if whole == self._environment.version else None
        if isinstance(expr, Name) and expr.id == "__name__":
            return scope.module.file.module
        if isinstance(expr, (Name, Attribute)):
            facts: dict[str, str | tuple[object, ...]] = {
                "sys.version_info": self._environment.version,
                "sys.platform": self._environment.platform,
                "os.name": "nt" if self._environment.platform == "win32" else "posix",
            }
            symbol = self._names.resolve(expr, scope)
            return facts.get(symbol.name) if isinstance(symbol, KnownSymbol) else None
        return None


def _part(whole: Fact, index: Expr) -> Fact:
    """An item or the first items of a tuple, as far as it is known."""
    if not isinstance(whole, tuple):
        return None
    if isinstance(index, Constant) and isinstance(index.value, int) and 0 <= index.value < len(whole):
        part = whole[index.value]
        return part if isinstance(part, int) else None
    if isinstance(index, Slice) and index.lower is None and isinstance(index.upper, Constant):
        stop: object = index.upper.value
        return whole[:stop] if isinstance(stop, int) and 0 < stop <= len(whole) else None
    return None
