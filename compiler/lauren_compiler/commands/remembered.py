"""Clean runs of `build` and `check` are remembered, with all that they saw; `runs/` says how and for what."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..config import Config, shown
from ..diagnostics.model import Diagnostic
from ..diagnostics.rules.writing import CACHE_UNWRITABLE
from ..driver.build import Built, with_notes
from ..driver.write import Written
from ..resources import own_files
from ..runs.again import say
from ..runs.folder import find, keep
from ..runs.key import default_folder, key
from ..runs.record import Run
from ..source.filesystem import Disk
from ..source.recording import Recording
from ..source.seen import CONTENT, NAMES, OUTPUT, Seen, digest, look, names_digest
from ..source.span import Span
from .session import configuration, finish, report, run_phases, working_directory

if TYPE_CHECKING:
    from ..pipeline import Outcome


class Session:
    """One run of a command that compiles: its configuration, and all that it sees of the disk.

    Raises UsageError, as `configuration` does.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._files = Recording(Disk())
        self.directory = working_directory()
        self.loaded = configuration(options, paths=options.paths, targets=options.target, files=self._files)

    def run_phases(self, config: Config) -> Outcome:
        """All phases."""
        return run_phases(config, self._files)

    def ended(self, run: Callable[[], Built]) -> int:
        """Make the run, or say again what it said if nothing changed, and report it; gives the exit status."""
        before = self._remembered()
        if before is not None:
            say(before.stdout, before.stderr)
            return 0
        built = run()
        return finish(with_notes(built, self._remember(built)), self.loaded, self._options)

    def _remembered(self) -> Run | None:
        """The remembered run, where the configuration says where they are: `runs.again` has looked everywhere else."""
        if not self._remembers or self.loaded.config.cache_dir is None:
            return None
        return find(str(self.loaded.config.cache_dir), key(self._options.arguments))

    def _remember(self, built: Built) -> list[Diagnostic]:
        """Remember a run in which nothing is wrong; gives a note if it can't be."""
        if not self._remembers or not _is_clean(built) or self._asks_a_program:
            return []
        arguments = self._options.arguments
        folder = str(self.loaded.config.cache_dir or default_folder(arguments))
        artifacts = len(built.outcome.artifacts)
        unchanged = built if built.written is None else replace(built, written=Written((), (), artifacts))
        stdout, stderr = report(unchanged, self.loaded, self._options)
        try:
            keep(
                folder, Run.of(key(arguments), stdout, stderr, list(_seen(built, self.loaded.config.out, self._files)))
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            place = Span.of_file(shown(Path(folder), self.directory))
            return [CACHE_UNWRITABLE.at(place, f"this run can't be remembered: {reason}")]
        return []

    @property
    def _remembers(self) -> bool:
        return self._options.arguments is not None and not self._options.no_cache

    @property
    def _asks_a_program(self) -> bool:
        """Whether an interpreter is asked. It may be a script or a shim: what it answers, no look at files can tell."""
        return self.loaded.config.python is not None


def _is_clean(built: Built) -> bool:
    drift = built.drift
    return not built.failed and (drift is None or not (drift.files or drift.mixed or drift.unlisted))


def _seen(built: Built, out: Path, files: Recording) -> Iterator[Seen]:
    """What the run read; the compiler and what it is installed with; what it wrote, or found written."""
    for each in files.seen:
        yield _with_output(each, out)
    for path in own_files():
        yield look(CONTENT, str(path), files.since)
    for entry in sys.path:
        if os.path.basename(entry) in ("site-packages", "dist-packages"):
            yield look(NAMES, entry, files.since)  # the names tell versions
    if built.written is None and built.drift is None:
        return
    for artifact in built.outcome.artifacts:
        yield Seen(OUTPUT, str(out / artifact.path), digest(artifact.content))
    for folder, folders, _ in os.walk(out):
        folders[:] = [name for name in folders if name != "__pycache__"]
        yield look(NAMES, folder, files.since)


def _with_output(seen: Seen, out: Path) -> Seen:
    """What was seen before the output folder was made, with it, if nothing else is new."""
    if seen.question != NAMES or seen.path != str(out.parent):
        return seen
    there = os.listdir(out.parent)
    before = [name for name in there if name != out.name]
    return Seen(NAMES, seen.path, names_digest(there)) if names_digest(before) == seen.answer else seen
