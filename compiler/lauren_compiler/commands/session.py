"""What the compiling commands share: options to configuration, a run to its report and summary."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..config import CommandLine, Config, Document, Loaded, load, shown, working_directory
from ..diagnostics.render import DOCUMENTS, KnownLines, Report
from ..diagnostics.render.terminal import escape
from ..driver.build import Built
from ..runs.again import say
from ..source.filesystem import Disk, FileSystem
from ..targets import TARGETS
from .console import report_text

if TYPE_CHECKING:
    import argparse

    from ..driver.compare import Drift
    from ..lower.program import Counts
    from ..pipeline import Outcome

_MODULES = 20
"""More modules than these are not all named."""


def configuration(
    options: argparse.Namespace,
    *,
    paths: list[str],
    targets: list[str],
    files: FileSystem | None = None,
    known: Document | None = None,
) -> Loaded:
    """The configuration that a command line means; a document that is known is not parsed again. Raises UsageError."""
    command = CommandLine(
        paths=tuple(paths),
        out=getattr(options, "out", None),
        roots=tuple(options.root),
        targets=tuple(targets),
        target_runtime=getattr(options, "target_runtime", None),
        python=options.python,
        strict_discovery=getattr(options, "strict_discovery", False),
        directory=working_directory(),
        files=files or Disk(),
        document=known,
    )
    return load(command, known_targets=TARGETS)


def run_phases(config: Config, files: FileSystem | None = None) -> Outcome:
    """All phases, imported when there is something to compile."""
    from ..pipeline import run

    return run(config, files)


def finish(built: Built, loaded: Loaded, options: argparse.Namespace) -> int:
    """Reports a run; gives the exit status."""
    say(*report(built, loaded, options))
    return 1 if built.failed else 0


def report(built: Built, loaded: Loaded, options: argparse.Namespace) -> tuple[str, str]:
    """What a run prints on stdout and stderr: documents on the first, diagnostics for people on the second."""
    document = options.format in DOCUMENTS
    said = Report(built.diagnostics, KnownLines(built.lines), built.outcome.tools.found)
    text = report_text(said, options.format, sys.stdout if document else sys.stderr)
    if document:
        return text, ""
    drift = "" if built.drift is None else built.drift.diff
    lines = [] if options.quiet else [f"{escape(line)}\n" for line in _summary(built, loaded, options)]
    return drift + "".join(lines), text


def _summary(built: Built, loaded: Loaded, options: argparse.Namespace) -> Iterator[str]:
    outcome = built.outcome
    yield f"{count(outcome.tools.found, 'tool')} found: {_counts(outcome.tools)}"
    if outcome.agents.found:
        yield f"{count(outcome.agents.found, 'agent')} found: {_counts(outcome.agents)}"
    if outcome.modules:
        yield f"modules: {', '.join(_few(outcome.modules, options))}"
    if outcome.bound:
        yield f"in no provider's file, for TABLE.bind: {', '.join(outcome.bound)}"
    if outcome.shared:
        yield f"in their agents' files only, for TABLE.for_agent: {', '.join(outcome.shared)}"
    out = shown(loaded.config.out, working_directory())
    if built.written is not None:
        written = built.written
        yield (
            f"{count(len(written.written), 'file')} written to {out}, {written.unchanged} unchanged"
            + (f", {len(written.removed)} removed" if written.removed else "")
        )
        if options.verbose:
            yield from (f"  wrote {path}" for path in written.written)
            yield from (f"  removed {path}" for path in written.removed)
    elif built.drift is not None:
        yield _comparison(out, built.drift)
    elif options.command == "build":
        yield "nothing was written"


def _few(modules: Sequence[str], options: argparse.Namespace) -> Sequence[str]:
    """The modules that were compiled, which show from where their names are counted: a few are enough for that."""
    if options.verbose or len(modules) <= _MODULES:
        return modules
    return (*modules[:_MODULES], f"and {len(modules) - _MODULES} more (all with -v)")


def _counts(counts: Counts) -> str:
    return f"{counts.compiled} compiled, {counts.refused} refused, {counts.undecidable} not decidable"


def _comparison(out: str, drift: Drift) -> str:
    if drift.files:
        return f"{count(len(drift.files), 'file')} of {out} not up to date"
    foreign = len(drift.mixed) + len(drift.unlisted)
    return f"{out} is up to date" + (f", but for {count(foreign, 'file')} of no build" if foreign else "")


def count(number: int, noun: str) -> str:
    """`1 file`, `2 files`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
