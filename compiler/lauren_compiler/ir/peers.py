"""What another runtime makes of a tool, as far as the source says it: for comparing it with what is compiled.

A schema here may hold, in place of a part, `{LOST: true}`: a string, or an object without properties, for a type that
the other runtime does not know; and `{MODEL: key}`: what pydantic says of that definition.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ..source.span import Span
from .divergences import Divergence

LOST = "x-lost"
MODEL = "x-model"
NO_JSON = "x-no-json"
"""The default is an object that JSON has no form of."""


class Finding(Struct, frozen=True):
    """A place where a row of the table applies."""

    row: Divergence
    span: Span


class PeerParameter(Struct, frozen=True):
    """One property. `findings` are the rows that made its schema, which is None if the parameter is not shown."""

    name: str
    schema: dict[str, Any] | None
    required: bool
    span: Span
    findings: tuple[Finding, ...]


class PeerTool(Struct, frozen=True):
    """A tool by its key, `module:qualname`, and name here. `findings` are about the tool as a whole."""

    key: str
    name: str
    own_name: str
    description: str
    parameters: tuple[PeerParameter, ...]
    span: Span
    findings: tuple[Finding, ...] = ()
