"""The one door to files that are read: a protocol, the disk, and a twin in memory for tests."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


class FileSystem(Protocol):
    """What the compiler asks of a file system. Paths are absolute, in the system's own spelling."""

    def read(self, path: str) -> bytes:
        """The content of a file. Raises OSError."""
        ...

    def is_file(self, path: str) -> bool: ...

    def is_dir(self, path: str) -> bool: ...

    def entries(self, path: str) -> tuple[str, ...]:
        """The names in a folder, sorted; nothing if it is no folder or can't be read."""
        ...


class Disk:
    """The real file system; what a folder holds is remembered for the length of a run."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[str, ...]] = {}

    def read(self, path: str) -> bytes:
        with open(path, "rb") as file:
            return file.read()

    def is_file(self, path: str) -> bool:
        return os.path.isfile(path)

    def is_dir(self, path: str) -> bool:
        return os.path.isdir(path)

    def entries(self, path: str) -> tuple[str, ...]:
        found = self._entries.get(path)
        if found is None:
            try:
                found = tuple(sorted(os.listdir(path)))
            except OSError:
                found = ()
            self._entries[path] = found
        return found


@dataclass(frozen=True, slots=True)
class Memory:
    """Files in a mapping of absolute POSIX paths to contents; folders follow from them."""

    files: Mapping[str, bytes]

    def read(self, path: str) -> bytes:
        try:
            return self.files[path]
        except KeyError:
            raise FileNotFoundError(2, "no such file", path) from None

    def is_file(self, path: str) -> bool:
        return path in self.files

    def is_dir(self, path: str) -> bool:
        prefix = path.rstrip("/") + "/"
        return any(name.startswith(prefix) for name in self.files)

    def entries(self, path: str) -> tuple[str, ...]:
        prefix = path.rstrip("/") + "/"
        names = {name[len(prefix) :].split("/", 1)[0] for name in self.files if name.startswith(prefix)}
        return tuple(sorted(names))
