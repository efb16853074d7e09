"""Conditions that are decided at build time: `TYPE_CHECKING`, versions, platforms, constants.

The answer is True, False, or None where only running code would know. `TYPE_CHECKING` counts as true: what is
imported under it is what annotations mean.
"""

from __future__ import annotations

from ..syntax.declarations import Condition, Guards, Lazy, Scope
from ..syntax.expressions import Attribute, Chain, Compare, Constant, Expr, Name, Unary
from .environment import Environment
from .facts import Facts, Names, Unknown
from .symbols import KnownSymbol, ValueSymbol


class Conditions:
    """Decides tests for one environment."""

    def __init__(self, names: Names, environment: Environment, *, type_checking: bool = True) -> None:
        self._names = names
        self._type_checking = type_checking
        self._facts = Facts(names, environment)
        self._open: set[int] = set()
        self._decided: dict[Lazy, bool | None] = {}
        self._reached: dict[Guards, bool | None] = {}
        self.deciding = 0
        """How many tests are being decided: until they are, answers that depend on them may be others."""

    def reached(self, guards: Guards | None, scope: Scope) -> bool | None:
        """Whether what stands under conditions takes place: False under a test that fails, None under one that can't be
        decided."""
        pending: list[Guards] = []
        for step in guards.steps() if guards is not None else ():
            if step in self._reached:
                break
            pending.append(step)
        known = pending[-1].outer if pending else guards
        answer = True if known is None else self._reached[known]
        for step in reversed(pending):
            if answer is not False and isinstance(step.guard, Condition):
                met = self.met(step.guard, scope)
                answer = answer if met else met
            if not self.deciding:
                self._reached[step] = answer
        return answer

    def met(self, guard: Condition, scope: Scope) -> bool | None:
        """Whether a guard lets through, None if that can't be decided."""
        if guard.holds is None:
            return None
        key = guard.test
        if key not in self._decided:
            self._decided[key] = None  # a test that depends on itself is not decided
            self.deciding += 1
            self._decided[key] = self.truth(guard.test.expr, scope)
            self.deciding -= 1
        held = self._decided[key]
        return None if held is None else held is guard.holds

    def truth(self, expr: Expr, scope: Scope) -> bool | None:
        """The truth of a test, None if it can't be known."""
        if isinstance(expr, Unary) and expr.op == "not":
            inner = self.truth(expr.operand, scope)
            return None if inner is None else not inner
        if isinstance(expr, Chain) and expr.op in ("and", "or"):
            return self._junction(expr, scope)
        if isinstance(expr, Compare):
            return self._facts.comparison(expr, scope)
        if isinstance(expr, (Name, Attribute)):
            return self._named(expr, scope)
        fact = self._facts.of(expr, scope)
        return None if isinstance(fact, Unknown) else bool(fact)

    def _named(self, expr: Name | Attribute, scope: Scope) -> bool | None:
        """A fact, or a variable set once to a test; one called `TYPE_CHECKING` is true, as it is for type checkers."""
        symbol = self._names.resolve(expr, scope)
        if symbol == KnownSymbol("typing.TYPE_CHECKING"):
            return self._type_checking
        if not isinstance(symbol, ValueSymbol) or symbol.expr is None:
            fact = self._facts.of(expr, scope)
            return None if isinstance(fact, Unknown) else bool(fact)
        if symbol.name == "TYPE_CHECKING" and isinstance(symbol.expr, Constant):
            return self._type_checking
        once = len(symbol.scope.bindings.get(symbol.name, ())) == 1
        if not once or id(symbol.expr) in self._open:
            return None
        self._open.add(id(symbol.expr))
        try:
            return self.truth(symbol.expr, symbol.scope)
        finally:
            self._open.discard(id(symbol.expr))

    def _junction(self, expr: Chain, scope: Scope) -> bool | None:
        decisive = expr.op == "or"
        answers = [self.truth(item, scope) for item in expr.items]
        if decisive in answers:
            return decisive
        return None if None in answers else not decisive
