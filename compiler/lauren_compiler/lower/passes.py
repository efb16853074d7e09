"""The passes of the loops around a call: in each, the variables stand for what the loop gives them.

for name, function in {"find": find, "save": save}.items():
    tool(name=name)(function)                                   two passes: "find" and `find`, "save" and `save`
TOOLS = [tool()(function) for function in (find, save)]         two passes
"""

from __future__ import annotations

from typing import TypeAlias

from ..ir.values import Constant
from ..semantics.constants import Constants
from ..semantics.iteration import iterated
from ..semantics.not_constant import NotConstant
from ..semantics.symbols import KnownSymbol, ValueSymbol
from ..syntax.calls import CallSite
from ..syntax.declarations import Assignment, Lazy, Scope
from ..syntax.expressions import Attribute, Call, DictDisplay, Expr, Given, ListDisplay, Name, Tuple
from ..syntax.expressions import Constant as ConstantExpr
from ..syntax.repeats import Repeat, repeats
from .arguments import Item
from .lists import Lists

Element: TypeAlias = "Item | tuple[Element, ...]"
"""What a variable stands for, or the variables of a tuple each for themselves."""

_MOST = 1_000
_GOING_THROUGH = frozenset(f"builtins.{name}" for name in "dict frozenset list set sorted tuple".split())
_VIEWS = frozenset({"items", "keys", "values"})


class Passes:
    """Answers for one program."""

    def __init__(self, constants: Constants) -> None:
        self._constants = constants
        self._resolver = constants.resolver
        self._lists = Lists(constants)

    def of(self, site: CallSite, scope: Scope) -> list[Scope] | None:
        """The scopes in which a call is read, one a pass; `scope` alone where no loop around it binds a name that it
        uses. None where the passes can't be known."""
        loops = repeats(site, scope)
        if loops is None:
            return None
        scopes = [scope]
        for repeat in loops:
            if repeat.taken_by is not None and not self.is_taken(repeat.taken_by, scope):
                return None
            inside: list[Scope] = []
            for each in scopes:
                found = self._inside(repeat, each)
                if found is None:
                    return None
                inside += found
            scopes = inside
            if len(scopes) > _MOST:
                return None
        return scopes

    def items(self, expr: Expr, scope: Scope) -> list[Element] | None:
        """What a loop over an expression goes through, in order; None if it can't be known."""
        if isinstance(expr, Call) and (found := self._called(expr, scope)) is not None:
            return found
        if (pairs := self._pairs(expr, scope)) is not None:
            return [key for key, _ in pairs]
        listing = self._lists.of(expr, scope)
        if listing.whole:
            return list(listing.items)
        values = iterated(self._constants, expr, scope)
        if isinstance(values, NotConstant):
            return None
        return [Item(Given(expr.pos, value), scope) for value in values]

    def given(self, expr: Expr, scope: Scope) -> list[tuple[Expr, Scope]] | None:
        """What a loop over an expression gives its one variable, each with the scope that it is read in."""
        items = self.items(expr, scope)
        known = [(item.expr, item.scope) for item in items or () if isinstance(item, Item)]
        return known if items is not None and len(known) == len(items) else None

    def is_taken(self, name: str, scope: Scope) -> bool:
        """Whether a function of that name goes through all that it is given."""
        symbol = self._resolver.resolve(Name((1, 0, 1, 0), name), scope) if name else None
        return isinstance(symbol, KnownSymbol) and symbol.name in _GOING_THROUGH

    def _inside(self, repeat: Repeat, scope: Scope) -> list[Scope] | None:
        """A scope for each pass of one loop whose tests hold; None if one can't be known."""
        items = self.items(repeat.loop.over.expr, scope)
        if not items:  # what is empty where it stands is filled from elsewhere
            return None
        found: list[Scope] = []
        for item in items:
            names = _bound(repeat.loop.target.expr, item)
            if names is None:
                return None
            inside = Scope("function", scope.qualname, scope, scope.module)
            for name, given in names:
                lent = Lazy.known(given.expr)
                inside.add(Assignment(name, lent.pos, (0, 0), None, lent, None, given.scope))
            truths = [self._constants.truth(test.expr, inside) for test in repeat.tests]
            if None in truths:
                return None
            if all(truths):
                found.append(inside)
        return found

    def _called(self, call: Call, scope: Scope) -> list[Element] | None:
        """What `zip`, `enumerate`, `reversed` and the views of a dict give."""
        if isinstance(call.func, Attribute) and call.func.attr in _VIEWS and not call.args:
            pairs = self._pairs(call.func.value, scope)
            if pairs is None:
                return None
            return [pair if call.func.attr == "items" else pair[call.func.attr == "values"] for pair in pairs]
        symbol = self._resolver.dealias(self._resolver.resolve(call.func, scope))
        name = symbol.name if isinstance(symbol, KnownSymbol) and call.args else ""
        if name == "builtins.enumerate":
            return self._numbered(call, scope)
        if name not in ("builtins.zip", "builtins.reversed") or call.keywords:
            return None
        each = [self.items(argument, scope) for argument in call.args]
        known = [items for items in each if items is not None]
        if len(known) < len(each):
            return None
        if name == "builtins.zip":
            return list(zip(*known, strict=False))
        return known[0][::-1] if len(known) == 1 else None

    def _numbered(self, call: Call, scope: Scope) -> list[Element] | None:
        """What `enumerate` gives."""
        given = call.args[1] if len(call.args) == 2 else call.keyword("start")
        start = self._constants.evaluate(given, scope) if given is not None else Constant(0)
        items = self.items(call.args[0], scope)
        if items is None or not isinstance(start, Constant) or not isinstance(start.value, int):
            return None
        numbers = [
            Item(ConstantExpr(call.pos, number), scope) for number in range(start.value, start.value + len(items))
        ]
        return list(zip(numbers, items, strict=True))

    def _pairs(self, expr: Expr, scope: Scope) -> list[tuple[Element, Element]] | None:
        """The keys and values of a dict that stands in the source, and that nothing changes; None of anything else."""
        if isinstance(expr, (Name, Attribute)):
            symbol = self._resolver.dealias(self._resolver.resolve(expr, scope))
            if not isinstance(symbol, ValueSymbol) or self._lists.is_changed(symbol, scope.module):
                return None
            display, home = symbol.expr, symbol.scope
        else:
            display, home = expr, scope
        if not isinstance(display, DictDisplay):
            return None
        pairs: list[tuple[Element, Element]] = []
        for key, value in display.items:
            if key is None:
                return None
            pairs.append((Item(key, home), Item(value, home)))
        return pairs


def _bound(target: Expr, given: Element) -> list[tuple[str, Item]] | None:
    """What each name of a target stands for; None if the two do not fit."""
    if isinstance(target, Name):
        return [(target.id, given)] if isinstance(given, Item) else None
    parts: tuple[Element, ...] | None = given if isinstance(given, tuple) else None
    if isinstance(given, Item) and isinstance(given.expr, (Tuple, ListDisplay)):
        parts = tuple(Item(part, given.scope) for part in given.expr.items)
    targets = target.items if isinstance(target, (Tuple, ListDisplay)) else ()
    if parts is None or len(parts) != len(targets):
        return None
    found: list[tuple[str, Item]] = []
    for part, item in zip(targets, parts, strict=True):
        names = _bound(part, item)
        if names is None:
            return None
        found += names
    return found
