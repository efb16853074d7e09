"""The tools that modules add to the agents they run.

Desk = AgentModule.for_root(agents=[Support, Sales], tools=[clock])        both have `clock`, beside their own
"""

from __future__ import annotations

from ...diagnostics.model import Label, Sink
from ...diagnostics.rules import agents as rules
from ...semantics.symbols import ClassSymbol, DynamicSymbol, Symbol, Unresolved
from ..arguments import Item
from ..lists import Listing, Unknown
from .drafts import Draft
from .modules import AgentModules, ModuleCall
from .reading import AgentReader


class ModuleTools:
    """Gives agents the tools of their modules."""

    def __init__(self, reader: AgentReader, modules: AgentModules, sink: Sink) -> None:
        self._reader = reader
        self._modules = modules
        self._sink = sink

    def add(self, calls: list[ModuleCall]) -> None:
        """Give agents the tools that their modules add, where all modules of one agree."""
        offered: dict[int, list[tuple[ModuleCall, Listing]]] = {}
        drafts: dict[int, Draft] = {}
        for call in calls:
            tools = _tools(call)
            for draft in self._run_by(call, tools):
                drafts[id(draft)] = draft
                offered.setdefault(id(draft), []).append((call, tools))
        for key, offers in offered.items():
            self._offer(drafts[key], offers)

    def _run_by(self, call: ModuleCall, tools: Listing) -> list[Draft]:
        """The agents that a module names; what it names that is none is reported."""
        listing = call.listings.get("agents", Listing())
        adds = bool(tools.items or tools.unknown)
        for each in listing.unknown if adds else ():
            message = "which agents get the tools of this module can't be known from the source"
            self._sink.add(rules.UNDECIDABLE_AGENT.at(each.span, message, label=each.why))
        found = [self._named(item, adds) for item in listing.items]
        return list({id(draft): draft for draft in found if draft is not None}.values())

    def _named(self, item: Item, adds: bool) -> Draft | None:
        symbol = self._modules.meaning(item)
        draft = self._reader.agent_of(symbol.decl) if isinstance(symbol, ClassSymbol) else None
        if draft is not None or isinstance(symbol, Unresolved):
            return draft  # a name that leads nowhere is no business of the agents'
        if not isinstance(symbol, DynamicSymbol):
            self._no_agent(item, symbol)
        elif adds:
            message = "which agent gets the tools of this module can't be known from the source"
            self._sink.add(rules.UNDECIDABLE_AGENT.at(item.span, message, label=f"it is {symbol.why}"))
        return None

    def _no_agent(self, item: Item, symbol: Symbol) -> None:
        labels: tuple[Label, ...] = ()
        if isinstance(symbol, ClassSymbol):
            file = symbol.decl.scope.module.file
            labels = (Label(file.span(symbol.decl.name_pos), "no `@agent(...)` here"),)
        message = "what is given to this module as an agent is none"
        remedy = "decorate the class with `@agent(...)`"
        self._sink.add(rules.NOT_AN_AGENT.at(item.span, message, labels=labels, help=remedy))

    def _offer(self, draft: Draft, offers: list[tuple[ModuleCall, Listing]]) -> None:
        """Add what all modules of an agent give it; say it where they differ, or where it can't be known."""
        first_call, first = next((each for each in offers if not each[1].whole), offers[0])
        for call, tools in offers if first.whole else ():
            if not self._alike(first, tools):
                message = f"two modules give agent `{draft.name}` different tools, so neither's are in its files"
                label = Label(first_call.module.span, "the other module")
                remedy = "give the tools to the agent with `@use_tools(...)`, or write an agent for each module"
                self._sink.add(rules.DISAGREEING_MODULES.at(call.module.span, message, labels=(label,), help=remedy))
                return
        self._reader.add(draft, first)

    def _alike(self, left: Listing, right: Listing) -> bool:
        one, other = (frozenset(self._reader.identity(item) for item in each.items) for each in (left, right))
        return one == other


def _tools(call: ModuleCall) -> Listing:
    """What a module adds; options that are unpacked from a dict may add tools too."""
    if call.spread and "tools" not in call.listings:
        return Listing(unknown=[Unknown(call.module.span, "the module's options are unpacked from a dict")])
    return call.listings.get("tools", Listing())
