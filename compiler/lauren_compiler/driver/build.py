"""One build: run the phases, apply the levels, write or compare, and say what came of it."""

from __future__ import annotations

import keyword
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ..config import Config, Loaded, shown
from ..diagnostics.levels import Policy, apply_levels
from ..diagnostics.model import Diagnostic, Level, Sink
from ..diagnostics.rules.configuration import INVALID_OUTPUT_NAME, NO_TOOLS
from ..diagnostics.rules.writing import MIXED_OUTPUT, STALE_OUTPUT, WRITE_FAILED
from ..source.file import SourceFile
from ..source.filesystem import Disk
from ..source.span import Span
from .folder import OutputError, refuse_sources
from .write import Standing, Written, write

if TYPE_CHECKING:
    from ..pipeline import Outcome
    from .compare import Drift

Run = Callable[[Config], "Outcome"]
"""The phases: `pipeline.run`, which the commands import only when there is something to compile."""


class Built(Struct, frozen=True):
    """The end of a run. `written` is set if files were written, `drift` if they were compared."""

    outcome: Outcome
    diagnostics: tuple[Diagnostic, ...]
    lines: Mapping[str, Sequence[str]]
    written: Written | None = None
    drift: Drift | None = None

    @property
    def failed(self) -> bool:
        return any(found.level is Level.ERROR for found in self.diagnostics)


class _Lines(Mapping[str, Sequence[str]]):
    """The lines of the sources and of other files that were read. Few are ever shown: they are split when one is."""

    def __init__(self, sources: Mapping[str, SourceFile], others: Mapping[str, Sequence[str]]) -> None:
        self._sources = sources
        self._others = others

    def __getitem__(self, path: str) -> Sequence[str]:
        return self._others[path] if path in self._others else self._sources[path].lines

    def __iter__(self) -> Iterator[str]:
        return iter({**self._sources, **self._others})

    def __len__(self) -> int:
        return len({**self._sources, **self._others})


def check(loaded: Loaded, directory: Path, run: Run) -> Built:
    """The diagnostics of the sources; the output is neither read nor written."""
    outcome = run(loaded.config)
    sink = Sink()
    sink.extend(loaded.diagnostics)
    sink.extend(outcome.diagnostics)
    if not outcome.tools.found and not sink.has_errors:
        sink.extend(_no_tools(loaded.config, directory))
    own = _own_sources(loaded.config, directory, outcome)
    diagnostics = apply_levels(sink, _policy(loaded.config, directory), own)
    return Built(outcome, diagnostics, _Lines(outcome.sources, loaded.lines))


def build(
    loaded: Loaded,
    directory: Path,
    run: Run,
    *,
    compare_only: bool = False,
    standing: Callable[[Outcome], Standing | None] = lambda outcome: None,
) -> Built:
    """`check`, then the output: written if nothing is wrong, or with `compare_only` only compared.

    What can't be written becomes a diagnostic (LC902), what is stale or mixed too (LC901, LC903). `standing` says what
    is known to be in the output folder. Raises OvertakenError if that is not so any more.
    """
    out = loaded.config.out
    place = Span.of_file(shown(out, directory))
    early = [*_output_name(out, place), *_output_place(loaded.config, directory)]
    built = check(Loaded(loaded.config, (*loaded.diagnostics, *early), loaded.lines), directory, run)
    if built.failed:
        return built
    try:
        if compare_only:
            from .compare import compare

            drift = compare(out, built.outcome.artifacts, place.path)
            return _with(built, list(_stale(drift, place)), drift=drift)
        return _with(built, [], written=write(out, built.outcome.artifacts, standing(built.outcome)))
    except OutputError as error:
        span = Span.of_file(shown(error.path, directory))
        return _with(built, [WRITE_FAILED.at(span, error.reason)])


def with_notes(built: Built, more: Sequence[Diagnostic]) -> Built:
    """The same run with more to be told."""
    return _with(built, more, written=built.written, drift=built.drift)


def _with(
    built: Built, more: Sequence[Diagnostic], *, written: Written | None = None, drift: Drift | None = None
) -> Built:
    sink = Sink()
    sink.extend((*built.diagnostics, *more))
    return Built(built.outcome, tuple(sink), built.lines, written, drift)


def _output_name(out: Path, place: Span) -> Iterator[Diagnostic]:
    if not out.name.isidentifier() or keyword.iskeyword(out.name):
        message = f"`{out.name or out}` can't be the name of a Python package"
        yield INVALID_OUTPUT_NAME.at(place, message, help="choose a folder whose name is an identifier")


def _output_place(config: Config, directory: Path) -> Iterator[Diagnostic]:
    """Told before anything is looked for: sources inside the output are no sources, and would seem to be missing."""
    try:
        refuse_sources(config.out, config.sources)
    except OutputError as error:
        help = "choose another folder, with `-o` or `out`"
        yield WRITE_FAILED.at(Span.of_file(shown(error.path, directory)), error.reason, help=help)


def _no_tools(config: Config, directory: Path) -> Iterator[Diagnostic]:
    from ..discover.files import is_build

    where = ", ".join(shown(source, directory) for source in config.sources)
    for source in config.sources[:1]:
        help = "`@tool()` of `lauren_runtime` or `lauren_ai` makes tools; other decorators are named in `decorators`"
        if is_build(source, Disk()):
            help = "this folder is what a build wrote: name the sources that it was made of"
        yield NO_TOOLS.at(Span.of_file(shown(source, directory)), f"no tools were found in {where}", help=help)


def _stale(drift: Drift, place: Span) -> Iterator[Diagnostic]:
    if drift.files:
        notes = [f"{path}: {what}" for path, what in drift.files]
        files = "1 file is" if len(notes) == 1 else f"{len(notes)} files are"
        message = f"{files} not what a build would write to `{place.path}`"
        yield STALE_OUTPUT.at(place, message, notes=notes, help="run `lauren-compile build` again")
    if drift.mixed:
        message = f"`{place.path}` holds files of two builds, or files changed after the build"
        yield MIXED_OUTPUT.at(place, message, notes=drift.mixed, help="run `lauren-compile build` again")
    if drift.unlisted:
        message = f"`{place.path}` holds files among those of the build that no build made"
        yield MIXED_OUTPUT.at(
            place, message, notes=drift.unlisted, help="remove them: a build leaves what is not its own"
        )


def _own_sources(config: Config, directory: Path, outcome: Outcome) -> dict[str, str]:
    """The texts of the files compiled, without those that were only read for what they define."""
    files = {_comparable(source) for source in config.sources}
    folders = tuple(_comparable(source).rstrip(os.sep) + os.sep for source in config.sources)
    own: dict[str, str] = {}
    for path, file in outcome.sources.items():
        place = _comparable(directory / path)
        if place in files or place.startswith(folders):
            own[path] = file.text
    return own


def _comparable(path: Path) -> str:
    return os.path.normcase(path)


def _policy(config: Config, directory: Path) -> Policy:
    def ignored(path: str) -> frozenset[str]:
        place = directory / path
        base = config.project or directory
        relative = place.relative_to(base).as_posix() if place.is_relative_to(base) else place.as_posix()
        if not config.per_file_ignores:
            return frozenset()
        from ..diagnostics.patterns import matches

        ignores = config.per_file_ignores.items()
        return frozenset(code for pattern, codes in ignores if matches(pattern, relative) for code in codes)

    return Policy(config.levels, config.warnings_as_errors, ignored)
