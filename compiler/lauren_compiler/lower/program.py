"""Parsed modules → `ToolSet`: everything found, lowered, and put in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..config import Config
from ..diagnostics.model import Label, Sink
from ..diagnostics.rules import tools as rules
from ..ir.agents import Agent
from ..ir.graph import Graph
from ..ir.references import needed
from ..ir.tools import Tool, ToolSet
from ..semantics.declared import declare
from ..semantics.load import Sources
from ..semantics.program import Program
from ..semantics.resolver import Resolver
from ..semantics.types import TypeReader
from ..syntax.declarations import ClassDecl, ParsedModule
from .agents.lowering import AgentLowerer
from .collecting import Collector
from .configured import configured
from .conflicts import warn_of_lookalikes, without_conflicts
from .discovery import classes_of
from .foresight import Foresight
from .injection.graph import read_graph
from .makers import Makers
from .modules import check_module_names
from .registered import Candidate
from .visible import check_definitions_visible

if TYPE_CHECKING:
    from ..ir.peers import PeerTool


@dataclass(frozen=True, slots=True)
class Counts:
    """How many were `found`; of these each was `compiled`, `refused` with an error, or `undecidable`."""

    found: int
    compiled: int
    undecidable: int

    @property
    def refused(self) -> int:
        return self.found - self.compiled - self.undecidable


@dataclass(frozen=True, slots=True)
class Lowered:
    """The tool set, the modules of dependency injection, and what became of all tools and agents.

    `peers` are the tools as the configured `target_runtime` has them.
    """

    toolset: ToolSet
    graph: Graph
    tools: Counts
    agents: Counts
    peers: tuple[PeerTool, ...] = ()


def lower(program: Program, sources: Sources, config: Config, sink: Sink) -> Lowered:
    """The tools and agents of the sources."""
    resolver = Resolver(program)
    types = TypeReader(resolver, sink)
    declare(config.types, types, sink)
    makers = Makers(resolver, configured(config.decorators, resolver, sink))
    collector = Collector(types, makers, sink)
    for module in sources.modules:
        collector.add(module)
    agents = AgentLowerer(types, makers, collector, sink)
    agents.read(sources.modules)
    peers = _peers(config, types, collector)
    Foresight(types, sink).look(collector.candidates, sources.modules, decoration=config.target_runtime is None)
    _note_subclasses(sources.modules, collector.candidates, resolver, sink)
    check_module_names(sources, collector.candidates, program, sink)
    warn_of_lookalikes(collector.lowerer.names, sink)
    whole = [tool for tool in collector.tools if needed(tool, types.definitions) is not None]
    kept, merged = without_conflicts(whole, collector.undecided, agents.holders, sink)
    toolset = tool_set(kept, types, agents.agents(kept))
    check_definitions_visible(toolset, sink)
    return Lowered(
        toolset,
        read_graph(types, makers, sources, sink),
        Counts(collector.found - merged, len(kept), collector.undecidable),
        Counts(agents.found, len(toolset.agents), agents.undecidable),
        peers,
    )


def _peers(config: Config, types: TypeReader, collector: Collector) -> tuple[PeerTool, ...]:
    """What the runtime that was asked for makes of the tools; none without one."""
    if config.target_runtime is None:
        return ()
    from .lauren_ai.tools import PeerReader

    return tuple(PeerReader(types).read(collector.candidates, collector.tools))


def tool_set(tools: list[Tool], types: TypeReader, agents: tuple[Agent, ...] = ()) -> ToolSet:
    """The tools in order, with the definitions they reach and no others."""
    keys: set[str] = set()
    for tool in tools:
        keys |= needed(tool, types.definitions) or frozenset[str]()
    ordered = tuple(sorted(tools, key=lambda tool: tool.order))
    return ToolSet(ordered, tuple((key, types.definitions[key]) for key in sorted(keys)), agents)


def _note_subclasses(
    modules: Iterable[ParsedModule], candidates: list[Candidate], resolver: Resolver, sink: Sink
) -> None:
    """Note subclasses of tool classes that are no tools themselves."""
    tool_classes = {
        id(candidate.decl): candidate.decl for candidate in candidates if isinstance(candidate.decl, ClassDecl)
    }
    if not tool_classes:
        return
    for module in modules:
        for decl in classes_of(module):
            bases = resolver.linear_bases(decl)[1:] if id(decl) not in tool_classes and decl.bases else []
            base = next((base for base in bases if id(base) in tool_classes), None)
            if base is not None:
                message = f"`{decl.name}` is a subclass of a tool and no tool by itself"
                label = Label(base.scope.module.file.span(base.name_pos), "this is the tool")
                span = decl.scope.module.file.span(decl.name_pos)
                remedy = "decorate it with `@tool()` if it should be one"
                sink.add(rules.UNDECORATED_SUBCLASS.at(span, message, labels=(label,), help=remedy))
