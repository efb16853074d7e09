"""The phases, in order: configuration in, artifacts and diagnostics out. Nothing is written here."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .config import Config, shown
from .diagnostics.model import Diagnostic, Level, Sink
from .diagnostics.rules.agents import UNDECIDABLE_AGENT
from .diagnostics.rules.tools import UNDECIDABLE_TOOL
from .discover import find_sources
from .emit.artifact import Artifact
from .injection.checks import check
from .injection.levels import as_configured
from .ir.cards import Card, Listed
from .ir.tools import Binding, ToolSet
from .ir.verify import verify
from .lower.program import Counts, Lowered, lower
from .semantics.load import Sources, load_places, load_sources, open_program
from .semantics.program import AllNeededError, Program
from .source.file import SourceFile
from .source.filesystem import Disk, FileSystem
from .units.again import Earlier, depends_of, is_separable, place_of, texts_of
from .units.building import Files
from .units.building import files as build_files
from .units.documents import NO_DOCUMENTS
from .units.making import units_of
from .units.unit import Place, Unit, known_of

_T = TypeVar("_T")
NOTHING_KEPT: Mapping[str, str] = MappingProxyType({})
_STACK = 256 * 1024 * 1024
_RECURSION = 12_000


class Outcome(Struct, frozen=True):
    """What a run gives. `artifacts` is empty if there are errors. `sources` are all files read, by the path shown.

    Of the tools `found`, each is compiled, refused (with an error), or undecidable (with a warning); so is each agent.
    `kept` are files of the build that an earlier run wrote and that are to stay, path to digest. `units` are what the
    next run may take as it is; `places` are all sources, those of units and the others.
    """

    artifacts: tuple[Artifact, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    toolset: ToolSet
    tools: Counts
    agents: Counts
    modules: tuple[str, ...]
    others: tuple[Card, ...] = ()
    kept: Mapping[str, str] = NOTHING_KEPT
    units: tuple[Unit, ...] = ()
    places: tuple[Place, ...] = ()

    @property
    def bound(self) -> tuple[str, ...]:
        """The names of the tools that need an object at run time, and stand in no provider's file."""
        listed: list[Listed] = sorted((*self.toolset.tools, *self.others), key=lambda tool: tool.order)
        return tuple(tool.name for tool in listed if tool.binding is Binding.BIND)

    @property
    def shared(self) -> tuple[str, ...]:
        """The names that several agents have each a tool of its own for, in their files only."""
        return tuple(dict.fromkeys(tool.name for tool in self.toolset.tools if self.toolset.is_its_agents_alone(tool)))


def run(
    config: Config,
    files: FileSystem | None = None,
    directory: Path | None = None,
    earlier: Earlier | None = None,
    *,
    keeps: bool = False,
) -> Outcome:
    """Compile `config.sources`. Paths are shown relative to `directory`, the working directory if not given.

    With what is known of an `earlier` run of the same configuration, only what changed is compiled, if that can be.
    What the next run may build on is made for those who keep it.
    """
    given, place = files or Disk(), directory or Path.cwd()
    if earlier is not None:
        outcome = with_deep_stack(lambda: _run_again(config, given, place, earlier))
        if outcome is not None:
            return outcome
    return with_deep_stack(lambda: _run(config, given, place, keeps))


def _run(config: Config, files: FileSystem, directory: Path, keeps: bool) -> Outcome:
    sink = Sink()
    show = _shower(directory)
    paths = find_sources(config, files, show, sink)
    sources: Sources = load_sources(paths, config, files, show, sink)
    program = open_program(sources, config, files, show, sink)
    lowered: Lowered = lower(program, sources, config, sink)
    if config.strict_discovery:
        sink = _strict(sink)
    verify(lowered.toolset)
    applications = check(lowered.graph, sink)
    sink, sound = as_configured(sink, config.levels)
    built = build_files(lowered.toolset, applications if sound else (), (), NO_DOCUMENTS, config, sink)
    made = _units(built, lowered, sources, program, config, None) if keeps and built is not None else _NOTHING
    return _outcome(built, lowered, sources, program, sink, (), made)


