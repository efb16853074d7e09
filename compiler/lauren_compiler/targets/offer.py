"""The provider files of a build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..config import Config
from ..diagnostics.model import Diagnostic, Level, Sink
from ..emit.artifact import Artifact
from ..emit.json_text import readable_json
from ..ir.tools import Binding, Tool, ToolSet
from .base import Entry, Target
from .checks import Candidate, Finding, findings
from .registry import DEFAULT_TARGETS, TARGETS
from .rewrite import rewrite


@dataclass(frozen=True, slots=True)
class Offers:
    """`providers/<target>.json` for each target, what the manifest says of each, and what was found."""

    artifacts: tuple[Artifact, ...]
    manifest: Mapping[str, Mapping[str, Any]]
    diagnostics: tuple[Diagnostic, ...]


def build(toolset: ToolSet, entries: Sequence[Entry], config: Config) -> Offers:
    """Write `entries` (the manifest's, in the order of `toolset`) for the configured targets, for all if none is.

    A tool that a target is known to refuse is left out of its file: with an error if the user named the targets, else
    with a warning. Raises KeyError for a target that `TARGETS` does not have.
    """
    sink = Sink()
    offers = {
        name: _offer(TARGETS[name], toolset, entries, sink, named=config.targets_named)
        for name in config.targets or DEFAULT_TARGETS
    }
    artifacts = tuple(Artifact(f"providers/{name}.json", readable_json(offer.file)) for name, offer in offers.items())
    return Offers(artifacts, {name: offer.manifest for name, offer in offers.items()}, tuple(sink))


@dataclass(frozen=True, slots=True)
class _Offer:
    file: list[dict[str, Any]]
    manifest: dict[str, Any]


def _offer(target: Target, toolset: ToolSet, entries: Sequence[Entry], sink: Sink, *, named: bool) -> _Offer:
    tools: list[dict[str, Any]] = []
    names: list[str] = []
    bind: list[dict[str, Any]] = []
    omitted: list[dict[str, Any]] = []
    for tool, entry in zip(toolset.tools, entries, strict=True):
        place = len(tools) + 1 if tool.binding is Binding.IMPORT else None
        schema = rewrite(entry["input_schema"], target.rewrites)
        refused = _report(Candidate(tool, toolset, schema, place), target, sink, named=named)
        if refused:
            omitted += refused
        elif place is None:
            bind.append({"tool": f"{tool.module}:{tool.qualname}", "entry": target.entry(entry, schema)})
        else:
            names.append(tool.name)
            tools.append(target.entry(entry, schema))
    # `lossy`: nothing is lost in the forms written so far.
    manifest = {"lossy": [], "omitted": omitted, "tools": names, "group": target.group, "bind": bind}
    return _Offer([{target.group: tools}] if target.group is not None and tools else tools, manifest)


def _report(candidate: Candidate, target: Target, sink: Sink, *, named: bool) -> list[dict[str, Any]]:
    """Add what `target` has against a tool to `sink`; return what keeps the tool out of its file."""
    refused: list[dict[str, Any]] = []
    for finding in findings(candidate, target):
        sink.add(_diagnostic(finding, candidate.tool, target, named=named))
        if finding.limit.certainty.enforced:
            refused.append({"tool": candidate.tool.name, "code": finding.rule.code, "message": finding.message})
    return refused


def _diagnostic(finding: Finding, tool: Tool, target: Target, *, named: bool) -> Diagnostic:
    limit = finding.limit
    notes = [f"source: {limit.source} ({limit.certainty.value}, {limit.read})"]
    if limit.certainty.enforced and not named:
        notes.append(f"`{tool.name}` is left out of providers/{target.name}.json")
    return finding.rule.at(
        finding.span,
        finding.message,
        label=finding.label,
        notes=notes,
        help=finding.help,
        level=Level.ERROR if named and limit.certainty.enforced else Level.WARNING,
    )
