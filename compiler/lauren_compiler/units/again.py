"""Building with units of an earlier run: which are taken as they are, and what a run has to be for it to go well.

A run whose modules are not all alike in this (agents, modules of dependency injection, one file that names another's
tools) is made whole, each time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from ..config import Config
from ..diagnostics.model import Diagnostic, Sink
from ..discover.roots import Rooted
from ..lower.injection.presence import may_concern
from ..lower.program import Lowered
from ..semantics.load import Sources
from ..semantics.modules import Location
from ..semantics.program import Program
from ..source.file import SourceFile
from ..source.filesystem import FileSystem
from ..syntax.decode import decode
from ..targets.listing import Listing
from .closure import Closure
from .unit import Place, Unit


class Earlier(Struct, frozen=True):
    """All sources of an earlier run of which nothing else changed: `units` are up to date, `changed` are not. The
    listing is of the tools of those that are; `frame` gives what a view came to, by its key, None if it is not known.

    `places` are both, in the order in which a run of everything takes them: what is wrong with what several
    modules use is said at its first use.
    """

    units: tuple[Unit, ...]
    changed: tuple[Place, ...]
    places: tuple[Place, ...]
    listing: Listing
    frame: Callable[[str], bytes | None]

    @property
    def others(self) -> Mapping[str, Location]:
        """The modules of the units, by name."""
        return locations(unit.place for unit in self.units)


def locations(places: Iterable[Place]) -> Mapping[str, Location]:
    """Where modules are, by name."""
    return {
        each.module: Location(
            each.module, each.path, each.root, (os.path.dirname(each.path),) if each.is_package else ()
        )
        for each in places
    }


def rooted_of(places: Iterable[Place]) -> tuple[Rooted, ...]:
    """Places as discovery gives them."""
    return tuple(
        Rooted(Path(each.path), Path(each.root), each.relative, each.module, each.is_package) for each in places
    )


def place_of(rooted: Rooted, shown: str) -> Place:
    """The place of a file that diagnostics call `shown`."""
    return Place(str(rooted.path), str(rooted.root), rooted.relative, rooted.module, rooted.is_package, shown)


def texts_of(units: Iterable[Unit], told: Iterable[Diagnostic], files: FileSystem) -> Mapping[str, SourceFile]:
    """By the path shown, the sources of units whose lines the report of `told` shows or heeds. Raises OSError."""
    units = list(units)
    places = {unit.place.shown: unit.place for unit in units}
    wanted = {unit.place.shown for unit in units if unit.heeds}
    wanted.update(path for each in told for path in paths_in(each))
    found: dict[str, SourceFile] = {}
    for shown in sorted(wanted & places.keys()):
        place = places[shown]
        text = decode(files.read(place.path), shown, Sink())
        if text is not None:
            found[shown] = SourceFile(place.path, shown, place.relative, place.module, place.is_package, text)
    return found


def can_be_shown(unit: Unit, places: Iterable[Place]) -> bool:
    """Whether what is said of a unit is about files at these places: of others a report could not show the lines."""
    known = {place.shown for place in places} if unit.diagnostics else set[str]()
    return all(known.issuperset(paths_in(each)) for each in unit.diagnostics)


def paths_in(diagnostic: Diagnostic) -> Iterable[str]:
    """The files of which a diagnostic shows lines."""
    return (diagnostic.span.path, *(label.span.path for label in diagnostic.labels))


def is_separable(lowered: Lowered, sources: Sources, program: Program) -> bool:
    """Whether each module of a run comes to what it does by itself, whatever the others come to."""
    has_modules = lowered.graph is not None and lowered.graph.modules
    if lowered.agents.found or has_modules or program.all_asked or may_concern(sources.modules.files):
        return False
    if sources.shared or not all(place.valid for place in sources.rooted):
        return False
    return all(part.alone for part in lowered.parts)


def depends_of(
    lowered: Lowered, program: Program, units: Iterable[Unit], config: Config
) -> dict[str, tuple[str, ...]] | None:
    """The files of the project that each lowered module depends on, by path; one that can't be kept has no place here.

    None if units of the earlier run can't be kept either.
    """
    closure = Closure(program)
    named = closure.of_names(_named_in(config))
    if named is None:
        return None
    found: dict[str, tuple[str, ...]] = {}
    common = {file.path for file in program.looked_into() if file.shown in lowered.common}
    for part in lowered.parts:
        file = part.file
        paths = closure.of(file.module)
        if paths is not None and common.isdisjoint(paths | named):
            found[file.path] = tuple(sorted(paths | named))
    if any(common.intersection(unit.depends) for unit in units):
        return None
    return found


def _named_in(config: Config) -> Iterator[str]:
    """The qualified names of the configuration by which it depends what definitions of the project mean."""
    for declared in config.types:
        yield declared.name
        yield declared.converter or ""
    for each in config.decorators:
        yield each.name
        yield from each.framework.injected if each.framework is not None else ()