def _run_again(config: Config, files: FileSystem, directory: Path, earlier: Earlier) -> Outcome | None:
    """The same by what changed since an earlier run; None if that is not to be told from it alone."""
    sink = Sink()
    show = _shower(directory)
    sources = load_places(earlier.rooted, files, show, sink)
    program = open_program(sources, config, files, show, sink, earlier.others)
    try:
        lowered = lower(program, sources, config, sink, known_of(earlier.units))
    except AllNeededError:
        return None
    if not is_separable(lowered, sources, program):
        return None
    for unit in earlier.units:
        sink.extend(unit.diagnostics)
    if config.strict_discovery:
        sink = _strict(sink)
    verify(lowered.toolset)
    sink, _ = as_configured(sink, config.levels)
    built = build_files(lowered.toolset, (), earlier.units, earlier.documents, config, sink)
    made = _units(built, lowered, sources, program, config, earlier) if built is not None else _NOTHING
    outcome = _outcome(built, lowered, sources, program, sink, earlier.units, made)
    return replace(outcome, sources={**texts_of(earlier.units, files), **outcome.sources})


def _shower(directory: Path) -> Callable[[str], str]:
    return lambda path: shown(Path(path), directory)


_Made: TypeAlias = tuple[tuple[Unit, ...], tuple[Place, ...]]
_NOTHING: _Made = ((), ())


def _outcome(
    built: Files | None,
    lowered: Lowered,
    sources: Sources,
    program: Program,
    sink: Sink,
    others: Sequence[Unit],
    made: _Made,
) -> Outcome:
    return Outcome(
        artifacts=() if sink.has_errors or built is None else built.artifacts,
        diagnostics=tuple(sink),
        sources={**sources.texts, **program.texts},
        toolset=lowered.toolset,
        tools=lowered.tools,
        agents=lowered.agents,
        modules=tuple(sorted({*sources.names, *(unit.place.module for unit in others)})),
        others=known_of(others).tools,
        kept=NOTHING_KEPT if built is None else built.kept,
        units=made[0],
        places=made[1],
    )


def _units(
    built: Files,
    lowered: Lowered,
    sources: Sources,
    program: Program,
    config: Config,
    earlier: Earlier | None,
) -> _Made:
    """What the next run may build on: all units, and the places of all sources; nothing if they do not stand apart."""
    kept = () if earlier is None else earlier.units
    if earlier is None and not is_separable(lowered, sources, program):
        return _NOTHING
    depends = depends_of(lowered, program, kept)
    if depends is None:
        return _NOTHING
    places = {unit.place.path: unit.place for unit in kept}
    places.update((str(each.path), place_of(each, sources)) for each in sources.rooted)
    documents = NO_DOCUMENTS if earlier is None else earlier.documents
    made = units_of(lowered.parts, kept, places, depends, lowered.toolset, built, documents, config)
    return tuple(made), tuple(places.values())


def _strict(found: Sink) -> Sink:
    """The diagnostics with an error for each tool and agent that can't be decided."""
    strict = Sink()
    undecidable = (UNDECIDABLE_TOOL, UNDECIDABLE_AGENT)
    strict.extend(item.at_level(Level.ERROR) if item.rule in undecidable else item for item in found)
    return strict


def with_deep_stack(work: Callable[[], _T]) -> _T:
    """Run `work` where nesting may go as deep as the parser allows: types and expressions are read recursively.

    Nothing looks for garbage meanwhile.
    """
    results: list[_T] = []
    failures: list[BaseException] = []

    def target() -> None:
        try:
            results.append(work())
        except BaseException as failure:
            failures.append(failure)

    before_stack = threading.stack_size(_STACK)
    before_limit = sys.getrecursionlimit()
    collecting = gc.isenabled()
    sys.setrecursionlimit(max(before_limit, _RECURSION))
    # A run fills memory with trees, all of which stay to its end: looking for garbage among them takes half its time.
    gc.disable()
    try:
        thread = threading.Thread(target=target, name="lauren-compile", daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before_stack)
        sys.setrecursionlimit(before_limit)
        if collecting:
            gc.enable()
    if failures:
        raise failures[0]
    return results[0]
