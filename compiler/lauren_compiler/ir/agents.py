"""Agents: which tools a class may call, and what the modules that run it add."""

from __future__ import annotations

from dataclasses import dataclass

from ..source.span import Span


@dataclass(frozen=True, slots=True)
class Named:
    """A definition that a list names, as `module:qualname`, and the place where it stands there."""

    key: str
    span: Span


@dataclass(frozen=True, slots=True)
class Open:
    """An option of which not all is known from the source; `why` completes "it can't be known …: it is …"."""

    option: str
    span: Span
    why: str


@dataclass(frozen=True, slots=True)
class AgentModule:
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
