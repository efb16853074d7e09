"""The provider files of a build."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..config import Config
from ..diagnostics.model import Diagnostic, Level, Sink
from ..diagnostics.rules.providers import TOO_MANY_TOOLS
from ..emit.artifact import Artifact
from ..emit.json_text import Texts, readable_json
from ..ir.tools import Binding, Tool, ToolSet
from .base import Entry, Target
from .checks import Candidate, Finding, findings
from .registry import DEFAULT_TARGETS, TARGETS
from .rewrite import rewrite

_MOST_NOTES = 10


@dataclass(frozen=True, slots=True)
class Offers:
    """`providers/<target>.json` for each target, what the manifest says of each, and what was found."""

    artifacts: tuple[Artifact, ...]
    manifest: Mapping[str, Mapping[str, Any]]
    diagnostics: tuple[Diagnostic, ...]


def build(toolset: ToolSet, entries: Sequence[Entry], config: Config, texts: Texts) -> Offers:
    """Write `entries` (the manifest's, in the order of `toolset`) for the configured targets, for all if none is.

    A tool that a target is known to refuse is left out of its file: with an error if the user named the targets, else
    with a warning. `texts` are those of parts of the entries.

    Raises KeyError for a target that `TARGETS` does not have.
    """
    sink = Sink()
    offers = {
        name: _offer(TARGETS[name], toolset, entries, sink, named=config.targets_named)
        for name in config.targets or DEFAULT_TARGETS
    }
    artifacts = tuple(
        Artifact(f"providers/{name}.json", readable_json(offer.file, texts)) for name, offer in offers.items()
    )
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
    over: list[tuple[Tool, Finding]] = []
    for tool, entry in zip(toolset.tools, entries, strict=True):
        place = len(tools) + 1 if tool.binding is Binding.IMPORT else None
        schema = rewrite(entry["input_schema"], target.rewrites)
        against = list(findings(Candidate(tool, toolset, schema, place), target))
        over += ((tool, finding) for finding in against if finding.rule is TOO_MANY_TOOLS)
        rest = (finding for finding in against if finding.rule is not TOO_MANY_TOOLS)
        sink.extend(_diagnostic(finding, [tool], target, named=named) for finding in rest)
        refused = [_omission(tool, finding) for finding in against if finding.limit.certainty.enforced]
        if refused:
            omitted += refused
        elif place is None:
            bind.append({"tool": f"{tool.module}:{tool.qualname}", "entry": target.entry(entry, schema)})
        else:
            names.append(tool.name)
            tools.append(target.entry(entry, schema))
    # What a target has against a number of tools is one fault, told at the first that is too many.
    for _, finding in over[:1]:
        sink.add(_diagnostic(finding, [each for each, _ in over], target, named=named))
    # `lossy`: nothing is lost in the forms written so far.
    manifest = {"lossy": [], "omitted": omitted, "tools": names, "group": target.group, "bind": bind}
    return _Offer([{target.group: tools}] if target.group is not None and tools else tools, manifest)


def _omission(tool: Tool, finding: Finding) -> dict[str, Any]:
    """What the manifest says of a tool that is left out of a target's file."""
    return {"tool": tool.name, "code": finding.rule.code, "message": finding.message}


def _diagnostic(finding: Finding, tools: Sequence[Tool], target: Target, *, named: bool) -> Diagnostic:
    """A finding about `tools`, which are left out if the limit is sure."""
    limit = finding.limit
    notes = [f"source: {limit.source} ({limit.certainty.value}, {limit.read})"]
    if limit.certainty.enforced and not named:
        notes += [f"`{tool.name}` is left out of providers/{target.name}.json" for tool in tools[:_MOST_NOTES]]
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
