"""Clean runs of `build` and `check` are remembered, with all that they saw; `runs/` says how and for what."""

from __future__ import annotations

import marshal
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ..config import Config, Document, shown, working_directory
from ..diagnostics.model import Diagnostic
from ..diagnostics.rules.writing import CACHE_UNWRITABLE
from ..driver.build import Built, with_notes
from ..driver.write import OvertakenError, Standing, Written
from ..runs.again import repeated
from ..runs.folder import find, keep, now
from ..runs.key import default_folder, key
from ..runs.record import Run
from ..source.filesystem import Disk
from ..source.recording import Recording
from ..source.span import Span
from ..units.again import Earlier
from ..units.store import Kept, earlier
from ..units.store import keep as keep_units
from .read_again import given_options
from .session import configuration, finish, report
from .sight import after, is_clean, whole

if TYPE_CHECKING:
    import argparse

    from ..pipeline import Outcome


class Session:
    """One run of a command that compiles: its configuration, and all that it sees of the disk.

    Raises UsageError, as `configuration` does.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._files = Recording(Disk())
        self.directory = working_directory()
        found: Run | None = options.before
        known = None if found is None or found.document is None else Document(*found.document)
        self.loaded = configuration(
            options, paths=options.paths, targets=options.target, files=self._files, known=known
        )
        self._before: Run | None = None
        self._earlier: Earlier | None = None

    def run_phases(self, config: Config) -> Outcome:
        """All phases, or as much of them as what an earlier run left asks for."""
        from ..pipeline import run

        return run(
            config,
            self._files,
            earlier=self._earlier,
            keeps=self._remembers and self._writes,
            jobs=self._options.jobs or 1,
        )

    def ended(self, run: Callable[[], Built]) -> int:
        """Make the run, or say again what it said if nothing changed, and report it; gives the exit status."""
        self._before = self._last_run()
        if repeated(self._before):
            return 0
        return finish(self._made(run), self.loaded, self._options)

    def changed(self, run: Callable[[], Built]) -> Built | None:
        """The run, if anything changed since the last one."""
        self._before = self._last_run()
        return None if self._before is not None and not self._before.changed else self._made(run)

    def _made(self, run: Callable[[], Built]) -> Built:
        """Make the run, of no more than what changed since the one before, and remember it."""
        self._look_at_units()
        try:
            built = run()
        except OvertakenError:
            self._earlier = None
            built = run()
        return with_notes(built, self._remember(built))

    def _last_run(self) -> Run | None:
        """The run that is remembered. It may have been found before anything was loaded, but not where only the
        configuration says where it is."""
        if not self._remembers:
            return None
        found: Run | None = self._options.before
        return found or find(self._folder, key(self._options.arguments))

    def _look_at_units(self) -> None:
        """See what can be taken from the run before."""
        if self._before is None or not self._writes or not self._remembers:
            return
        out = self.loaded.config.out
        try:
            found = earlier(self._folder, self._before, lambda path: (out / path).read_bytes())
        except OSError:
            return
        self._earlier = found

    def standing(self, outcome: Outcome) -> Standing | None:
        """What is known to be in the output folder, if the run counts on it."""
        run = self._before
        if run is None or not outcome.kept:
            return None
        start = len(os.path.join(str(self.loaded.config.out), ""))
        files = {path[start:].replace(os.sep, "/"): answer for path, answer in run.output().items()}
        return Standing(files, outcome.kept, lambda: run.output_holds(time.time_ns()))

    def _remember(self, built: Built) -> list[Diagnostic]:
        """Remember a run in which nothing is wrong; gives a note if it can't be."""
        if not self._remembers or not is_clean(built):
            return []
        said, stamp = key(self._options.arguments), f"{os.getpid()} {time.time_ns()}"
        outcome = built.outcome
        files = len(outcome.artifacts) + len(outcome.kept)
        unchanged = built if built.written is None else replace(built, written=Written((), (), files))
        stdout, stderr = report(unchanged, self.loaded, self._options)
        run = Run(said, stamp, given_options(self._options), stdout, stderr, kept_document(self.loaded.document))
        out = str(self.loaded.config.out)
        before = None if self._earlier is None else self._before
        try:
            if outcome.places:
                kept = Kept(stamp, outcome.units, outcome.places, outcome.listing, outcome.frames)
                keep_units(self._folder, said, kept)
            # As late as can be: what was written right before this would have to be looked at again.
            moment = now(self._folder)
            if before is None:
                run = whole(run, built, out, self._files, moment)
            else:
                run = after(before, run, built, out, self._files, moment)
            keep(self._folder, run)
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            place = Span.of_file(shown(Path(self._folder), self.directory))
            return [CACHE_UNWRITABLE.at(place, f"this run can't be remembered: {reason}")]
        return []

    @property
    def _writes(self) -> bool:
        """Whether the command writes the output, in which the next run finds what this one made."""
        return self._options.command in ("build", "watch") and not self._options.check

    @property
    def _folder(self) -> str:
        return str(self.loaded.config.cache_dir or default_folder(self._options.arguments))

    @property
    def _remembers(self) -> bool:
        """Whether runs are. Not where an interpreter is asked: it may be a script, and no look at files tells what it
        answers."""
        options = self._options
        return options.arguments is not None and not options.no_cache and self.loaded.config.python is None


def kept_document(document: Document | None) -> tuple[str, dict[str, object]] | None:
    """A document as a run keeps it; None for one with dates, which no record holds."""
    if document is None:
        return None
    try:
        marshal.dumps(document.values)
    except ValueError:
        return None
    return document.digest, document.values
