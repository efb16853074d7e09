"""The provider files of a build: for each target one with all tools, and one for each agent with its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from ..config import Config
from ..diagnostics.model import Diagnostic, Sink
from ..emit.agents import agent_folders
from ..emit.artifact import Artifact
from ..emit.json_text import Texts
from ..emit.listing import Merge, Part, layout_of, listed, part
from ..ir.cards import Listed
from ..ir.tools import ToolSet
from .base import Entry
from .listing import NO_LISTING, Listing, Offer, file_of
from .lists import List, new_slots, of_all, old_slots
from .registry import DEFAULT_TARGETS, TARGETS
from .writing import Written, diagnostic, written


class Offers(Struct, frozen=True):
    """`providers/<target>.json` and `agents/<agent>/<target>.json`, what the manifest says of each target, what was
    found."""

    artifacts: tuple[Artifact, ...]
    manifest: Mapping[str, Mapping[str, Any]]
    diagnostics: tuple[Diagnostic, ...]
    written: Mapping[str, Sequence[Written]]
    """The tools of the tool set in each target's form."""
    parts: Mapping[str, Sequence[Part]]
    """What each file for all tools has of each tool, in order; nothing of those of which `offers` tell."""
    offers: Mapping[str, Sequence[Offer | None]]


def build(
    toolset: ToolSet, entries: Sequence[Entry], config: Config, texts: Texts, others: Listing = NO_LISTING
) -> Offers:
    """Write `entries` (the manifest's, in the order of `toolset`) for the configured targets, for all if none is.

    A tool that a target is known to refuse is left out of its files: with an error if the user named the targets, else
    with a warning. `texts` are those of schemas. `others` are tools that the files have besides those of
    `toolset`; what is against each of them was told.

    Raises KeyError for a target that `TARGETS` does not have.
    """
    sink = Sink()
    artifacts: list[Artifact] = []
    manifest: dict[str, dict[str, Any]] = {}
    made: dict[str, Sequence[Written]] = {}
    lists: dict[str, List] = {}
    merge = Merge(toolset.tools, others.tools)
    tools: list[Listed] = merge(toolset.tools, others.tools)
    for name in config.targets or DEFAULT_TARGETS:
        target = TARGETS[name]
        made[name] = written(target, toolset, entries)
        slots = merge(new_slots(target, toolset, made[name], texts), old_slots(name, others))
        named = config.targets_named
        text = others.texts.get(file_of(name), b"")
        lists[name] = of_all(target, tools, slots, text, texts, sink, named=named)
        manifest[name] = lists[name].about
        for each in made[name]:
            sink.extend(diagnostic(found, [each.tool], file_of(name), named=named) for found in each.against)
        parts = [each for each in lists[name].parts if each]
        layout = layout_of(target.group)
        artifacts.append(Artifact(file_of(name), [*listed(parts, layout, text), b"\n"]))
        about: dict[str, Any] = {}
        for agent, folder in zip(toolset.agents, agent_folders(toolset.agents), strict=True):
            from .agents import agent_offer

            path = f"agents/{folder}/{name}.json"
            offered, about[folder] = agent_offer(target, agent, made[name], path, sink, named=named)
            lines = [part(each, texts, layout) for each in offered]
            artifacts.append(Artifact(path, [*listed(lines, layout), b"\n"]))
        if about:
            manifest[name]["agents"] = about
    columns = {file_of(name): each.parts for name, each in lists.items()}
    offers = {name: each.offers for name, each in lists.items()}
    return Offers(tuple(artifacts), manifest, tuple(sink), made, columns, offers)
