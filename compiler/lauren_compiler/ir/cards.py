"""What linking asks of a tool: enough to tell it from all others of its build."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from ..source.span import Span
from .tools import Binding, Form, Tool


class Card(Struct, frozen=True):
    """A tool without its types. The fields are those of `Tool`."""

    name: str
    module: str
    qualname: str
    binding: Binding
    form: Form
    span: Span

    @property
    def order(self) -> tuple[str, str, str]:
        """As `Tool.order`."""
        return (self.name, self.module, self.qualname)


Listed: TypeAlias = Tool | Card


def card_of(tool: Tool) -> Card:
    """The card of a tool."""
    return Card(tool.name, tool.module, tool.qualname, tool.binding, tool.form, tool.span)
