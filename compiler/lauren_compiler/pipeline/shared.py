"""A run in several processes, each of which compiles some of the modules (units/shares.py)."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from msgspec.structs import replace

from ..config import Config
from ..diagnostics.model import Sink
from ..discover.files import find_sources
from ..discover.roots import rooted
from ..emit.artifact import Artifact
from ..emit.render import Frames
from ..injection.levels import as_configured
from ..ir.tools import ToolSet
from ..ir.verify import verify
from ..lower.program import Counts, check_together
from ..source.filesystem import FileSystem
from ..source.recording import Recording
from ..source.seen import Seen
from ..targets.listing import NO_LISTING, joined
from ..units.again import can_be_shown, paths_in, place_of, texts_of
from ..units.building import MovedError
from ..units.building import files as build_files
from ..units.making import units_of
from ..units.processes import CAN_FORK, in_processes
from ..units.shares import Share, dealt, decoded, derive_from_each_other, encoded
from ..units.unit import Place, known_of
from .front import front_of_share
from .outcome import Outcome
from .phases import shower, strict
from .stack import with_deep_stack

_FEWEST = 32
"""How many files a process is worth starting for."""


def run(config: Config, files: FileSystem, directory: Path, jobs: int, *, keeps: bool) -> Outcome | None:
    """A run in at most `jobs` processes; None if it is none that can be shared, or for so few files not worth it."""
    sink, show = Sink(), shower(directory)
    listed = [rooted(path, config, files) for path in find_sources(config, files, show, sink)]
    hands = min(jobs, len(listed) // _FEWEST)
    if not CAN_FORK or hands < 2 or len({each.module for each in listed}) < len(listed):
        return None
    if len(sink) or not all(each.valid for each in listed):
        return None
    places = [place_of(each, show(str(each.path))) for each in listed]
    found = in_processes([partial(_work, config, files, directory, *share) for share in dealt(places, hands)])
    if found is None or not all(found):
        return None
    return _put_together([decoded(data) for data in found], places, config, files, keeps)


def _work(
    config: Config, files: FileSystem, directory: Path, own: tuple[Place, ...], others: tuple[Place, ...]
) -> bytes:
    """A share as bytes; none of them if it can't be told apart."""
    share = with_deep_stack(lambda: _share(config, files, directory, own, others))
    return b"" if share is None else encoded(share)


def _share(
    config: Config, files: FileSystem, directory: Path, own: tuple[Place, ...], others: tuple[Place, ...]
) -> Share | None:
    """What one process makes; None for what needs all sources, and where there are errors, which are told whole."""
    sink, show = Sink(), shower(directory)
    found = front_of_share(config, files, show, sink, own, others)
    if found is None or found.places is None or (strict(sink) if config.strict_discovery else sink).has_errors:
        return None
    lowered = found.lowered
    verify(lowered.toolset)
    built = build_files(lowered.toolset, (), (), NO_LISTING, config, Sink(), Frames())
    if built is None:
        return None
    depends = found.depends or {}
    places = {each.path: each for each in own}
    everyone = {path: depends.get(path, ()) for path in places}
    units = tuple(units_of(lowered.parts, places, everyone, lowered.toolset, built, config))
    made = {path for unit in units for path, _ in unit.files}
    wanted = {
        path for each in (*sink, *(told for unit in units for told in unit.diagnostics)) for path in paths_in(each)
    }
    return Share(
        units,
        tuple(unit.place.path for unit in units if unit.place.path in depends and can_be_shown(unit, (*own, *others))),
        tuple(sink),
        tuple(lowered.common),
        tuple((each.path, each.content) for each in built.artifacts if each.path in made),
        built.listing.sent(),
        lowered.bases,
        tuple(file for path, file in found.texts.items() if path in wanted),
        tuple((each.question, each.path, each.answer, each.marks) for each in _seen(files)),
    )


def _seen(files: FileSystem) -> list[Seen]:
    return list(files.seen) if isinstance(files, Recording) else []


def _put_together(
    shares: list[Share], places: list[Place], config: Config, files: FileSystem, keeps: bool
) -> Outcome | None:
    """The build of all shares; None if they turn out to depend on each other, or to have errors together."""
    if isinstance(files, Recording):
        files.take(Seen(*row) for share in shares for row in share.seen)
    units = [unit for share in shares for unit in share.units]
    listing = joined([share.listing for share in shares])
    known = known_of(units, listing.tools)
    if derive_from_each_other(shares, {f"{each.module}:{each.qualname}" for each in known.tools}):
        return None
    together = Sink()
    check_together(known, together)
    sink = Sink()
    for share in shares:
        sink.extend(share.said)
    for unit in units:
        sink.extend(unit.diagnostics)
    sink.extend(together)
    sink = strict(sink) if config.strict_discovery else sink
    sink, _ = as_configured(sink, config.levels)
    try:
        built = build_files(ToolSet((), ()), (), units, listing, config, sink, Frames())
    except MovedError:
        return None
    if built is None or sink.has_errors:
        return None
    try:
        texts = texts_of(units, sink, files)
    except OSError:
        return None  # gone since it was looked at
    sources = {**{file.shown: file for share in shares for file in share.sources}, **texts}
    outcome = Outcome(
        artifacts=(*(Artifact(*each) for share in shares for each in share.files), *built.artifacts),
        diagnostics=tuple(sink),
        sources=sources,
        toolset=ToolSet((), ()),
        tools=Counts(known.found, len(known.tools), known.undecidable),
        agents=Counts(0, 0, 0),
        modules=tuple(sorted(each.module for each in places)),
        others=known.tools,
    )
    if not keeps:
        return outcome
    concerned = {each.span.path for each in together}.union(*(share.common for share in shares))
    common = {place.path for place in places if place.shown in concerned}
    lasting = {path for share in shares for path in share.lasting}
    kept = [unit for unit in units if unit.place.path in lasting and common.isdisjoint(unit.depends)]
    return replace(
        outcome, units=tuple(kept), places=tuple(places), listing=listing.sizes(), frames=built.frames.common
    )
