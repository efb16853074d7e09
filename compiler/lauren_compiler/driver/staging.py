"""Complete files under temporary names, on their way into an output folder.

A build may make thousands of small ones, so that what each costs is the calls of the system: one to open, one to write,
one to close, one to move.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

from ..source.patterns import pattern

_TEMPORARY = pattern(r"\.lauren-[0-9a-f]{16}\.tmp")
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_BUFFER = 1 << 18
"""In bytes: pieces of a long file may be short."""


class Staging:
    """Files that are written and not yet where they shall be."""

    def __init__(self, out: Path) -> None:
        self._out = str(out)
        self._prefix = f".lauren-{os.urandom(5).hex()}"
        self._count = 0
        self._folders: set[str] = set()
        self._staged: dict[str, str] = {}
        self.inodes: dict[str, int] = {}
        """Of all that was written, by path."""

    def stage(self, path: str, content: Sequence[bytes | memoryview]) -> None:
        """Writes the file `path` (POSIX, below the output folder), in pieces, under another name in its folder."""
        folder, _, _ = path.rpartition("/")
        if folder not in self._folders:
            os.makedirs(os.path.join(self._out, folder), exist_ok=True)
            self._folders.add(folder)
        self._count += 1
        temporary = os.path.join(self._out, folder, f"{self._prefix}{self._count:06x}.tmp")
        try:
            handle = os.open(temporary, _FLAGS, 0o666)
        except OSError as error:  # told of the file that was meant, whose name is the same in every run
            raise OSError(error.errno, error.strerror, os.path.join(self._out, path)) from error
        self._staged[path] = temporary
        self.inodes[path] = os.fstat(handle).st_ino
        if len(content) > 1:
            with open(handle, "wb", buffering=_BUFFER) as file:
                file.writelines(content)
            return
        try:
            for piece in content:
                rest = memoryview(piece)
                while rest:
                    rest = rest[os.write(handle, rest) :]
        finally:
            os.close(handle)

    def move(self, path: str) -> None:
        """Moves a file over what has its name."""
        os.replace(self._staged[path], os.path.join(self._out, path))
        del self._staged[path]

    def discard(self) -> None:
        """Removes what was not moved."""
        for temporary in self._staged.values():
            Path(temporary).unlink(missing_ok=True)
        self._staged.clear()


@contextmanager
def staging(out: Path) -> Generator[Staging]:
    """A `Staging` of which nothing is left behind."""
    files = Staging(out)
    try:
        yield files
    finally:
        files.discard()


def sweep(out: Path) -> None:
    """Removes what a killed build left; its folder is locked, so no living build owns these files."""
    for folder, _, names in os.walk(out):
        for name in names:
            if _TEMPORARY.fullmatch(name):
                (Path(folder) / name).unlink(missing_ok=True)
