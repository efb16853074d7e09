"""The output folder as it is found: what may be written there, what an earlier build left, what is in the way.

Nothing on disk is trusted: a manifest may have been edited, a folder may be a symbolic link out of the output.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, cast

import msgspec
from msgspec import UNSET, Struct

from ..source.patterns import pattern

MANIFEST = "manifest.json"
JOURNAL = ".lauren-journal.tmp"
"""What a build is about to write, in the form of a manifest; it is there only while files are moved."""

_OWN_FOLDERS = {"schemas": ".json", "providers": ".json", "agents": ".json", "_tools": ".py"}

_PART = pattern(r"[^/\\:\0]+")


class OutputError(Exception):
    """The output can't be written: `path` is what stands in the way, the text says why."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(reason)
        self.path = path
        self.reason = reason


def refuse_sources(out: Path, sources: Iterable[Path]) -> None:
    """Raises OutputError if `out` is a file, is a link to nothing or below one, or is or holds what is compiled."""
    for step in (out, *out.parents):
        if os.path.islink(step) and not os.path.exists(step):
            raise OutputError(step, f"a symbolic link to {os.readlink(step)!r}, which can't be reached")
    if os.path.exists(out) and not os.path.isdir(out):
        raise OutputError(out, "the output folder is a file")
    real = Path(os.path.realpath(out))
    for source in sources:
        place = Path(os.path.realpath(source))
        if place == real or real in place.parents:
            raise OutputError(out, f"the output folder holds the sources in {source.name}")


def member(out: Path, path: str) -> Path:
    """Where the file `path` (POSIX, relative) of a build lies; no step of the way below `out` may be a link.

    Raises OutputError for a link or a file where a folder has to be.
    """
    if not is_member(path):
        raise OutputError(out, f"{path!r} is no path inside the output folder")
    here = out
    for part in PurePosixPath(path).parts[:-1]:
        here = here / part
        mode = _mode(here)
        if mode is not None and not stat.S_ISDIR(mode):
            raise OutputError(here, "a link or a file lies where a folder of the build has to be")
    return out / path


class Members:
    """The files of an output folder while no other build writes there: what is in a folder of it is looked up once."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self._names: dict[str, frozenset[str]] = {}

    def content(self, path: str) -> bytes | None:
        """As `content` of the `member`."""
        return content(self.out / path) if self.may_have(path) else None

    def may_have(self, path: str) -> bool:
        """Whether something of this name lies there; raises OutputError where `member` does."""
        folder, _, name = path.rpartition("/")
        if folder not in self._names:
            self._names[folder] = self._listed(member(self.out, path).parent)
        elif not _is_name(name):
            raise OutputError(self.out, f"{path!r} is no path inside the output folder")
        # Some file systems do not tell `A` from `a`, nor two ways to write `é`.
        return not name.isascii() or name.casefold() in self._names[folder]

    def _listed(self, folder: Path) -> frozenset[str]:
        try:
            return frozenset(name.casefold() for name in os.listdir(folder))
        except FileNotFoundError:
            return frozenset()
        except OSError as error:
            raise OutputError(folder, f"can't be read: {error.strerror}") from error


def is_member(path: str) -> bool:
    """Whether a path stays inside the folder it is relative to, on every platform."""
    return all(map(_is_name, path.split("/")))


def _is_name(part: str) -> bool:
    return _PART.fullmatch(part) is not None and part not in (".", "..")


def content(file: Path) -> bytes | None:
    """What a regular file holds; None if there is none, or a link. Raises OutputError for a folder."""
    mode = _mode(file)
    if mode is None or stat.S_ISLNK(mode):
        return None
    if not stat.S_ISREG(mode):
        raise OutputError(file, "something that is no file lies where a file of the build has to be")
    try:
        return file.read_bytes()
    except OSError as error:
        raise OutputError(file, f"can't be read: {error.strerror}") from error


def digest(data: bytes) -> str:
    """The digest of a file, as `files` in the manifest has it."""
    return hashlib.sha256(data).hexdigest()


def listed_files(manifest: bytes | None) -> Mapping[str, str]:
    """`files` of a manifest, as far as its entries are usable; nothing for what is no manifest."""
    files = _document(manifest).get("files")
    if not isinstance(files, dict):
        return {}
    entries = cast("dict[str, object]", files)
    return {path: value for path, value in entries.items() if isinstance(value, str) and is_member(path)}


def is_manifest(data: bytes) -> bool:
    """Whether `data` has the keys by which the manifest of a build is known."""
    document = _document(data)
    return "format" in document and isinstance(document.get("files"), dict)


def mixture(out: Path) -> Iterator[str]:
    """The files that are not as the manifest beside them says: those of another build, and missing ones."""
    for path, expected in listed_files(content(out / MANIFEST)).items():
        found = content(member(out, path))
        if found is None or digest(found) != expected:
            yield path


def lookalikes(out: Path, listed: Collection[str]) -> Iterator[str]:
    """The files in the folders of a build that look like its own and are not `listed`."""
    for folder, suffix in _OWN_FOLDERS.items():
        for file in sorted((out / folder).rglob(f"*{suffix}")):
            path = file.relative_to(out).as_posix()
            if path not in listed and "__pycache__" not in file.parts:
                yield path


class _Head(Struct):
    """What is asked of a manifest: the rest of it, which is long, is passed over."""

    format: Any = UNSET
    files: Any = None


def _document(manifest: bytes | None) -> Mapping[str, object]:
    if manifest is None:
        return {}
    try:
        head = msgspec.json.decode(manifest, type=_Head)
    except (msgspec.MsgspecError, RecursionError):
        return _loaded(manifest)  # a lone surrogate
    return {"files": head.files, **({} if head.format is UNSET else {"format": head.format})}


def _loaded(manifest: bytes) -> Mapping[str, object]:
    try:
        document: object = json.loads(manifest)
    except (ValueError, RecursionError):
        return {}  # half a merge, or not ours: then nothing is known of an earlier build
    return cast("dict[str, object]", document) if isinstance(document, dict) else {}


def _mode(path: Path) -> int | None:
    try:
        return path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise OutputError(path, f"can't be read: {error.strerror}") from error
