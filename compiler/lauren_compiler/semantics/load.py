"""The sources of a build, read, and the program they open."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from ..config import Config
from ..diagnostics.model import Sink
from ..diagnostics.rules import configuration
from ..discover.roots import Rooted, rooted
from ..source.file import SourceFile
from ..source.filesystem import FileSystem
from ..source.span import Span
from ..syntax.load import read_source
from .environment import Environment, InterpreterError, ask, beside, given, running
from .in_turn import InTurn
from .modules import Location, ModuleFinder
from .program import NO_OTHERS, Program


class Sources(Struct, frozen=True, dict=True):
    """What was read. `rooted` and `modules` are in order of path; a file that can't be read has none.

    `texts` are the files by the path shown, `shared` names that more than one file has, with those files.
    """

    rooted: tuple[Rooted, ...]
    modules: InTurn
    texts: Mapping[str, SourceFile]
    shared: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all modules."""
        return tuple(sorted({place.module for place in self.rooted}))


def load_sources(
    paths: Iterable[Path], config: Config, files: FileSystem, show: Callable[[str], str], sink: Sink
) -> Sources:
    """Read every file; what can't be read, or parsed when it is come to, is reported, and the others go on."""
    return load_places(tuple(rooted(path, config, files) for path in paths), files, show, sink)


def load_places(places: tuple[Rooted, ...], files: FileSystem, show: Callable[[str], str], sink: Sink) -> Sources:
    """The same of files whose places among the modules are known."""
    texts: dict[str, SourceFile] = {}
    owners: dict[str, list[str]] = {}
    for place in places:
        path = str(place.path)
        shown = show(path)
        owners.setdefault(place.module, []).append(shown)
        file = read_source(files, path, shown, place.relative, place.module, place.is_package, sink)
        if file is not None:
            texts[file.shown] = file
    shared = {name: tuple(found) for name, found in owners.items() if len(found) > 1}
    return Sources(places, InTurn(texts.values(), sink), texts, shared)


def open_program(
    sources: Sources,
    config: Config,
    files: FileSystem,
    show: Callable[[str], str],
    sink: Sink,
    others: Mapping[str, Location] = NO_OTHERS,
) -> Program:
    """The program around the sources and `others`, with the configured interpreter's library and packages."""
    environment = _environment(config, files, sink)
    own = {*(str(place.root) for place in sources.rooted), *(location.root for location in others.values())}
    roots = dict.fromkeys([*map(str, config.roots), *sorted(own)])
    if _has_project(environment, roots):
        environment = replace(environment, chosen=True)
    finder = ModuleFinder(files, tuple(roots), environment)
    return Program(files, finder, environment, sources.modules, show, others)


def _has_project(environment: Environment, roots: Iterable[str]) -> bool:
    """Whether the project itself is installed there, as a link to its sources."""
    linked = {os.path.dirname(place) for places in environment.mapped.values() for place in places}
    return not linked.union(environment.packages).isdisjoint(roots)


def _environment(config: Config, files: FileSystem, sink: Sink) -> Environment:
    if config.environment is not None:
        return given(config.environment, files)
    if config.python is None:
        return (beside(config.project, files) if config.project is not None else None) or running(files)
    try:
        return ask(config.python, files)
    except InterpreterError as error:
        place = Span.of_file(config.python.as_posix())
        sink.add(configuration.INVALID_SETTING.at(place, f"the interpreter can't be used: {error}"))
        return running(files)
