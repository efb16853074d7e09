"""Each tool in a target's form, with what the target has against it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ..diagnostics.model import Diagnostic, Level
from ..ir.cards import Listed
from ..ir.tools import ToolSet
from .base import Entry, Target
from .checks import Candidate, Finding, findings
from .rewrite import rewrite

_MOST_NOTES = 10


class Written(Struct, frozen=True):
    """A tool as the target wants it. `against` is what is beyond the target's limits, but for the number of tools.

    `omitted` is what the manifest says where no list of the target can hold it.
    """

    tool: Listed
    entry: dict[str, Any]
    against: tuple[Finding, ...]
    omitted: tuple[Mapping[str, Any], ...]


def written(target: Target, toolset: ToolSet, entries: Sequence[Entry]) -> list[Written]:
    """All tools, in order; `entries` are the manifest's."""
    found: list[Written] = []
    for tool, entry in zip(toolset.tools, entries, strict=True):
        schema = rewrite(entry["input_schema"], target.rewrites)
        against = findings(Candidate(tool, toolset, schema), target)
        refused = tuple(omission(tool, finding) for finding in against if finding.limit.certainty.enforced)
        found.append(Written(tool, target.entry(entry, schema), against, refused))
    return found


def omission(tool: Listed, finding: Finding) -> dict[str, Any]:
    """What the manifest says of a tool that is left out of a target's file."""
    return {"tool": tool.name, "code": finding.rule.code, "message": finding.message}


def diagnostic(finding: Finding, tools: Iterable[Listed], file: str, *, named: bool) -> Diagnostic:
    """A finding about `tools`, which are left out of `file` if the limit is sure and the user did not name the target.

    If they did, it is an error.
    """
    limit, tools = finding.limit, list(tools)
    notes = [f"source: {limit.source} ({limit.certainty.value}, {limit.read})"]
    if limit.certainty.enforced and not named:
        notes += [f"`{tool.name}` is left out of {file}" for tool in tools[:_MOST_NOTES]]
        if len(tools) > _MOST_NOTES:
            notes.append(f"and so are {len(tools) - _MOST_NOTES} more")
    return finding.rule.at(
        finding.span,
        finding.message,
        label=finding.label,
        notes=notes,
        help=finding.help,
        level=Level.ERROR if named and limit.certainty.enforced else Level.WARNING,
    )
