"""Drafts → agents: with what modules add, with the tools the build keeps, each under a name of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...diagnostics.model import Label, Sink
from ...diagnostics.rules import agents as rules
from ...ir.agents import Agent, AgentTool
from ...ir.tools import SourceLocation, Tool
from ...semantics.resolver import Resolver
from ...semantics.symbols import ClassSymbol, DynamicSymbol, Unresolved
from ...semantics.types import TypeReader
from ...syntax.declarations import ParsedModule
from ..collecting import Collector
from ..lists import Item, Listing
from ..makers import Makers
from .drafts import Draft
from .entries import Entries
from .modules import AgentModules, ModuleCall
from .reading import AgentReader


class AgentLowerer:
    """Lowers the agents of one program. `found` counts all, `undecidable` those that can't be known."""

    def __init__(self, types: TypeReader, makers: Makers, collector: Collector, sink: Sink) -> None:
        self._resolver: Resolver = types.resolver
        self._sink = sink
        self._reader = AgentReader(types, Entries(types.resolver, makers, collector), sink)
        self._modules = AgentModules(types.constants)
        self._drafts: list[Draft] = []
        self.found = 0
        self.undecidable = 0

    def read(self, modules: Iterable[ParsedModule]) -> None:
        """The agents of the sources, and those that the modules in them run."""
        modules = list(modules)
        self._reader.read(modules)
        calls = [call for module in modules for call in self._modules.find(module)]
        self._add_tools_of(calls)
        self._drafts = self._once_each(self._reader.drafts)
        self.found = len(self._drafts) + self._reader.undecidable
        self.undecidable = self._reader.undecidable + sum(draft.left_out for draft in self._drafts)

    @property
    def holders(self) -> Mapping[str, frozenset[int]]:
        """Of each tool that an agent has, by `module:qualname`, the agents that have it."""
        found: dict[str, set[int]] = {}
        for draft in self._drafts:
            for decl, _ in draft.tools.values():
                found.setdefault(decl.key, set()).add(id(draft))
        return {key: frozenset(agents) for key, agents in found.items()}

    def agents(self, tools: Iterable[Tool]) -> tuple[Agent, ...]:
        """The agents whose tools are all among `tools`, in order; equal names are reported."""
        by_key: dict[str, list[Tool]] = {}
        for tool in tools:
            by_key.setdefault(f"{tool.module}:{tool.qualname}", []).append(tool)
        made = [agent for draft in self._drafts if (agent := self._agent(draft, by_key)) is not None]
        return tuple(sorted(self._with_names_of_their_own(made), key=lambda agent: agent.order))

    def _add_tools_of(self, calls: list[ModuleCall]) -> None:
        """Give agents the tools that their modules add, where all modules of one agree."""
        offered: dict[int, list[tuple[ModuleCall, Listing]]] = {}
        drafts: dict[int, Draft] = {}
        for call in calls:
            tools = call.listings.get("tools", Listing())
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
        if isinstance(symbol, DynamicSymbol):
            if adds:
                message = "which agent gets the tools of this module can't be known from the source"
                self._sink.add(rules.UNDECIDABLE_AGENT.at(item.span, message, label=f"it is {symbol.why}"))
            return None
        labels: tuple[Label, ...] = ()
        if isinstance(symbol, ClassSymbol):
            file = symbol.decl.scope.module.file
            labels = (Label(file.span(symbol.decl.name_pos), "no `@agent(...)` here"),)
        message = "what is given to this module as an agent is none"
        remedy = "decorate the class with `@agent(...)`"
        self._sink.add(rules.NOT_AN_AGENT.at(item.span, message, labels=labels, help=remedy))
        return None

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

    def _once_each(self, drafts: list[Draft]) -> list[Draft]:
        """Definitions of one agent under conditions that can't be decided: one agent if they say the same."""
        first: dict[str, Draft] = {}
        kept: list[Draft] = []
        for draft in drafts:
            other = first.setdefault(draft.decl.key, draft)
            if other is draft or (draft.decided and other.decided):
                kept.append(draft)
            elif other.says() != draft.says():
                message = f"agent `{draft.name}` is defined twice; which definition counts is known only at run time"
                label = Label(other.span, "the other definition")
                self._sink.add(rules.UNDECIDABLE_AGENT.at(draft.span, message, labels=(label,)))
                other.left_out = True
        return kept

    def _agent(self, draft: Draft, by_key: Mapping[str, list[Tool]]) -> Agent | None:
        if draft.left_out or not draft.sound:
            return None
        tools: list[AgentTool] = []
        for decl, span in draft.tools.values():
            kept = by_key.get(decl.key)
            if kept is None:
                return None  # the tool has an error, which was reported
            tools += [AgentTool(tool.name, tool.module, tool.qualname, span) for tool in kept]
        if not self._tell_tools_apart(draft, tools):
            return None
        file = draft.decl.scope.module.file
        return Agent(
            name=draft.name,
            module=file.module,
            qualname=draft.decl.qualname,
            model=draft.model,
            system=draft.system,
            tools=tuple(sorted(tools, key=lambda tool: tool.order)),
            source=SourceLocation(file.relative, draft.decl.line),
            span=draft.span,
        )

    def _tell_tools_apart(self, draft: Draft, tools: list[AgentTool]) -> bool:
        """Whether no two tools of an agent have one name, letter case aside; reported if they do."""
        first: dict[str, AgentTool] = {}
        for tool in tools:
            other = first.setdefault(tool.name.casefold(), tool)
            if other is not tool:
                differs = "" if other.name == tool.name else ", letter case aside"
                message = f"two tools of agent `{draft.name}` have the name `{tool.name}`{differs}"
                label = Label(other.span, f"`{other.module}:{other.qualname}`")
                remedy = 'give one of them another name with `@tool(name="...")`'
                place = f"`{tool.module}:{tool.qualname}`"
                self._sink.add(
                    rules.DUPLICATE_AGENT_TOOL.at(tool.span, message, label=place, labels=(label,), help=remedy)
                )
        return len(first) == len(tools)

    def _with_names_of_their_own(self, agents: list[Agent]) -> list[Agent]:
        """The agents that can be in one build; of those made by functions, more than one may have a name."""
        first: dict[str, Agent] = {}
        clashing: set[int] = set()
        for agent in sorted(agents, key=lambda each: each.local):
            other = first.setdefault(agent.name.casefold(), agent)
            if other is agent:
                continue
            differs = "" if other.name == agent.name else ", letter case aside"
            label = Label(other.span, "the other one")
            if agent.local:
                message = f"this agent, which a function makes, has the name `{agent.name}` of another{differs}"
                self._sink.add(rules.SHARED_LOCAL_AGENT_NAME.at(agent.span, message, labels=(label,)))
            else:
                message = f"two agents have the name `{agent.name}`{differs}"
                remedy = 'give one of them another name with `@agent(name="...")`'
                self._sink.add(rules.DUPLICATE_AGENT_NAME.at(agent.span, message, labels=(label,), help=remedy))
                clashing |= {id(agent), id(other)}
        return [agent for agent in agents if id(agent) not in clashing]
