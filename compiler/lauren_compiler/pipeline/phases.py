"""The phases, in order: configuration in, artifacts and diagnostics out. Nothing is written here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..config import Config, shown
from ..diagnostics.model import Level, Sink
from ..diagnostics.rules.agents import UNDECIDABLE_AGENT
from ..diagnostics.rules.tools import UNDECIDABLE_TOOL
from ..emit.render import Frames
from ..emit.spool import Spool
from ..injection.levels import as_configured
from ..ir.verify import verify
from ..source.filesystem import FileSystem
from ..targets.listing import NO_LISTING
from ..units.again import Earlier, texts_of
from ..units.building import MovedError
from ..units.building import files as build_files
from .front import front, front_of_changes
from .outcome import NOTHING_MADE, Outcome, made_of, outcome_of

if TYPE_CHECKING:
    from ..ir.graph import Application


def whole(config: Config, files: FileSystem, directory: Path, *, keeps: bool) -> Outcome:
    """All phases over all sources."""
    sink = Sink()
    found = front(config, files, shower(directory), sink, keeps=keeps)
    lowered = found.lowered
    if config.strict_discovery:
        sink = strict(sink)
    verify(lowered.toolset)
    if lowered.peers:
        from ..targets.peers import differences  # for those who ask what another runtime makes of their tools

        sink.extend(differences(lowered.peers, lowered.toolset))
    applications: tuple[Application, ...] = ()
    if lowered.graph is not None:
        from ..injection.checks import check

        applications = check(lowered.graph, sink)
    sink, sound = as_configured(sink, config.levels)
    applied = applications if sound else ()
    built = build_files(lowered.toolset, applied, (), NO_LISTING, config, sink, Frames(), Spool())
    made = made_of(built, found, config, None) if built is not None else NOTHING_MADE
    return outcome_of(built, found, sink, None, made)


def again(config: Config, files: FileSystem, directory: Path, earlier: Earlier) -> Outcome | None:
    """The same by what changed since an earlier run; None if that is not to be told from it alone."""
    sink = Sink()
    found = front_of_changes(config, files, shower(directory), sink, earlier)
    if found is None or found.places is None:
        return None
    for unit in earlier.units:
        sink.extend(unit.diagnostics)
    if config.strict_discovery:
        sink = strict(sink)
    verify(found.lowered.toolset)
    sink, _ = as_configured(sink, config.levels)
    frames = Frames(earlier.frame)
    try:
        built = build_files(found.lowered.toolset, (), earlier.units, earlier.listing, config, sink, frames)
    except MovedError:
        return None
    made = made_of(built, found, config, earlier) if built is not None else NOTHING_MADE
    outcome = outcome_of(built, found, sink, earlier, made)
    try:
        texts = texts_of(earlier.units, sink, files)
    except OSError:
        return None  # gone since it was looked at
    return replace(outcome, sources={**texts, **outcome.sources})


def shower(directory: Path) -> Callable[[str], str]:
    """How paths are shown, relative to a directory."""
    return lambda path: shown(Path(path), directory)


def strict(found: Sink) -> Sink:
    """The diagnostics with an error for each tool and agent that can't be decided."""
    made = Sink()
    undecidable = (UNDECIDABLE_TOOL, UNDECIDABLE_AGENT)
    made.extend(item.at_level(Level.ERROR) if item.rule in undecidable else item for item in found)
    return made
