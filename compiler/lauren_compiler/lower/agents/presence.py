"""Whether the sources may have agents: most have none, and then nothing more is imported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ...diagnostics.model import Sink
from ...ir.agents import Agent
from ...ir.tools import Tool
from ...semantics.resolver import Resolver
from ...semantics.symbols import KnownSymbol
from ...semantics.types import TypeReader
from ...source.file import SourceFile
from ...syntax.declarations import ParsedModule, Scope
from ...syntax.expressions import Attribute, Call, Expr, Name
from ..collecting import Collector
from ..makers import Makers

if TYPE_CHECKING:
    from .lowering import AgentLowerer

_OTHERS = frozenset({"dataclasses.dataclass", "enum.unique", "typing.final", "typing.runtime_checkable"})
"""Decorators of classes that many sources have, and that leave the class what it is."""


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
    if not any(_may_have_agents(module, types.resolver) for module in modules):
        return NoAgents()
    from .lowering import AgentLowerer

    found = AgentLowerer(types, makers, collector, sink)
    found.read(modules)
    return found


def names_agents(file: SourceFile) -> bool:
    """Whether a file names `agent`, or gives one to a module: then its functions are looked into."""
    return "agent" in file.text or "for_root" in file.text


def _may_have_agents(module: ParsedModule, resolver: Resolver) -> bool:
    """Whether a module names them, or decorates a class with what may be `agent` under another name."""
    if names_agents(module.file):
        return True
    if "import" not in module.file.text:
        return False
    return any(
        decl.bases or not _is_of_others(decorator.expr, decl.scope, resolver)
        for _, _, decl in module.classes
        for decorator in decl.decorators
    )


def _is_of_others(decorator: Expr, scope: Scope, resolver: Resolver) -> bool:
    """Whether a decorator is known, and makes no agent: `@dataclass`, `@dataclass(frozen=True)`."""
    named = decorator.func if isinstance(decorator, Call) else decorator
    symbol = resolver.dealias(resolver.resolve(named, scope)) if isinstance(named, (Name, Attribute)) else None
    return isinstance(symbol, KnownSymbol) and symbol.name in _OTHERS
