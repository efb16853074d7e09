"""Whether the sources may have agents: most have none, and then nothing more is imported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ...diagnostics.model import Sink
from ...ir.agents import Agent
from ...ir.tools import Tool
from ...semantics.types import TypeReader
from ...source.file import SourceFile
from ...syntax.declarations import ParsedModule
from ..collecting import Collector
from ..makers import Makers

if TYPE_CHECKING:
    from .lowering import AgentLowerer


class NoAgents:
    """What `AgentLowerer` is for sources without agents."""

    found = 0
    undecidable = 0

    @property
    def holders(self) -> Mapping[str, frozenset[int]]:
        return {}

    def agents(self, tools: Iterable[Tool]) -> tuple[Agent, ...]:
        return ()


def read_agents(
    types: TypeReader, makers: Makers, collector: Collector, modules: Iterable[ParsedModule], sink: Sink
) -> AgentLowerer | NoAgents:
    """The agents of the sources, and those that the modules in them run."""
    modules = list(modules)
    if not any(map(_may_have_agents, modules)):
        return NoAgents()
    from .lowering import AgentLowerer

    found = AgentLowerer(types, makers, collector, sink)
    found.read(modules)
    return found


def names_agents(file: SourceFile) -> bool:
    """Whether a file names `agent`, or gives one to a module: then its functions are looked into."""
    return "agent" in file.text or "for_root" in file.text


def _may_have_agents(module: ParsedModule) -> bool:
    """Whether a module names them, or decorates a class with what may be `agent` under another name."""
    if names_agents(module.file):
        return True
    return "import" in module.file.text and any(decl.decorators for _, _, decl in module.classes)
