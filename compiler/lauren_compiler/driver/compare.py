"""What is on disk against what a build would write: the diff of `--check`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from ..diagnostics.render.terminal import escape
from ..emit.artifact import Artifact
from ..emit.json_text import readable_text
from .folder import MANIFEST, Members, content, digest, listed_files, lookalikes, member, mixture
from .ownership import owned_files, refuse_foreign


class Drift(Struct, frozen=True):
    """`files` are (path, what is wrong with it); `mixed` are those that the manifest on disk does not describe.

    `unlisted` look like files of a build, and neither the manifest nor this build knows them.
    """

    files: tuple[tuple[str, str], ...]
    mixed: tuple[str, ...]
    unlisted: tuple[str, ...]
    diff: str


def compare(out: Path, artifacts: Sequence[Artifact], shown: str) -> Drift:
    """The differences, as a unified diff too, in which `out` is called `shown`.

    Raises OutputError if something on disk can't be read, or is what a build refuses to overwrite.
    """
    made = {artifact.path: artifact for artifact in artifacts}
    owned = owned_files(out)
    refuse_foreign(Members(out), made, owned)
    files: list[tuple[str, str]] = []
    pieces: list[str] = []
    for path, old, new in _pairs(out, made, owned):
        if old == new:
            continue
        files.append((path, "missing" if old is None else "not made any more" if new is None else "different"))
        pieces.extend(_diff(f"{shown}/{path}", old, new))
    removed = {path for path, what in files if what == "not made any more"}
    unlisted = lookalikes(out, {*listed_files(content(out / MANIFEST)), *made, *removed})
    return Drift(tuple(files), tuple(mixture(out)), tuple(unlisted), "".join(pieces))


def _pairs(
    out: Path, made: Mapping[str, Artifact], owned: Mapping[str, Collection[str]]
) -> Iterator[tuple[str, bytes | None, bytes | None]]:
    """Path, content on disk, content of the build; of files only on disk, those that a build would remove."""
    for path in sorted(made):
        yield path, content(member(out, path)), made[path].content
    for path, digests in owned.items():
        if path not in made:
            found = content(member(out, path))
            if found is not None and digest(found) in digests:
                yield path, found, None


def _diff(name: str, old: bytes | None, new: bytes | None) -> Iterator[str]:
    import difflib  # for who compares, and most builds do not

    before = "/dev/null" if old is None else name
    after = "/dev/null" if new is None else name
    if name.endswith(".json"):
        old, new = _laid_out(old, new)
    for line in difflib.unified_diff(_lines(old), _lines(new), before, after, lineterm=""):
        yield f"{escape(line)}\n"


def _laid_out(old: bytes | None, new: bytes | None) -> tuple[bytes | None, bytes | None]:
    """Two JSON texts with a line for each member: in a provider's file a tool is one line, of which all would differ.

    As they are if that tells no difference, or one of them is no JSON.
    """
    try:
        for text in filter(None, (old, new)):
            json.loads(text)
    except (ValueError, RecursionError):
        return old, new
    before, after = (readable_text(text) if text else text for text in (old, new))
    return (old, new) if before == after else (before, after)


def _lines(data: bytes | None) -> list[str]:
    if not data:
        return []
    lines = data.decode("utf-8", "backslashreplace").split("\n")
    return lines[:-1] if lines[-1] == "" else [*lines[:-1], f"{lines[-1]} (no newline at the end)"]
