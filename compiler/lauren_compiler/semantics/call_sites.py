"""What the calls in the sources pass for a function's parameter.

def register(server): …
register(FastMCP("shop"))                      given(register, "server")  →  `FastMCP("shop")`
for module in (orders, items):
    module.register(app)                       given(items.register, "server")  →  `app`

A tool that is made in `register` is made by each of these calls, so what they pass is a fact of the program, also where
the parameter has no annotation.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from msgspec import Struct, field

from ..syntax.calls import CallSite, calls_in
from ..syntax.declarations import ClassDecl, Definition, Dynamic, FunctionDecl, ParsedModule, Scope, SymbolImport
from ..syntax.expressions import Attribute, Call, Expr, ListDisplay, Name, Starred, Tuple
from ..syntax.scopes import scopes_in
from .resolver import Resolver
from .symbols import ClassSymbol, FunctionSymbol, KnownSymbol, Symbol, ValueSymbol

_STATIC = KnownSymbol("builtins.staticmethod")
_CLASS = KnownSymbol("builtins.classmethod")


class _Index(Struct):
    """The calls of one module by the last name of what they call, and the other names that imports give to things."""

    sites: dict[str, list[tuple[CallSite, Scope]]] = field(default_factory=lambda: defaultdict(list))
    renamed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))


class CallSites:
    """Finds calls in the sources, never in libraries. `meaning` follows names, those of methods of objects too."""

    def __init__(self, resolver: Resolver, meaning: Callable[[Name | Attribute, Scope], Symbol]) -> None:
        self._resolver = resolver
        self._meaning = meaning
        self._indexes: dict[int, _Index] = {}

    def given(self, decl: FunctionDecl, parameter: str) -> Iterator[tuple[Expr, Scope]]:
        """Each expression that a call passes for a parameter, and the scope it is read in; in source order."""
        for name in self._names(decl):
            for site, scope in self._called(name):
                call = site.call
                if call is None or site.spelling.root in site.local:
                    continue
                for callee, where in self._callees(call.func, scope):
                    taken = self._taken(callee, where, decl)
                    value = _argument(call, decl, parameter, taken) if taken is not None else None
                    if value is not None and not (isinstance(value, Name) and value.id in site.local):
                        yield value, scope

    def _names(self, decl: FunctionDecl) -> Iterator[str]:
        """The names under which a function may be called: a constructor under those of its class and subclasses."""
        owner = decl.scope.owner
        if owner is None or decl.name != "__init__":
            yield decl.name
            return
        yield owner.name
        for module in self._resolver.program.sources:
            for scope in scopes_in(module.scope) if owner.name in module.file.text else ():
                for binding in scope.members:
                    below = binding.decl if isinstance(binding, Definition) else None
                    if isinstance(below, ClassDecl) and below is not owner and below.bases:
                        if owner in self._resolver.linear_bases(below):
                            yield below.name

    def _called(self, name: str) -> Iterator[tuple[CallSite, Scope]]:
        for module in self._resolver.program.sources:
            if name in module.file.text:
                index = self._index(module)
                for spelled in (name, *sorted(index.renamed.get(name, ()))):
                    yield from index.sites.get(spelled, ())

    def _index(self, module: ParsedModule) -> _Index:
        if id(module) in self._indexes:
            return self._indexes[id(module)]
        found = self._indexes[id(module)] = _Index()
        for scope in scopes_in(module.scope):
            for binding in scope.members:
                if isinstance(binding, SymbolImport) and binding.name != binding.symbol:
                    found.renamed[binding.symbol].add(binding.name)
            for site in calls_in(scope):
                for name in self._last_names(site, scope):
                    found.sites[name].append((site, scope))
        return found

    def _last_names(self, site: CallSite, scope: Scope) -> Iterator[str]:
        """The name before the brackets; of a loop's variable, those of what it loops over."""
        path = site.spelling.path
        if path and path in scope.bindings:
            for element, _ in self._elements(path, scope):
                yield element.id if isinstance(element, Name) else element.attr
        if path:
            yield path.rpartition(".")[2]

    def _callees(self, func: Expr, scope: Scope) -> Iterator[tuple[Name | Attribute, Scope]]:
        """What is called; where a loop's variable is, or has the method, each of the loop's elements in its place."""
        if isinstance(func, Name) and (elements := self._elements(func.id, scope)):
            yield from elements
        elif isinstance(func, Attribute) and isinstance(func.value, Name):
            elements = self._elements(func.value.id, scope)
            for element, where in elements:
                yield Attribute(element.pos, element, func.attr), where
            if not elements:
                yield func, scope
        elif isinstance(func, (Name, Attribute)):
            yield func, scope

    def _elements(self, name: str, scope: Scope) -> list[tuple[Name | Attribute, Scope]]:
        """The names in the display that a loop with this variable goes through."""
        items = self.loop_items(name, scope)
        return [(item, where) for item, where in items if isinstance(item, (Name, Attribute))]

    def loop_items(self, name: str, scope: Scope) -> list[tuple[Expr, Scope]]:
        """The items of the displays that loops with this variable go through, each with the scope it is read in."""
        bindings = scope.bindings.get(name, ())
        return self._items_of([each for each in bindings if isinstance(each, Dynamic)], scope)

    def _items_of(self, loops: list[Dynamic], scope: Scope) -> list[tuple[Expr, Scope]]:
        found: list[tuple[Expr, Scope]] = []
        for loop in loops:
            over, where = _gone_through(loop), scope
            if isinstance(over, (Name, Attribute)):
                symbol = self._resolver.dealias(self._resolver.resolve(over, scope))
                over, where = (symbol.expr, symbol.scope) if isinstance(symbol, ValueSymbol) else (None, scope)
            if isinstance(over, (Tuple, ListDisplay)):
                found += [(item, where) for item in over.items]
        return found

    def _taken(self, callee: Name | Attribute, scope: Scope, decl: FunctionDecl) -> int | None:
        """How many of the function's parameters are filled before the call's arguments; None for another function."""
        symbol = self._meaning(callee, scope)
        if isinstance(symbol, ClassSymbol):
            span = scope.module.file.span(callee.pos)
            symbol = self._resolver.class_member(symbol.decl, "__init__", span)
            return 1 if isinstance(symbol, FunctionSymbol) and symbol.decl is decl else None
        if not isinstance(symbol, FunctionSymbol) or symbol.decl is not decl:
            return None
        if decl.scope.kind != "class" or not isinstance(callee, Attribute):
            return 0
        kinds = [self._resolver.resolve(each.expr, decl.scope) for each in decl.decorators]
        if _STATIC in kinds or _CLASS in kinds:
            return int(_CLASS in kinds)
        return 0 if isinstance(self._resolver.resolve(callee.value, scope), ClassSymbol) else 1


def _argument(call: Call, decl: FunctionDecl, parameter: str, taken: int) -> Expr | None:
    """What a call passes for a parameter; None where it does not, or not in sight."""
    for word in call.keywords:
        if word.name == parameter:
            return word.value
    positional = [each.name for each in decl.parameters if each.kind in ("positional_only", "positional_or_keyword")]
    for name, value in zip(positional[taken:], call.args, strict=False):
        if isinstance(value, Starred):
            return None
        if name == parameter:
            return value
    return None


def _gone_through(binding: Dynamic) -> Expr | None:
    """What a loop goes through whose one variable this is."""
    alone = binding.loop is not None and isinstance(binding.loop.target.expr, Name)
    return binding.loop.over.expr if binding.loop is not None and alone else None
