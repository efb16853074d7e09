"""`AgentModule.for_root(...)`: found in statements by symbol, and its lists read.

SupportModule = AgentModule.for_root(agents=[Support], imports=[Catalogue], shared_tools=[Search])
→  AgentModule(name="shop.app:SupportModule", agents=(Named("shop.agents:Support"),), …)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ...ir.agents import AgentModule, Named, Open
from ...semantics.constants import Constants
from ...semantics.symbols import (
    ClassSymbol,
    DynamicSymbol,
    FunctionSymbol,
    KnownSymbol,
    Symbol,
    Unresolved,
    ValueSymbol,
)
from ...syntax.calls import CallSite, calls_in, calls_in_decorators
from ...syntax.declarations import Assignment, ParsedModule, Scope
from ...syntax.expressions import Attribute, Call, Constant, Expr, ListDisplay, Name, Tuple
from ...syntax.scopes import scopes_in
from ..arguments import Item
from ..lists import Listing, Lists

AGENT_MODULE = KnownSymbol("lauren.AgentModule")
_METHOD = "for_root"
_LISTS = {
    "agents": "agents",
    "tools": "tools",
    "imports": "imports",
    "shared_tools": "shared_tools",
    "export_tools": "export_tools",
    "injects": "injects",
    "hooks": "hooks",
    "global_tool_hooks": "hooks",
    "runner": "runner",
}
"""The options that name definitions, with the field each goes to."""
_SINGLE = ("imports", "runner")
"""Those that may be one definition instead of a list."""


class ModuleCall(Struct, frozen=True, eq=False):
    """A call of `for_root`: what it says, and the lists that say so, by option. `spread`: it has `**options` too."""

    module: AgentModule
    listings: Mapping[str, Listing]
    call: Call
    scope: Scope
    spread: bool


class AgentModules:
    """Reads the calls of one program."""

    def __init__(self, constants: Constants) -> None:
        self._resolver = constants.resolver
        self._lists = Lists(constants)

    def find(self, module: ParsedModule) -> list[ModuleCall]:
        """All calls in the statements of a module, in source order."""
        if _METHOD not in module.file.text:
            return []
        found = [
            self._read(site, call, scope)
            for scope in scopes_in(module.scope)
            for site in (*calls_in(scope), *calls_in_decorators(scope))
            if site.spelling.root not in site.local and (call := site.call) is not None and self._is(call.func, scope)
            if self._resolver.choice.reached(site, scope) is not False
        ]
        return sorted(found, key=lambda each: each.call.pos)

    def meaning(self, item: Item) -> Symbol:
        """What an item of a list is; a name for another name is followed."""
        if isinstance(item.expr, (Name, Attribute)):
            return self._resolver.dealias(self._resolver.resolve(item.expr, item.scope))
        return DynamicSymbol("", "a call" if isinstance(item.expr, Call) else "an expression")

    def _is(self, func: Expr, scope: Scope) -> bool:
        """Whether what is called is `AgentModule.for_root`, perhaps bound to a name first."""
        if isinstance(func, Name):
            symbol = self._resolver.resolve(func, scope)
            if not isinstance(symbol, ValueSymbol) or not isinstance(symbol.expr, Attribute):
                return False
            func, scope = symbol.expr, symbol.scope
        if not isinstance(func, Attribute) or func.attr != _METHOD:
            return False
        return self._resolver.dealias(self._resolver.resolve(func.value, scope)) == AGENT_MODULE

    def _read(self, site: CallSite, call: Call, scope: Scope) -> ModuleCall:
        file = scope.module.file
        listings = {
            word.name: self._listing(word.name, word.value, scope)
            for word in call.keywords
            if word.name is not None and word.name in _LISTS
        }
        named: dict[str, list[Named]] = {field: [] for field in _LISTS.values()}
        unknown: list[Open] = []
        for option, listing in listings.items():
            for item in listing.items:
                found = self._named(item)
                if isinstance(found, Named):
                    named[_LISTS[option]].append(found)
                else:
                    unknown.append(Open(option, item.span, found))
            unknown += [Open(option, each.span, each.why) for each in listing.unknown]
            unknown += [Open(option, each.span, each.message) for each in listing.lost]
        module = AgentModule(
            module=file.module,
            name=_variable(site, scope),
            **{field: tuple(found) for field, found in named.items()},
            given=tuple(word.name for word in call.keywords if word.name is not None),
            open=tuple(sorted(unknown, key=lambda each: each.span)),
            span=file.span(call.pos),
        )
        return ModuleCall(module, listings, call, scope, any(word.name is None for word in call.keywords))

    def _listing(self, option: str, value: Expr, scope: Scope) -> Listing:
        if option in _SINGLE and not self._is_list(value, scope):
            return Listing() if isinstance(value, Constant) and value.value is None else Listing([Item(value, scope)])
        return self._lists.of(value, scope)

    def _is_list(self, value: Expr, scope: Scope) -> bool:
        if isinstance(value, (Name, Attribute)):
            symbol = self._resolver.dealias(self._resolver.resolve(value, scope))
            return isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, (Tuple, ListDisplay))
        return isinstance(value, (Tuple, ListDisplay))

    def _named(self, item: Item) -> Named | str:
        """The definition that an item names; why it names none that is known."""
        symbol = self.meaning(item)
        if isinstance(symbol, (ClassSymbol, FunctionSymbol)):
            return Named(symbol.decl.key, item.span)
        if isinstance(symbol, ValueSymbol):
            return Named(f"{symbol.scope.module.file.module}:{symbol.qualname}", item.span)
        if isinstance(symbol, Unresolved):
            return symbol.diagnostic.message
        return f"it is {symbol.why}" if isinstance(symbol, DynamicSymbol) else "it names no definition"


def _variable(site: CallSite, scope: Scope) -> str | None:
    """The variable that a call's result is bound to, as `module:qualname`."""
    return next(_variables(site, scope), None)


def _variables(site: CallSite, scope: Scope) -> Iterator[str]:
    for binding in scope.members:
        if isinstance(binding, Assignment) and binding.value is not None and binding.value.node is site.node:
            yield f"{scope.module.file.module}:{scope.qualify(binding.name)}"
