"""Parsed modules → `ToolSet`: everything found, lowered, and put in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..config import Config
from ..diagnostics.model import Label, Sink
from ..diagnostics.rules import tools as rules
from ..ir.graph import Graph
from ..ir.references import needed
from ..ir.tools import Binding, Tool, ToolSet
from ..semantics.declared import declare
from ..semantics.load import Sources
from ..semantics.program import Program
from ..semantics.resolver import Resolver
from ..semantics.types import TypeReader
from ..syntax.declarations import ClassDecl, ParsedModule
from .configured import configured
from .conflicts import warn_of_lookalikes, without_conflicts
from .discovery import Candidate, Discovery, classes_of
from .foresight import Foresight
from .injection.graph import read_graph
from .makers import Makers
from .modules import check_module_names
from .rebinding import is_rebound
from .tools import ToolLowerer, Verdict


@dataclass(frozen=True, slots=True)
class Lowered:
    """The tool set, and the modules of dependency injection; `found` counts tools, the refused and the undecidable."""

    toolset: ToolSet
    graph: Graph
    found: int
    refused: int
    undecidable: int


def lower(program: Program, sources: Sources, config: Config, sink: Sink) -> Lowered:
    """The tools of the sources."""
    resolver = Resolver(program)
    types = TypeReader(resolver, sink)
    declare(config.types, types, sink)
    makers = Makers(resolver, configured(config.decorators, resolver, sink))
    discovery = Discovery(resolver, makers, sink)
    lowerer = ToolLowerer(types, makers, sink)
    tools: list[Tool] = []
    undecided: set[int] = set()
    candidates: list[Candidate] = []
    found = undecidable = 0
    for module in sources.modules:
        finds = discovery.find(module)
        found += len(finds.candidates) + finds.undecidable + finds.refused
        undecidable += finds.undecidable
        candidates += finds.candidates
        made = {id(candidate.decl) for candidate in finds.candidates}
        for candidate in finds.candidates:
            tool = lowerer.lower(candidate)
            if isinstance(tool, Tool) and tool.binding is Binding.IMPORT:
                if is_rebound(candidate.decl, made, resolver, sink):
                    continue
            if isinstance(tool, Tool) and candidate.sound:
                tools.append(tool)
                if not candidate.decided:
                    undecided.add(id(tool))
            elif tool is Verdict.UNDECIDABLE:
                undecidable += 1
    Foresight(types, sink).look(candidates, sources.modules)
    _note_subclasses(sources.modules, candidates, resolver, sink)
    check_module_names(sources, candidates, program, sink)
    warn_of_lookalikes(lowerer.names, sink)
    whole = [tool for tool in tools if needed(tool, types.definitions) is not None]
    kept, merged = without_conflicts(whole, undecided, sink)
    found -= merged
    graph = read_graph(types, makers, sources, sink)
    return Lowered(tool_set(kept, types), graph, found, found - undecidable - len(kept), undecidable)


def tool_set(tools: list[Tool], types: TypeReader) -> ToolSet:
    """The tools in order, with the definitions they reach and no others."""
    keys: set[str] = set()
    for tool in tools:
        keys |= needed(tool, types.definitions) or frozenset[str]()
    ordered = tuple(sorted(tools, key=lambda tool: tool.order))
    return ToolSet(ordered, tuple((key, types.definitions[key]) for key in sorted(keys)))


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
