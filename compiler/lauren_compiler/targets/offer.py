"""The provider files of a build: for each target one with all tools, and one for each agent with its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct

from ..config import Config
from ..diagnostics.model import Diagnostic, Sink
from ..emit.agents import agent_folders
from ..emit.artifact import Artifact
from ..emit.json_text import Texts
from ..emit.listing import Layout, Merge, Part, layout_of, listed, part
from ..emit.spool import IN_MEMORY, Spool
from ..ir.cards import Listed
from ..ir.tools import ToolSet
from .base import Entry, Target
from .checks import Finding
from .listing import NO_LISTING, Listing, Offer, file_of
from .lists import new_slots, of_all, old_slots
from .registry import DEFAULT_TARGETS, TARGETS
from .writing import Written, diagnostic, written


class Offers(Struct, frozen=True):
    """`providers/<target>.json` and `agents/<agent>/<target>.json`, what the manifest says of each target, what was
    found."""

    artifacts: tuple[Artifact, ...]
    manifest: Mapping[str, Mapping[str, Any]]
    diagnostics: tuple[Diagnostic, ...]
    against: Mapping[str, Sequence[Sequence[Finding]]]
    """What each target has against each tool of the tool set by itself."""
    parts: Mapping[str, Sequence[Part]]
    """What each file for all tools has of each tool, in order; nothing of those of which `offers` tell."""
    offers: Mapping[str, Sequence[Offer | None]]


def build(
    toolset: ToolSet,
    entries: Sequence[Entry],
    config: Config,
    texts: Texts,
    others: Listing = NO_LISTING,
    spool: Spool = IN_MEMORY,
) -> Offers:
    """Write `entries` (the manifest's, in the order of `toolset`) for the configured targets, for all if none is.

    A tool that a target is known to refuse is left out of its files: with an error if the user named the targets, else
    with a warning. `texts` are those of schemas, `spool` holds the files for all tools. `others` are tools that these
    have besides those of `toolset`; what is against each of them was told.

    Raises KeyError for a target that `TARGETS` does not have.
    """
    sink = Sink()
    names = config.targets or DEFAULT_TARGETS
    merge = Merge(toolset.tools, others.tools)
    writer = _Writer(toolset, entries, texts, others, merge, spool, sink, config.targets_named)
    files = {name: writer.of(TARGETS[name]) for name in names}
    return Offers(
        tuple(artifact for each in files.values() for artifact in each.artifacts),
        {name: each.about for name, each in files.items()},
        tuple(sink),
        {name: each.against for name, each in files.items()},
        {file_of(name): each.parts for name, each in files.items()},
        {name: each.offers for name, each in files.items()},
    )


class _Files(NamedTuple):
    """Those of one target; see `Offers`."""

    artifacts: list[Artifact]
    about: dict[str, Any]
    against: Sequence[Sequence[Finding]]
    parts: Sequence[Part]
    offers: Sequence[Offer | None]


class _Writer(NamedTuple):
    """What `build` is given. It writes for one target after the other, and lets go each one's entries."""

    toolset: ToolSet
    entries: Sequence[Entry]
    texts: Texts
    others: Listing
    merge: Merge
    spool: Spool
    sink: Sink
    named: bool

    def of(self, target: Target) -> _Files:
        path = file_of(target.name)
        made = written(target, self.toolset, self.entries)
        tools: list[Listed] = self.merge(self.toolset.tools, self.others.tools)
        slots = self.merge(new_slots(target, self.toolset, made, self.texts), old_slots(target.name, self.others))
        text = self.others.texts.get(path, b"")
        whole = of_all(target, tools, slots, text, self.texts, self.sink, named=self.named)
        for each in made:
            self.sink.extend(diagnostic(found, [each.tool], path, named=self.named) for found in each.against)
        layout = layout_of(target.group)
        pieces = listed([each for each in whole.parts if each], layout, text)
        artifacts = [self.spool.hold(Artifact(path, [*pieces, b"\n"]))]
        agents, about = self._agents(target, made, layout)
        artifacts += agents
        if about:
            whole.about["agents"] = about
        against = [each.against for each in made]
        return _Files(artifacts, whole.about, against, self.spool.lengths(whole.parts), whole.offers)

    def _agents(
        self, target: Target, made: Sequence[Written], layout: Layout
    ) -> tuple[list[Artifact], dict[str, dict[str, Any]]]:
        """The files of the agents, and by folder what the manifest says of each."""
        files: list[Artifact] = []
        about: dict[str, dict[str, Any]] = {}
        for agent, folder in zip(self.toolset.agents, agent_folders(self.toolset.agents), strict=True):
            from .agents import agent_offer

            path = f"agents/{folder}/{target.name}.json"
            offered, about[folder] = agent_offer(target, agent, made, path, self.sink, named=self.named)
            lines = [part(each, self.texts, layout) for each in offered]
            files.append(Artifact(path, [*listed(lines, layout), b"\n"]))
        return files, about
