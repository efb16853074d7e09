"""Artifacts onto the disk.

Every file is written whole: into a temporary file beside it, then moved over it, so that a reader, or a process killed
at any moment, sees the old file or the new one. All temporary files are complete before the first move, so that a full
disk leaves the previous output untouched; `manifest.json` is moved last, so that it never promises what is not there.
Between the two a journal says what is being moved, so that the next build knows the files of one that was stopped.
Nothing is synced to the medium: output can be made again, and every build compares what is there before it trusts it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from ..emit.artifact import Artifact
from ..source.seen import Moment
from .folder import JOURNAL, MANIFEST, Members, OutputError, content, digest, listed_files, member
from .lock import exclusive
from .staging import Staging, staging, sweep


class Whole(Struct, frozen=True):
    """A moment at which all that is written was whole, and none of it where it belongs; the `inodes` of it by path."""

    moment: Moment
    inodes: Mapping[str, int]


class Written(Struct, frozen=True):
    """What a build changed; paths are relative to the output folder. `whole` tells how to know what it wrote; None if
    that was nothing, or if another build may have been there too."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int
    whole: Whole | None = None


NOTHING_WRITTEN = Written((), (), 0)


class Standing(Struct, frozen=True):
    """What an earlier build left in the output folder, and nothing besides: digests by path. `holds` looks whether that
    is still so. `kept` are the paths that are to stay."""

    files: Mapping[str, str]
    kept: Collection[str]
    holds: Callable[[], bool]


class OvertakenError(Exception):
    """The output is not any more what it was when the build began: another build has written it meanwhile."""


def write(out: Path, artifacts: Sequence[Artifact], standing: Standing | None = None) -> Written:
    """Makes `out` hold the artifacts; files that are as they should be are not touched.

    Files that the previous manifest lists, that are no longer made and still have the listed content, are removed.
    Where it is known what is `standing` there, nothing is read to find out.
    Raises OutputError if something can't be written or stands in the way, OvertakenError if other files than those
    stand there.
    """
    made = {artifact.path: artifact for artifact in artifacts}
    try:
        out.mkdir(parents=True, exist_ok=True)
        with exclusive(out) as alone:
            done = _write_locked(out, made) if standing is None else _write_over(out, made, standing)
            return done if alone else replace(done, whole=None)
    except OSError as error:
        place = Path(error.filename) if isinstance(error.filename, str) else out
        raise OutputError(place, f"can't be written: {error.strerror or error}") from error


def _write_locked(out: Path, artifacts: Mapping[str, Artifact]) -> Written:
    from .ownership import owned_files, refuse_foreign

    sweep(out)
    owned = owned_files(out)
    there = Members(out)
    refuse_foreign(there, artifacts, owned)
    changed = [path for path, made in artifacts.items() if _differs(there.content(path), made)]
    removed, whole = _replace(out, artifacts, changed, owned, artifacts)
    return Written(tuple(changed), removed, len(artifacts) - len(changed), whole)


def _differs(found: bytes | None, made: Artifact) -> bool:
    """Whether a file is other than the artifact, which is made whole only if there is one."""
    return found is None or found != made.content


def _write_over(out: Path, artifacts: Mapping[str, Artifact], standing: Standing) -> Written:
    if not standing.holds():
        raise OvertakenError
    there = Members(out)
    changed = [path for path, made in artifacts.items() if standing.files.get(path) != made.digest]
    if any(there.content(path) is not None for path in changed if path not in standing.files):
        raise OvertakenError  # whose it is, only a look at all that is there can tell
    for path in changed:
        there.may_have(path)  # refuses a link in the way
    owned = {path: (found,) for path, found in standing.files.items()}
    made = {*artifacts, *standing.kept}
    removed, whole = _replace(out, artifacts, changed, owned, made)
    return Written(tuple(changed), removed, len(made) - len(changed), whole)


def _replace(
    out: Path,
    artifacts: Mapping[str, Artifact],
    changed: list[str],
    owned: Mapping[str, Collection[str]],
    made: Collection[str],
) -> tuple[tuple[str, ...], Whole | None]:
    """Writes the `changed` files, and removes those `owned` that are not `made` any more. Gives these, and how to know
    those."""
    changed.sort(key=lambda path: (path == MANIFEST, path))
    whole: Whole | None = None
    with staging(out) as files:
        for path in reversed(changed):  # the longest first: the more of them are whole before the journal is
            files.stage(path, artifacts[path].pieces)
        if changed:
            _keep_journal(out, {path: artifacts[path].digest for path in changed if path != MANIFEST}, files)
            whole = Whole(Moment(os.lstat(out / JOURNAL)), files.inodes)
        for path in changed:
            if path != MANIFEST:
                files.move(path)
        removed = _remove_orphans(out, made, owned)
        if MANIFEST in changed:
            files.move(MANIFEST)
        (out / JOURNAL).unlink(missing_ok=True)
    return removed, whole


def _keep_journal(out: Path, listed: Mapping[str, str], files: Staging) -> None:
    """Says what is about to be written, beside what a build stopped before this one has said."""
    journal = {"files": {**listed_files(content(out / JOURNAL)), **listed}}
    files.stage(JOURNAL, [json.dumps(journal).encode()])
    files.move(JOURNAL)


def _remove_orphans(out: Path, made: Collection[str], owned: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    kept = {path.casefold(): path for path in made}
    removed: list[str] = []
    for path, expected in owned.items():
        if path in made or path == MANIFEST or not _is_orphan(out, path, expected, kept):
            continue
        (out / path).unlink()
        removed.append(path)
        _remove_empty(out, PurePosixPath(path).parent)
    return tuple(removed)


def _is_orphan(out: Path, path: str, expected: Collection[str], kept: Mapping[str, str]) -> bool:
    """Whether a listed file is still what the previous build wrote, and not a new one in another spelling."""
    try:
        found = content(member(out, path))
    except OutputError:
        return False  # a link or a folder took its place: that is no file of a build
    if found is None or digest(found) not in expected:
        return False
    twin = kept.get(path.casefold())
    return twin is None or not os.path.samefile(out / path, out / twin)


def _remove_empty(out: Path, folder: PurePosixPath) -> None:
    while folder.parts:
        if any((out / folder).iterdir()):
            return
        (out / folder).rmdir()
        folder = folder.parent
