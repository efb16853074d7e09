"""Lists that decorators and calls are given, read item by item.

    @use_tools(search, *SHARED, None)          `search`, and the items of `SHARED`; None is dropped
    for_root(agents=[Support, *TEAM])          the same, in a list

A list that is computed, or changed after it is made, has parts that only running code knows: each is said at its place,
with the reason, and what the list is for decides what to make of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from ..diagnostics.model import Diagnostic
from ..semantics.constants import Constants
from ..semantics.symbols import DynamicSymbol, FunctionSymbol, KnownSymbol, Symbol, Unresolved, ValueSymbol
from ..source.span import Span
from ..syntax.calls import attributes_in
from ..syntax.declarations import FunctionDecl, Lazy, ParsedModule, Scope
from ..syntax.expressions import (
    Attribute,
    Call,
    Chain,
    Comprehension,
    Conditional,
    Constant,
    Expr,
    ListDisplay,
    Name,
    Opaque,
    SetDisplay,
    Starred,
    Tuple,
)
from ..syntax.scopes import scopes_in
from .arguments import Argument, Item

_MAX_DEPTH = 60
_MOST_ITEMS = 20_000
_CHANGES = frozenset("append clear extend insert pop popitem remove reverse setdefault sort update".split())
_COPIES = (KnownSymbol("builtins.list"), KnownSymbol("builtins.tuple"))


class Unknown(Struct, frozen=True):
    """A part of a list that only running code knows. `why` completes "it can't be known from the source: …"."""

    span: Span
    why: str


class Listing(Struct):
    """What was read of a list. `lost` are names in it that lead nowhere."""

    items: list[Item] = field(default_factory=list[Item])
    unknown: list[Unknown] = field(default_factory=list[Unknown])
    lost: list[Diagnostic] = field(default_factory=list[Diagnostic])

    @property
    def whole(self) -> bool:
        """Whether all of the list is known."""
        return not self.unknown and not self.lost


class Lists:
    """Reads lists of one program."""

    def __init__(self, constants: Constants) -> None:
        self._constants = constants
        self._resolver = constants.resolver
        self._changed: dict[tuple[int, str, int], bool] = {}
        self._open: set[int] = set()
        """Ids of the expressions that are being read."""
        self._room = 0
        """How many more items and lists the list that is being read may have: lists of lists grow as powers do."""

    def of_arguments(self, arguments: Iterable[Argument]) -> Listing:
        """The positional arguments of a call; those that are unpacked are items too."""
        listing = self._empty()
        for argument in arguments:
            if argument.stars == 1:
                self._iterable(argument.value, argument.scope, listing, 0)
            elif argument.name is None and argument.stars == 0:
                self._element(argument.value, argument.scope, listing, 0)
        return listing

    def of(self, expr: Expr, scope: Scope) -> Listing:
        """The items of a list or tuple; None has none."""
        listing = self._empty()
        self._iterable(expr, scope, listing, 0)
        return listing

    def _empty(self) -> Listing:
        self._room = _MOST_ITEMS
        return Listing()

    def _element(self, expr: Expr, scope: Scope, listing: Listing, depth: int) -> None:
        """What stands between two commas."""
        if isinstance(expr, Starred):
            self._iterable(expr.value, scope, listing, depth + 1)
        elif isinstance(expr, Conditional):
            branch = self._branch(expr, scope, listing)
            if branch is not None:
                self._element(branch, scope, listing, depth + 1)
        elif not self._is_none(expr, scope):
            self._room -= 1
            listing.items.append(Item(expr, scope))

    def _iterable(self, expr: Expr, scope: Scope, listing: Listing, depth: int) -> None:
        self._room -= 1  # also for one that is empty
        if depth > _MAX_DEPTH or id(expr) in self._open or self._room < 0:
            self._give_up(expr, scope, listing, "it is too long or too deep, or defined by itself")
        elif isinstance(expr, (Tuple, ListDisplay, SetDisplay)):
            for item in expr.items:
                self._element(item, scope, listing, depth + 1)
        elif isinstance(expr, Chain) and expr.op == "+":
            for part in expr.items:
                self._iterable(part, scope, listing, depth + 1)
        elif isinstance(expr, Conditional):
            branch = self._branch(expr, scope, listing)
            if branch is not None:
                self._iterable(branch, scope, listing, depth + 1)
        elif isinstance(expr, (Name, Attribute)):
            self._named(expr, scope, listing, depth)
        elif isinstance(expr, Call):
            self._called(expr, scope, listing, depth)
        elif not (isinstance(expr, Constant) and expr.value is None):
            what = expr.what if isinstance(expr, (Opaque, Comprehension)) else "no list"
            self._give_up(expr, scope, listing, f"it is {what}")

    def _named(self, expr: Name | Attribute, scope: Scope, listing: Listing, depth: int) -> None:
        symbol = self._resolver.dealias(self._resolver.resolve(expr, scope))
        if isinstance(symbol, Unresolved):
            listing.lost.append(symbol.diagnostic)
        elif not isinstance(symbol, ValueSymbol) or symbol.expr is None:
            self._give_up(expr, scope, listing, _why(symbol))
        elif self.is_changed(symbol, scope.module):
            self._give_up(expr, scope, listing, f"`{symbol.name}` is changed after it is made")
        else:
            self._elsewhere(expr, scope, Item(symbol.expr, symbol.scope), listing, depth)

    def _elsewhere(self, expr: Expr, scope: Scope, meant: Item, listing: Listing, depth: int) -> None:
        """The items of what an expression stands for.

        What can't be known of it is said where the list is used: there it can be written in another way.
        """
        inside = Listing()
        self._open.add(id(expr))
        self._iterable(meant.expr, meant.scope, inside, depth + 1)
        self._open.discard(id(expr))
        listing.items += inside.items
        listing.lost += inside.lost
        if inside.unknown:  # all are said at one place
            place = scope.module.file.span(expr.pos)
            listing.unknown += [Unknown(place, why) for why in dict.fromkeys(each.why for each in inside.unknown)]

    def _called(self, call: Call, scope: Scope, listing: Listing, depth: int) -> None:
        """`list(SHARED)`, `tuple(SHARED)`, and a function without parameters that does nothing but return a list."""
        symbol = self._resolver.dealias(self._resolver.resolve(call.func, scope))
        if symbol in _COPIES and not call.keywords and len(call.args) <= 1:
            for argument in call.args:
                self._iterable(argument, scope, listing, depth + 1)
        elif isinstance(symbol, FunctionSymbol) and (returned := _returned(symbol.decl)) is not None:
            self._elsewhere(call, scope, Item(returned.expr, symbol.decl.body), listing, depth)
        else:
            self._give_up(call, scope, listing, "it is a call")

    def _branch(self, expr: Conditional, scope: Scope, listing: Listing) -> Expr | None:
        """The branch that is taken; None, said, if only running code knows."""
        truth = self._constants.truth(expr.test, scope)
        if truth is None:
            self._give_up(expr, scope, listing, "it depends on a condition")
            return None
        return expr.body if truth else expr.orelse

    def _is_none(self, expr: Expr, scope: Scope) -> bool:
        if isinstance(expr, (Name, Attribute)):
            symbol = self._resolver.dealias(self._resolver.resolve(expr, scope))
            value = symbol.expr if isinstance(symbol, ValueSymbol) else None
            return isinstance(value, Constant) and value.value is None
        return isinstance(expr, Constant) and expr.value is None

    def is_changed(self, symbol: ValueSymbol, user: ParsedModule) -> bool:
        """Whether a list or dict is changed, in the module that makes it or in the one that uses it."""
        if isinstance(symbol.expr, Tuple):
            return False
        return any(self._changes(symbol, module) for module in (symbol.scope.module, user))

    def _changes(self, symbol: ValueSymbol, module: ParsedModule) -> bool:
        key = (id(symbol.scope), symbol.name, id(module))
        if key not in self._changed:
            self._changed[key] = any(
                self._is_same(changed, scope, symbol)
                for scope in scopes_in(module.scope)
                for changed in _changed_in(scope)
            )
        return self._changed[key]

    def _is_same(self, expr: Expr, scope: Scope, symbol: ValueSymbol) -> bool:
        found = self._resolver.dealias(self._resolver.resolve(expr, scope))
        return isinstance(found, ValueSymbol) and found.scope is symbol.scope and found.name == symbol.name

    def _give_up(self, expr: Expr, scope: Scope, listing: Listing, why: str) -> None:
        listing.unknown.append(Unknown(scope.module.file.span(expr.pos), why))


def _changed_in(scope: Scope) -> Iterator[Expr]:
    """What is changed in a scope if it is a list: `x.append`, called or kept to be, and `x[0] = …`."""
    yield from (each.value for each in attributes_in(scope, _CHANGES))
    yield from (each.expr for each in scope.altered)


def _returned(decl: FunctionDecl) -> Lazy | None:
    """What a function gives in any call, as far as its source alone says so."""
    plain = not (decl.is_async or decl.is_generator or decl.decorators or decl.parameters)
    return decl.only_return if plain else None


def _why(symbol: Symbol) -> str:
    return f"it is {symbol.why}" if isinstance(symbol, DynamicSymbol) else "it is no list"
