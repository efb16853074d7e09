"""Agents: which tools a class may call, and what the modules that run it add."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ..source.span import Span

if TYPE_CHECKING:
    from .tools import SourceLocation


class Named(Struct, frozen=True):
    """A definition that a list names, as `module:qualname`, and the place where it stands there."""

    key: str
    span: Span


class Open(Struct, frozen=True):
    """An option of which not all is known from the source; `why` completes "it can't be known …: it is …"."""

    option: str
    span: Span
    why: str


class AgentModule(Struct, frozen=True):
    """One `AgentModule.for_root(...)`, as far as its source says.

    `name` is the variable that it is bound to, as `module:qualname`; None if it is bound to none. Of each option, what
    is named in it, in order; `runner` has one item at most. `given` are all options that the call has.
    """

    module: str
    name: str | None
    agents: tuple[Named, ...]
    tools: tuple[Named, ...]
    imports: tuple[Named, ...]
    shared_tools: tuple[Named, ...]
    export_tools: tuple[Named, ...]
    injects: tuple[Named, ...]
    hooks: tuple[Named, ...]
    runner: tuple[Named, ...]
    given: tuple[str, ...]
    open: tuple[Open, ...]
    span: Span


class AgentTool(Struct, frozen=True):
    """A tool in an agent's list: which it is, as `Tool.order` has it, and where it is listed."""

    name: str
    module: str
    qualname: str
    span: Span

    @property
    def order(self) -> tuple[str, str, str]:
        return (self.name, self.module, self.qualname)


class Agent(Struct, frozen=True):
    """A compiled agent. `model` and `system` are None where the source does not say; `tools` stand in their order."""

    name: str
    module: str
    qualname: str
    model: str | None
    system: str | None
    tools: tuple[AgentTool, ...]
    source: SourceLocation
    span: Span

    @property
    def order(self) -> tuple[str, str, str]:
        """Agents stand in this order everywhere."""
        return (self.name, self.module, self.qualname)

    @property
    def local(self) -> bool:
        """Whether a function makes the class, so that no import fetches it."""
        return "<locals>" in self.qualname
