"""The provider files of a build: for each target one with all tools, and one for each agent with its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from msgspec import Struct

from ..config import Config
from ..diagnostics.model import Diagnostic, Sink
from ..emit.agents import agent_folders
from ..emit.artifact import Artifact
from ..emit.json_text import Texts, readable_json
from ..ir.cards import Listed
from ..ir.tools import Binding, ToolSet
from .agents import agent_offer
from .base import Entry, Target
from .checks import Finding, too_many
from .registry import DEFAULT_TARGETS, TARGETS
from .writing import Written, content, diagnostic, omission, written

NOTHING: Mapping[str, Sequence[Written]] = MappingProxyType({})


class Offers(Struct, frozen=True):
    """`providers/<target>.json` and `agents/<agent>/<target>.json`, what the manifest says of each target, what was
    found."""

    artifacts: tuple[Artifact, ...]
    manifest: Mapping[str, Mapping[str, Any]]
    diagnostics: tuple[Diagnostic, ...]
    written: Mapping[str, Sequence[Written]]
    """The tools of the tool set in each target's form."""


def build(
    toolset: ToolSet,
    entries: Sequence[Entry],
    config: Config,
    texts: Texts,
    others: Mapping[str, Sequence[Written]] = NOTHING,
) -> Offers:
    """Write `entries` (the manifest's, in the order of `toolset`) for the configured targets, for all if none is.

    A tool that a target is known to refuse is left out of its files: with an error if the user named the targets, else
    with a warning. `texts` are those of schemas. `others` are tools that the files have besides those of
    `toolset`, by target; what is against them was told.

    Raises KeyError for a target that `TARGETS` does not have.
    """
    sink = Sink()
    artifacts: list[Artifact] = []
    manifest: dict[str, dict[str, Any]] = {}
    made: dict[str, Sequence[Written]] = {}
    for name in config.targets or DEFAULT_TARGETS:
        target = TARGETS[name]
        made[name] = written(target, toolset, entries)
        tools: Sequence[Written] = made[name]
        if name in others:
            tools = sorted((*tools, *others[name]), key=lambda each: each.tool.order)
        file, manifest[name] = _offer(target, toolset, tools, sink, named=config.targets_named)
        artifacts.append(Artifact(f"providers/{name}.json", readable_json(file, texts)))
        about: dict[str, Any] = {}
        for agent, folder in zip(toolset.agents, agent_folders(toolset.agents), strict=True):
            path = f"agents/{folder}/{name}.json"
            offered, about[folder] = agent_offer(target, agent, tools, path, sink, named=config.targets_named)
            artifacts.append(Artifact(path, readable_json(offered, texts)))
        if about:
            manifest[name]["agents"] = about
    return Offers(tuple(artifacts), manifest, tuple(sink), made)


def _offer(
    target: Target, toolset: ToolSet, tools: Sequence[Written], sink: Sink, *, named: bool
) -> tuple[list[Mapping[str, Any]], dict[str, Any]]:
    """The file for all tools, and what the manifest says of it."""
    path = f"providers/{target.name}.json"
    entries: list[Mapping[str, Any]] = []
    names: list[str] = []
    bind: list[dict[str, Any]] = []
    omitted: list[Mapping[str, Any]] = []
    over: list[tuple[Listed, Finding]] = []
    for each in tools:
        tool = each.tool
        if each.against:
            sink.extend(diagnostic(finding, [tool], path, named=named) for finding in each.against)
        refused = list(each.omitted)
        apart = tool.binding is Binding.BIND or toolset.is_its_agents_alone(tool)
        beyond = () if apart else too_many(tool, len(entries) + 1, target)
        over += ((tool, finding) for finding in beyond)
        refused += (omission(tool, finding) for finding in beyond if finding.limit.certainty.enforced)
        if refused:
            omitted += refused
        elif apart:
            bind.append({"tool": f"{tool.module}:{tool.qualname}", "entry": each.entry})
        else:
            names.append(tool.name)
            entries.append(each.entry)
    # What a target has against a number of tools is one fault, told at the first that is too many.
    for _, finding in over[:1]:
        sink.add(diagnostic(finding, [each for each, _ in over], path, named=named))
    # `lossy`: nothing is lost in the forms written so far.
    about = {"lossy": [], "omitted": omitted, "tools": names, "group": target.group, "bind": bind}
    return content(target, entries), about
