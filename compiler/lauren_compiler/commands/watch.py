"""`lauren-compile watch`: a build, and another one whenever a source or the configuration changes.

What each tells is what is new: diagnostics that the one before did not have, how many it had and this one has not, and
which files were written. Packages that are installed meanwhile are seen with the next edit of a source.
"""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ..config import Config, UsageError
from ..diagnostics.model import Diagnostic, Level
from ..diagnostics.render import DOCUMENTS, KnownLines, Report
from ..driver.build import Built
from ..source.seen import CACHE, marks_of
from .build import built
from .console import emit_report, remark, summary
from .remembered import Session
from .session import count

if TYPE_CHECKING:
    from collections.abc import Callable

_WATCHFILES = "`watch` needs the package watchfiles: pip install 'lauren-compile[watch]'"
_SOURCES = (".py", ".pyi", ".pth", ".toml", ".cfg")
"""Names of files that a build may read end so."""


def run(options: argparse.Namespace) -> int:
    """Builds until it is interrupted; gives exit status 0. Raises UsageError without the package watchfiles, and for a
    command line that names no sources."""
    if options.format in DOCUMENTS:
        raise UsageError(f"`watch` tells what is new line by line: --format {options.format} is for a whole report")
    if find_spec("watchfiles") is None:  # before the first build: who waits for the next shall not be let wait
        raise UsageError(_WATCHFILES)
    follow(options, _changes)
    return 0


class _Told(Struct):
    """What the last run said, and the last configuration that was sound, with what a later one waits for."""

    diagnostics: frozenset[Diagnostic] = frozenset()
    written: frozenset[Diagnostic] = frozenset()
    """Those of the last run that was clean."""
    config: Config | None = None
    problem: str = ""
    """Why there was no run, if there was none."""


def follow(options: argparse.Namespace, changes: Callable[[Callable[[], Config]], Iterable[object]]) -> None:
    """Build, and again for each item of `changes`, which are of the files that the configuration names by then.

    A configuration that can't be used is reported; what the last good one names is followed on, and the sources that
    this one names and are still to be made.
    """
    told = _Told()

    def current() -> Config:
        assert told.config is not None, "set by the first build"
        return told.config

    _build(options, told, first=True)
    try:
        for _ in changes(current):
            try:
                _build(options, told)
                told.problem = ""
            except UsageError as error:
                if str(error) != told.problem:
                    remark(str(error))
                told.problem = str(error)
            # A build leaves what it made to the end of its process, and this process goes on.
            gc.collect()
    except KeyboardInterrupt:
        return


def _build(options: argparse.Namespace, told: _Told, *, first: bool = False) -> None:
    session = Session(options)
    if told.config is None or not any(each.level is Level.ERROR for each in session.loaded.diagnostics):
        told.config = session.loaded.config
    if session.loaded.missing:
        told.config = replace(told.config, sources=(*told.config.sources, *session.loaded.missing))
    made = session.changed(lambda: built(session))
    if made is None:
        if first and not options.quiet:
            summary(["nothing changed since the last build; waiting for changes"])
        elif told.diagnostics != told.written and not options.quiet:
            summary([f"as after the last build that was written: {len(told.diagnostics - told.written)} gone"])
        told.diagnostics = told.written
        return
    found = frozenset(made.diagnostics)
    if made.failed and found == told.diagnostics:
        return  # all of that was said
    new = tuple(each for each in made.diagnostics if each not in told.diagnostics)
    emit_report(Report(new, KnownLines(made.lines), made.outcome.tools.found), options.format)
    if not options.quiet:
        summary([_line(made, new, len(told.diagnostics - found)), *_names(made, options)])
    told.diagnostics = found
    if not made.failed:
        told.written = found


def _line(made: Built, new: tuple[Diagnostic, ...], gone: int) -> str:
    """What came of a run, on one line."""
    parts: list[str] = []
    if made.written is not None:
        parts.append(f"{count(len(made.written.written), 'file')} written")
        if made.written.removed:
            parts.append(f"{len(made.written.removed)} removed")
    else:
        errors = sum(each.level is Level.ERROR for each in made.diagnostics)
        parts.append(f"nothing written: {count(errors, 'error')}")
    if new:
        parts.append(f"{len(new)} new above")
    if gone:
        parts.append(f"{gone} gone")
    return f"{count(made.outcome.tools.found, 'tool')}: {', '.join(parts)}"


def _names(made: Built, options: argparse.Namespace) -> Iterator[str]:
    if options.verbose and made.written is not None:
        yield from (f"  wrote {path}" for path in made.written.written)
        yield from (f"  removed {path}" for path in made.written.removed)


def _changes(current: Callable[[], Config]) -> Iterator[object]:
    """One item whenever files changed that a build of the current configuration may read. Raises UsageError."""
    try:
        from watchfiles import watch
    except ModuleNotFoundError as error:
        raise UsageError(_WATCHFILES) from error
    while True:
        config = current()
        folders = watched(config)
        # Unlike any state: what was edited before the watch began is seen when it first has nothing to tell.
        before = "?"
        try:
            for found in watch(
                *folders,
                watch_filter=_filter(config),
                debounce=200,
                step=25,
                rust_timeout=250,
                yield_on_timeout=True,
            ):
                # The folder of the configuration may hold environments and whatever else: of it one file is looked at.
                # A watch of that file would end where an editor puts another in its place.
                after = _configured(config)
                if found or after != before:
                    before = after
                    yield found
                # A folder that is made again is another one, and nobody would tell of what is in it.
                if any(path in folders for _, path in found) or _followed(current()) != _followed(config):
                    break
        except FileNotFoundError:
            continue  # a folder that is gone since it was looked for


def _followed(config: Config) -> tuple[list[str], frozenset[Path]]:
    """What a watch depends on."""
    return watched(config), frozenset(config.outputs)


def _filter(config: Config) -> Callable[[object, str], bool]:
    """Tells whether a change of a path matters to a build of a configuration."""
    outputs = tuple(os.path.join(os.path.realpath(out), "") for out in config.outputs)

    def matters(_: object, path: str) -> bool:
        parts = Path(path).parts
        if CACHE in parts or "__pycache__" in parts or os.path.realpath(path).startswith(outputs):
            return False
        return path.endswith(_SOURCES) or not os.path.splitext(path)[1] or os.path.isdir(path)

    return matters


def _configured(config: Config) -> str:
    """What tells one state of the configuration's file from another."""
    return "none" if config.project is None else marks_of(str(config.project / "pyproject.toml"))


def watched(config: Config) -> list[str]:
    """The folders in which the sources and roots of a configuration lie, or will lie; none in another."""
    wanted = {_folder(path) for path in (*config.sources, *config.roots)}
    return sorted(str(path) for path in wanted if not any(other in path.parents for other in wanted))


def _folder(path: Path) -> Path:
    """The nearest folder that there is, from a path on upwards."""
    return next(each for each in (path, *path.parents) if each.is_dir())
