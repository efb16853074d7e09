"""What a clean run saw of the file system: what it read, the compiler itself, and the output as it is now."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path, PurePosixPath

from ..driver.build import Built
from ..driver.write import NOTHING_WRITTEN, Written
from ..emit.artifact import Artifact
from ..runs.record import Run
from ..runs.sights import saw, saw_after
from ..source.recording import Recording
from ..source.seen import CONTENT, NAMES, OUTPUT, Moment, Seen, look, marks_before, names_digest


def is_clean(built: Built) -> bool:
    """Whether nothing is wrong with a run."""
    drift = built.drift
    return not built.failed and (drift is None or not (drift.files or drift.mixed or drift.unlisted))


def whole(run: Run, built: Built, out: str, files: Recording, now: Moment) -> Run:
    """A run with all that it saw through `files`, and the files that it wrote into `out`, or found written; `now` is
    a moment after it."""
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
        made = _made(built.outcome.artifacts, built.written or NOTHING_WRITTEN, out, now)
        found |= {(OUTPUT, each.path): each for each in made}
        own = {path for question, path in found if question == OUTPUT}
        for folder in _folders(out):
            found |= {(each.question, each.path): each for each in _beside(folder, own, files.since, now)}
    return saw(run, found.values())


def after(before: Run, run: Run, built: Built, out: str, files: Recording, now: Moment) -> Run:
    """The same of a run of no more than what changed since the one `before`: of the output, only what it wrote and
    removed, and the folders of that, are not as they were."""
    seen = {(each.question, each.path): each for each in files.seen}
    changes = built.written or NOTHING_WRITTEN
    written = frozenset(changes.written)
    removed = {_in(out, path) for path in changes.removed}
    made = [*_made((each for each in built.outcome.artifacts if each.path in written), changes, out, now)]
    own = before.output().keys() - removed | {each.path for each in made}
    for folder in _changed_folders(out, changes):
        made += _beside(folder, own, files.since, now)
    return saw_after(run, before, seen, made, removed)


def _made(artifacts: Iterable[Artifact], changes: Written, out: str, now: Moment) -> Iterator[Seen]:
    """The files that a run made. Marks tell of those that it wrote, but where it did so shortly before they were there,
    or `now`, that no mark tells this from a change right after it."""
    whole = changes.whole
    for artifact in artifacts:
        path = _in(out, artifact.path)
        marks = ""
        if whole is not None and artifact.path in whole.inodes:
            marks = marks_before(path, now, (whole.moment, whole.inodes[artifact.path]))
        yield Seen(OUTPUT, path, artifact.digest, marks)


def _changed_folders(out: str, changes: Written) -> Iterator[str]:
    """The folders of the output in which anything was written or removed, as far as they are there."""
    found = {"."} if changes.written or changes.removed else set[str]()
    for path in (*changes.written, *changes.removed):
        found.update(map(str, PurePosixPath(path).parents))
    places = (out if folder == "." else _in(out, folder) for folder in sorted(found))
    yield from (place for place in places if os.path.isdir(place))


def _folders(out: str) -> Iterator[str]:
    """The folders of the output."""
    for folder, inside, _ in os.walk(out):
        inside[:] = [name for name in inside if name != "__pycache__"]
        yield folder


def _beside(folder: str, own: Collection[str], since: int, now: Moment) -> Iterator[Seen]:
    """Which names a folder of the output holds, and the Python files there that are not the build's `own`: they are
    harmless as long as they are empty."""
    marks = marks_before(folder, now)
    names: list[str] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            names.append(entry.name)
            if entry.name.endswith(".py") and entry.path not in own and not entry.is_dir(follow_symlinks=False):
                yield look(CONTENT, entry.path, since)
    yield Seen(NAMES, folder, names_digest(names), marks)


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
