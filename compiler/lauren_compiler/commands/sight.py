"""What a clean run saw of the file system: what it read, the compiler itself, and the output as it is now."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from ..driver.build import Built
from ..runs.record import Run
from ..runs.sights import saw, saw_after
from ..source.recording import Recording
from ..source.seen import CONTENT, NAMES, OUTPUT, Seen, is_settled, look, marks_of, names_digest


def is_clean(built: Built) -> bool:
    """Whether nothing is wrong with a run."""
    drift = built.drift
    return not built.failed and (drift is None or not (drift.files or drift.mixed or drift.unlisted))


def whole(run: Run, built: Built, out: str, files: Recording) -> Run:
    """A run with all that it saw through `files`, and the files that it wrote into `out`, or found written."""
    from ..resources import own_files

    found = {(each.question, each.path): _with_output(each, Path(out)) for each in files.seen}
    for path in map(str, own_files()):
        if (CONTENT, path) not in found:
            found[CONTENT, path] = look(CONTENT, path, files.since)
    for entry in sys.path:
        if os.path.basename(entry) in ("site-packages", "dist-packages"):
            found[NAMES, entry] = look(NAMES, entry, files.since)  # the names tell versions
    if built.written is not None or built.drift is not None:
        kept = {_in(out, path) for path in built.outcome.kept}
        found = {each: seen for each, seen in found.items() if each[0] != OUTPUT or seen.path in kept}
        found |= {(OUTPUT, each.path): each for each in _made(built, out)}
        own = {path for question, path in found if question == OUTPUT}
        found |= {(each.question, each.path): each for each in _beside(out, own, files.since)}
    return saw(run, found.values())


def after(before: Run, run: Run, built: Built, out: str, files: Recording) -> Run:
    """The same of a run of no more than what changed since the one `before`."""
    removed = set[str]() if built.written is None else {_in(out, path) for path in built.written.removed}
    made = [*_made(built, out)]
    own = before.output().keys() - removed | {each.path for each in made}
    made += _beside(out, own, files.since)
    return saw_after(run, before, {(each.question, each.path): each for each in files.seen}, made, removed)


def _made(built: Built, out: str) -> Iterator[Seen]:
    """The files that a run made; when they were written, no mark tells apart from a change right after it."""
    for artifact in built.outcome.artifacts:
        yield Seen(OUTPUT, _in(out, artifact.path), artifact.digest)


def _beside(folder: str, own: Collection[str], since: int) -> Iterator[Seen]:
    """Which names the folders of the output hold, and the Python files there that are not the build's `own`: they are
    harmless as long as they are empty."""
    marks = marks_of(folder)
    names: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            names.append(entry.name)
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _beside(entry.path, own, since)
            elif entry.name.endswith(".py") and entry.path not in own:
                yield look(CONTENT, entry.path, since)
    yield Seen(NAMES, folder, names_digest(names), marks if is_settled(marks, since) else "")


def _in(out: str, path: str) -> str:
    """Where a file of the output is."""
    return os.path.join(out, path.replace("/", os.sep))


def _with_output(seen: Seen, out: Path) -> Seen:
    """What was seen before the output folder was made, with it, if nothing else is new."""
    if seen.question != NAMES or seen.path != str(out.parent):
        return seen
    there = os.listdir(out.parent)
    before = [name for name in there if name != out.name]
    return Seen(NAMES, seen.path, names_digest(there)) if names_digest(before) == seen.answer else seen
