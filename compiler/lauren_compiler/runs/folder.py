"""The folder of remembered runs. Whatever is wrong with it, a run goes on without."""

from __future__ import annotations

import os
import time
import zlib

from ..source.seen import Moment, kind_of
from . import record
from .record import Run

_RUNS = "runs"
_MARKS = {
    ".gitignore": b"# Made by lauren-compile; may be deleted at any time.\n*\n",
    "CACHEDIR.TAG": b"Signature: 8a477f597d28d172789f06886806bc55\n"
    b"# Made by lauren-compile; may be deleted at any time. See https://bford.info/cachedir/\n",
}
"""What says that the folder is a cache: to git, and to those who make backups (Cache Directory Tagging)."""
_MOST = 32
"""How many of a kind are kept; a run takes some hundred bytes a file."""


def find(folder: str, key: str) -> Run | None:
    """The run of that key, if one is remembered, with what changed since."""
    path = path_of(folder, _RUNS, key)
    if kind_of(path) != "file":  # to open a pipe is to wait for its other end
        return None
    try:
        with open(path, "rb") as file:
            found = record.read(file.read())
    except OSError:
        return None
    if found is None or found.key != key:
        return None
    if found.look_again(time.time_ns()) and not found.changed:
        try:
            keep(folder, found)
        except OSError:
            return found  # the next time takes as long as this one, and no longer
    return found


def keep(folder: str, run: Run) -> None:
    """Remember a run, in place of the one of its key. Raises OSError."""
    put(folder, _RUNS, run.key, record.written(run))


def put(folder: str, kind: str, key: str, *text: bytes) -> None:
    """Write what is kept under a key, of its kind, in pieces. Raises OSError."""
    inside = os.path.join(folder, kind)
    os.makedirs(inside, exist_ok=True)
    for name, content in _MARKS.items():
        if not os.path.lexists(os.path.join(folder, name)):
            _write(os.path.join(folder, name), content)
    path = path_of(folder, kind, key)
    _write(path, *text)
    _forget(inside, path)


def now(folder: str) -> Moment:
    """What time it is by the clock of the file system that a folder is in. Raises OSError."""
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, f"now.{os.getpid()}.tmp")
    try:
        with open(path, "wb") as file:
            return Moment(os.fstat(file.fileno()))
    finally:
        _remove(path)


def path_of(folder: str, kind: str, key: str) -> str:
    """Where that is. Equal numbers of different keys only cost a run its memory: the key itself is compared."""
    data = key.encode("utf-8", "surrogatepass")
    return os.path.join(folder, kind, f"{zlib.crc32(data):08x}{zlib.adler32(data):08x}")


def _write(path: str, *text: bytes) -> None:
    """Whole or not at all, whoever else writes it."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.writelines(text)
        os.replace(temporary, path)
    except BaseException:
        _remove(temporary)
        raise


def _forget(runs: str, newest: str) -> None:
    """Remove the oldest beyond the most that are kept, and what killed builds left."""
    found: list[tuple[float, str]] = []
    for entry in os.scandir(runs):
        try:
            found.append((entry.stat().st_mtime, entry.path))
        except OSError:
            continue  # another build was quicker
    for _, path in sorted(found)[: max(0, len(found) - _MOST)]:
        if path != newest:
            _remove(path)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
