"""Agents as their sources say, before it is clear which tools the build keeps."""

from __future__ import annotations

from msgspec import Struct, field

from ...source.span import Span
from ...syntax.declarations import ClassDecl, FunctionDecl


class Draft(Struct, eq=False):
    """One agent. `tools` are the declarations of its tools by id, each with the place where it is listed.

    `decided`: False for a class under a condition that can't be decided. `left_out`: not all of it can be known, and
    that was said. `sound` is False after an error.
    """

    decl: ClassDecl
    name: str
    model: str | None
    system: str | None
    span: Span
    tools: dict[int, tuple[FunctionDecl | ClassDecl, Span]] = field(
        default_factory=dict[int, tuple[FunctionDecl | ClassDecl, Span]]
    )
    decided: bool = True
    left_out: bool = False
    sound: bool = True

    @property
    def local(self) -> bool:
        """Whether the class is made by a function, so that no import fetches it."""
        return "<locals>" in self.decl.qualname

    def says(self) -> tuple[object, ...]:
        """What two definitions of one agent have to agree in."""
        return (self.name, self.model, self.system, frozenset(self.tools))
