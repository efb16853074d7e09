"""What is on disk against what a build would write: the diff of `--check`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics.render.terminal import escape
from ..emit.artifact import Artifact
from .folder import MANIFEST, content, digest, listed_files, member, mixture


@dataclass(frozen=True, slots=True)
class Drift:
    """`files` are (path, what is wrong with it); `mixed` are those that the manifest on disk does not describe."""

    files: tuple[tuple[str, str], ...]
    mixed: tuple[str, ...]
    diff: str


def compare(out: Path, artifacts: Sequence[Artifact], shown: str) -> Drift:
    """The differences, as a unified diff too, in which `out` is called `shown`.

    Raises OutputError if something on disk can't be read.
    """
    files: list[tuple[str, str]] = []
    pieces: list[str] = []
    for path, old, new in _pairs(out, artifacts):
        if old == new:
            continue
        files.append((path, "missing" if old is None else "not made any more" if new is None else "different"))
        pieces.extend(_diff(f"{shown}/{path}", old, new))
    return Drift(tuple(files), tuple(mixture(out)), "".join(pieces))


def _pairs(out: Path, artifacts: Sequence[Artifact]) -> Iterator[tuple[str, bytes | None, bytes | None]]:
    """Path, content on disk, content of the build; of files only on disk, those that a build would remove."""
    made = {artifact.path for artifact in artifacts}
    for artifact in sorted(artifacts, key=lambda artifact: artifact.path):
        yield artifact.path, content(member(out, artifact.path)), artifact.content
    for path, expected in sorted(listed_files(content(out / MANIFEST)).items()):
        if path not in made:
            found = content(member(out, path))
            if found is not None and digest(found) == expected:
                yield path, found, None


def _diff(name: str, old: bytes | None, new: bytes | None) -> Iterator[str]:
    before = "/dev/null" if old is None else name
    after = "/dev/null" if new is None else name
    for line in difflib.unified_diff(_lines(old), _lines(new), before, after, lineterm=""):
        yield f"{escape(line)}\n"


def _lines(data: bytes | None) -> list[str]:
    if not data:
        return []
    lines = data.decode("utf-8", "backslashreplace").split("\n")
    return lines[:-1] if lines[-1] == "" else [*lines[:-1], f"{lines[-1]} (no newline at the end)"]
