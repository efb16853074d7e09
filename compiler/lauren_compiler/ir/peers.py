"""What another runtime makes of a tool, as far as the source says it: for comparing it with what is compiled.

A schema here may hold, in place of a part, `{LOST: true}`: a string, or an object without properties, for a type that
the other runtime does not know; and `{MODEL: key}`: what pydantic says of that definition.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..source.span import Span
from .divergences import Divergence

LOST = "x-lost"
MODEL = "x-model"
NO_JSON = "x-no-json"
"""The default is an object that JSON has no form of."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where a row of the table applies."""

    row: Divergence
    span: Span


@dataclass(frozen=True, slots=True)
class PeerParameter:
    """One property. `findings` are the rows that made its schema, which is None if the parameter is not shown."""

    name: str
    schema: dict[str, Any] | None
    required: bool
    span: Span
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class PeerTool:
    """A tool by its key, `module:qualname`, and name here. `findings` are about the tool as a whole."""

    key: str
    name: str
    own_name: str
    description: str
    parameters: tuple[PeerParameter, ...]
    span: Span
    findings: tuple[Finding, ...] = ()
