"""The phases that need the trees of the sources, and what is known when they are done: the trees may go then."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from ..config import Config
from ..diagnostics.model import Sink
from ..lower.program import Lowered, lower
from ..semantics.load import Sources, load_places, load_sources, open_program
from ..semantics.program import AllNeededError, Program
from ..source.file import SourceFile
from ..source.filesystem import FileSystem
from ..units.again import Earlier, depends_of, is_separable, locations, place_of, rooted_of
from ..units.unit import Place, Unit, known_of

Show = Callable[[str], str]


class Front(Struct, frozen=True):
    """What the sources came to. `texts` are all files read, by the path shown, `modules` the names of the sources.

    `places` are those of the sources, if each comes to what it does by itself, None otherwise; `depends` then are the
    files that each may have asked, None if nothing can be kept for another run, or nobody keeps it.
    """

    lowered: Lowered
    texts: Mapping[str, SourceFile]
    modules: Sequence[str]
    places: tuple[Place, ...] | None
    depends: Mapping[str, tuple[str, ...]] | None


def front(config: Config, files: FileSystem, show: Show, sink: Sink, *, keeps: bool) -> Front:
    """Of all sources."""
    from ..discover.files import find_sources

    paths = find_sources(config, files, show, sink)
    sources = load_sources(paths, config, files, show, sink)
    program = open_program(sources, config, files, show, sink)
    return _front(lower(program, sources, config, sink), sources, program, config, keeps=keeps)


def front_of_changes(config: Config, files: FileSystem, show: Show, sink: Sink, earlier: Earlier) -> Front | None:
    """Of the sources that changed since an earlier run; None if others are needed too."""
    sources = load_places(rooted_of(earlier.changed), files, show, sink)
    program = open_program(sources, config, files, show, sink, earlier.others)
    try:
        lowered = lower(program, sources, config, sink, known_of(earlier.units, earlier.listing.tools))
    except AllNeededError:
        return None
    return _front(lowered, sources, program, config, earlier.units)


def front_of_share(
    config: Config, files: FileSystem, show: Show, sink: Sink, own: tuple[Place, ...], others: tuple[Place, ...]
) -> Front | None:
    """Of a share of the sources, that has `others` beside it; None if what is in these is needed at once."""
    sources = load_places(rooted_of(own), files, show, sink)
    program = open_program(sources, config, files, show, sink, locations(others))
    try:
        lowered = lower(program, sources, config, sink, is_share=True)
    except AllNeededError:
        return None
    return _front(lowered, sources, program, config)


def _front(
    lowered: Lowered,
    sources: Sources,
    program: Program,
    config: Config,
    kept: Sequence[Unit] = (),
    *,
    keeps: bool = True,
) -> Front:
    """What is to be known of the sources; their trees are let go."""
    texts = {**sources.texts, **program.texts}
    places: tuple[Place, ...] | None = None
    depends: Mapping[str, tuple[str, ...]] | None = None
    if keeps and is_separable(lowered, sources, program):
        shown = {file.path: file.shown for file in sources.texts.values()}
        listed = ((each, str(each.path)) for each in sources.rooted)
        places = tuple(place_of(each, shown.get(path, path)) for each, path in listed)
        depends = depends_of(lowered, program, kept, config)
    program.close()
    return Front(lowered, texts, sources.names, places, depends)
