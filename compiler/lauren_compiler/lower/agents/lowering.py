"""Drafts → agents: with what modules add, with the tools the build keeps, each under a name of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...diagnostics.model import Sink
from ...ir.agents import Agent, AgentTool
from ...ir.tools import SourceLocation, Tool
from ...semantics.types import TypeReader
from ...syntax.declarations import ParsedModule
from ..collecting import Collector
from ..makers import Makers
from .conflicts import once_each, tool_refused, tools_differ, with_names_of_their_own
from .drafts import Draft
from .entries import Entries
from .modules import AgentModules
from .offers import ModuleTools
from .reading import AgentReader


class AgentLowerer:
    """Lowers the agents of one program. `found` counts all, `undecidable` those that can't be known."""

    def __init__(self, types: TypeReader, makers: Makers, collector: Collector, sink: Sink) -> None:
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
        ModuleTools(self._reader, self._modules, self._sink).add(calls)
        self._drafts = once_each(self._reader.drafts, self._sink)
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
        return tuple(sorted(with_names_of_their_own(made, self._sink), key=lambda agent: agent.order))

    def _agent(self, draft: Draft, by_key: Mapping[str, list[Tool]]) -> Agent | None:
        if draft.left_out or not draft.sound:
            return None
        tools: list[AgentTool] = []
        for decl, span in draft.tools.values():
            kept = by_key.get(decl.key)
            if kept is None:
                tool_refused(draft, decl, span, self._sink)
                return None
            tools += [AgentTool(tool.name, tool.module, tool.qualname, span) for tool in kept]
        if not tools_differ(draft, tools, self._sink):
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
