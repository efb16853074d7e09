"""The one door to files that are read: a protocol, the disk, and a twin in memory for tests."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct, field

from .seen import LARGEST as LARGEST


class FileSystem(Protocol):
    """What the compiler asks of a file system. Paths are absolute, in the system's own spelling."""

    def read(self, path: str) -> bytes:
        """The content of a regular file of at most `LARGEST` bytes. Raises OSError, for anything else too."""
        ...

    def is_file(self, path: str) -> bool: ...

    def is_dir(self, path: str) -> bool: ...

    def exists(self, path: str) -> bool:
        """Whether there is anything of that name, be it a link to nothing."""
        ...

    def entries(self, path: str) -> tuple[str, ...]:
        """The names in a folder, sorted; nothing if it is no folder or can't be read: `fault` says which."""
        ...

    def fault(self, path: str) -> OSError | None:
        """What stands in the way of reading a path; None if it is a regular file, or a folder that can be listed."""
        ...


class Disk:
    """The real file system; what a folder holds is remembered for the length of a run."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[str, ...]] = {}

    def read(self, path: str) -> bytes:
        # Asked before it is opened: to open a pipe is to wait for its other end.
        found = os.stat(path)
        if not stat.S_ISREG(found.st_mode):
            raise _no_file(path)
        if found.st_size > LARGEST:
            raise _too_large(path)
        with open(path, "rb") as file:
            return file.read()

    def is_file(self, path: str) -> bool:
        return os.path.isfile(path)

    def is_dir(self, path: str) -> bool:
        return os.path.isdir(path)

    def exists(self, path: str) -> bool:
        return os.path.lexists(path)

    def entries(self, path: str) -> tuple[str, ...]:
        found = self._entries.get(path)
        if found is None:
            try:
                found = tuple(sorted(os.listdir(path)))
            except OSError:
                found = ()
            self._entries[path] = found
        return found

    def fault(self, path: str) -> OSError | None:
        try:
            mode = os.stat(path).st_mode
            if stat.S_ISDIR(mode):
                os.scandir(path).close()
        except OSError as error:
            return error
        if stat.S_ISDIR(mode):
            # Without the right to search it, the names in a folder are known and nothing behind them.
            return None if os.access(path, os.X_OK) else OSError(errno.EACCES, os.strerror(errno.EACCES), path)
        return None if stat.S_ISREG(mode) else _no_file(path)


class Memory(Struct, frozen=True):
    """Files in a mapping of absolute POSIX paths to contents; folders follow from them.

    `faults` maps paths that are there and can't be read to the error number.
    """

    files: Mapping[str, bytes]
    faults: Mapping[str, int] = field(default_factory=dict[str, int])

    def read(self, path: str) -> bytes:
        fault = self.fault(path)
        if fault is not None:
            raise fault
        if path not in self.files:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if len(self.files[path]) > LARGEST:
            raise _too_large(path)
        return self.files[path]

    def is_file(self, path: str) -> bool:
        return path in self.files and path not in self.faults

    def is_dir(self, path: str) -> bool:
        prefix = path.rstrip("/") + "/"
        return any(name.startswith(prefix) for name in self.files)

    def exists(self, path: str) -> bool:
        return path in self.files or path in self.faults or self.is_dir(path)

    def entries(self, path: str) -> tuple[str, ...]:
        prefix = path.rstrip("/") + "/"
        names = {
            name[len(prefix) :].split("/", 1)[0] for name in (*self.files, *self.faults) if name.startswith(prefix)
        }
        return () if path in self.faults else tuple(sorted(names))

    def fault(self, path: str) -> OSError | None:
        there = self.is_file(path) or self.is_dir(path)
        number = self.faults.get(path, 0 if there else errno.ENOENT)
        return OSError(number, os.strerror(number), path) if number else None


def _no_file(path: str) -> OSError:
    return OSError(errno.EINVAL, "it is no regular file", path)


def _too_large(path: str) -> OSError:
    return OSError(errno.EFBIG, f"it is larger than {LARGEST // 1024**2} MiB", path)
