"""Parsed modules → `ToolSet`: everything found, lowered, and put in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..config import Config
from ..diagnostics.model import Label, Sink
from ..diagnostics.rules import tools as rules
from ..ir.agents import Agent
from ..ir.references import Needs
from ..ir.tools import Form, Tool, ToolSet
from ..semantics.declared import declare
from ..semantics.load import Sources
from ..semantics.program import Program
from ..semantics.resolver import Resolver
from ..semantics.types import TypeReader
from ..syntax.declarations import ClassDecl, ParsedModule
from .agents.presence import names_agents, read_agents
from .collecting import Collector
from .configured import configured
from .conflicts import warn_of_lookalikes, warn_of_shared_names, without_conflicts
from .discovery import classes_of
from .foresight import Foresight
from .injection.presence import may_concern, read_graph
from .makers import Makers
from .modules import check_module_names
from .parts import Others, Part, PartsOf
from .registered import Candidate
from .visible import check_definitions_visible

if TYPE_CHECKING:
    from ..ir.graph import Graph
    from ..ir.peers import PeerTool

NONE = Others()


class Counts(Struct, frozen=True):
    """How many were `found`; of these each was `compiled`, `refused` with an error, or `undecidable`."""

    found: int
    compiled: int
    undecidable: int

    @property
    def refused(self) -> int:
        return self.found - self.compiled - self.undecidable


class Lowered(Struct, frozen=True):
    """The tool set, the modules of dependency injection, if there may be any, and what became of all tools and agents.

    `peers` are the tools as the configured `target_runtime` has them.
    """

    toolset: ToolSet
    graph: Graph | None
    tools: Counts
    agents: Counts
    parts: tuple[Part, ...]
    common: frozenset[str]
    """The files of which something is said that no one part answers for."""
    bases: frozenset[str]
    """The keys of the classes in sources that were not lowered which classes of those that were derive from."""
    peers: tuple[PeerTool, ...] = ()


def lower(
    program: Program, sources: Sources, config: Config, sink: Sink, others: Others = NONE, *, is_share: bool = False
) -> Lowered:
    """The tools and agents of the sources; `others` are known of modules that are not among them.

    Of a share of a run, it is for `check_together` to warn of what tools of several modules are to each other.
    """
    resolver = Resolver(program)
    types = TypeReader(resolver, sink)
    declare(config.types, types, sink)
    makers = Makers(resolver, configured(config.decorators, resolver, sink))
    collector = Collector(types, makers, sink)
    parts = PartsOf(collector, sink)
    outputs = tuple(map(str, config.outputs))
    foresight = Foresight(types, sink, outputs, decoration=config.target_runtime is None)
    # The modules of dependency injection, and what shows another runtime's tools, look at functions again.
    again = config.target_runtime is not None or may_concern(sources.modules.files)
    agents_named = any(map(names_agents, sources.modules.files))
    # A module of tools has few classes for others; but agents have all looked at, and the configuration names some.
    asked = agents_named or bool(config.decorators or config.types)
    for module in sources.modules:
        has_tools = _read(module, parts, collector, foresight)
        if not again and not (agents_named and names_agents(module.file)):
            module.let_go(unread=has_tools and not asked)
        resolver.let_go()
        makers.let_go()
    agents = read_agents(types, makers, collector, sources.modules, sink)
    parts.noted(None)
    peers = _peers(config, types, makers, collector)
    _look_ahead(foresight, collector, sources, parts, others, sink)
    check_module_names(sources, collector.candidates, program, sink)
    needs = Needs(types.definitions)
    whole = [tool for tool in collector.tools if needs.of(tool) is not None]
    kept, merged = without_conflicts(whole, others.tools, collector.undecided, agents.holders, sink)
    if not is_share:
        warn_of_lookalikes([*collector.lowerer.names, *others.names], sink)
        warn_of_shared_names((*kept, *others.tools), sink)
    toolset = tool_set(kept, types, agents.agents(kept))
    parts.noted(None)
    check_definitions_visible(toolset, sink)
    parts.noted(None)
    found, undecidable = collector.found + others.found, collector.undecidable + others.undecidable
    return Lowered(
        toolset,
        read_graph(types, makers, sources, sink),
        Counts(found - merged, len(kept) + len(others.tools), undecidable),
        Counts(agents.found, len(toolset.agents), agents.undecidable),
        parts.parts(kept, collector.undecided),
        parts.common,
        _bases_elsewhere(sources, resolver) if program.has_others else frozenset(),
        peers,
    )


def check_together(others: Others, sink: Sink) -> None:
    """What concerns tools of several modules, where none of them is lowered here."""
    warn_of_lookalikes(list(others.names), sink)
    without_conflicts([], others.tools, {}, {}, sink)
    warn_of_shared_names(others.tools, sink)


def _bases_elsewhere(sources: Sources, resolver: Resolver) -> frozenset[str]:
    """The keys of the classes in other sources that classes of these derive from."""
    own = {id(module) for module in sources.modules}
    return frozenset(
        base.key
        for module in sources.modules
        for decl in classes_of(module)
        for base in (resolver.linear_bases(decl)[1:] if decl.bases else ())
        if id(base.scope.module) not in own and resolver.program.is_source(base.scope.module)
    )


def _peers(config: Config, types: TypeReader, makers: Makers, collector: Collector) -> tuple[PeerTool, ...]:
    """What the runtime that was asked for makes of the tools; none without one."""
    if config.target_runtime is None:
        return ()
    from .lauren_ai.tools import PeerReader

    return tuple(PeerReader(types, makers).read(collector.candidates, collector.tools))


def _read(module: ParsedModule, parts: PartsOf, collector: Collector, foresight: Foresight) -> bool:
    """The tools of a module, and what will go wrong with those that are its own; gives whether it has any."""
    before = len(collector.candidates)
    parts.add(module)
    foresight.look(each for each in collector.candidates[before:] if each.decl.scope.module is module)
    parts.noted(module.file.shown)
    return len(collector.candidates) > before


def _look_ahead(
    foresight: Foresight, collector: Collector, sources: Sources, parts: PartsOf, others: Others, sink: Sink
) -> None:
    """What will go wrong with sources that compile, and no module says by itself."""
    tool_classes = {
        candidate.decl.key for candidate in collector.candidates if isinstance(candidate.decl, ClassDecl)
    } | {f"{tool.module}:{tool.qualname}" for tool in others.tools if tool.form is Form.CLASS}
    for module in sources.modules if tool_classes else ():
        _note_subclasses(module, tool_classes, foresight.resolver, sink)
        parts.noted(module.file.shown)
    elsewhere: dict[int, list[Candidate]] = {}
    for candidate in collector.candidates:
        if candidate.maker.scope.module is not candidate.decl.scope.module:
            elsewhere.setdefault(id(candidate.decl.scope.module), []).append(candidate)
    for candidates in elsewhere.values():
        foresight.look(candidates)
    homes = {id(each.decl.scope.module): each.decl.scope.module for each in collector.candidates}
    foresight.look_at_imported(homes.values())
    # Whether a model is asked for is not for its own module to say.
    foresight.look_at_models(foresight.resolver.program.sources_read)
    parts.noted(None)


def tool_set(tools: list[Tool], types: TypeReader, agents: tuple[Agent, ...] = ()) -> ToolSet:
    """The tools in order, with the definitions they reach and no others."""
    needs = Needs(types.definitions)
    keys: set[str] = set()
    for tool in tools:
        keys |= needs.of(tool) or frozenset[str]()
    ordered = tuple(sorted(tools, key=lambda tool: tool.order))
    return ToolSet(ordered, tuple((key, types.definitions[key]) for key in sorted(keys)), agents)


def _note_subclasses(module: ParsedModule, tool_classes: set[str], resolver: Resolver, sink: Sink) -> None:
    """Note subclasses of tool classes, which are given by key, that are no tools themselves."""
    for decl in classes_of(module):
        bases = resolver.linear_bases(decl)[1:] if decl.bases and decl.key not in tool_classes else []
        base = next((base for base in bases if base.key in tool_classes), None)
        if base is not None:
            message = f"`{decl.name}` is a subclass of a tool and no tool by itself"
            label = Label(base.scope.module.file.span(base.name_pos), "this is the tool")
            span = decl.scope.module.file.span(decl.name_pos)
            remedy = "decorate it with `@tool()` if it should be one"
            sink.add(rules.UNDECORATED_SUBCLASS.at(span, message, labels=(label,), help=remedy))
