"""Configured files and folders → source files, sorted, without what is always or by configuration excluded."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias, cast

from msgspec import Struct, field

from ..config import Config
from ..diagnostics.model import Sink
from ..diagnostics.patterns import matches
from ..diagnostics.rules.reading import UNREADABLE_FILE
from ..source.filesystem import FileSystem
from ..source.span import Span

SourcePath: TypeAlias = Path

_NEVER = frozenset({"node_modules", "__pycache__"})
_BUILT = frozenset({"build", "dist"})

_NO_SOURCE = frozenset({errno.ENOENT, errno.ELOOP, errno.EINVAL})
"""What links to nothing and special files give: under a name that no source has, they are no fault."""


def find_sources(config: Config, files: FileSystem, show: Callable[[str], str], sink: Sink) -> tuple[SourcePath, ...]:
    """Every Python file of the configured sources, once each, in order of path.

    A path given by name is never excluded, nor is what is above it a reason to. What lies there and can't be reached
    is reported (LC101).
    """
    walk = _Walk(config, files, show, sink)
    for source in config.sources:
        if files.is_dir(str(source)):
            walk.below(source)
        elif source in config.named or not _excluded(source, config):
            walk.found.add(source)
    return tuple(sorted(walk.found, key=lambda path: path.as_posix()))


class _Walk(Struct, frozen=True):
    config: Config
    files: FileSystem
    show: Callable[[str], str]
    sink: Sink
    found: set[Path] = field(default_factory=set[Path])

    def below(self, folder: Path) -> None:
        pending = [folder]
        seen: set[str] = set()
        while pending:
            step = pending.pop()
            real = os.path.realpath(step)
            if real in seen:
                continue
            seen.add(real)
            if not self.reported(step):
                pending += self.folders(step)

    def folders(self, step: Path) -> list[Path]:
        """Adds the files of a folder to `found`; gives the folders in it to go on with."""
        deeper: list[Path] = []
        entries = self.files.entries(str(step))
        beside_project = "pyproject.toml" in entries
        for name in entries:
            path = step / name
            if _excluded(path, self.config):
                continue
            if self.files.is_dir(str(path)):
                if not _skipped(name, path, beside_project, self.files):
                    deeper.append(path)
            elif self.files.is_file(str(path)):
                self.found.update([path] if name.endswith(".py") else [])
            else:
                self.reported(path, harmless=frozenset() if _is_source(name) else _NO_SOURCE)
        return deeper

    def reported(self, path: Path, *, harmless: frozenset[int] = frozenset()) -> bool:
        """Whether something stands in the way of a path, which is then reported unless it is `harmless`."""
        fault = self.files.fault(str(path))
        if fault is None:
            return False
        if fault.errno not in harmless:
            reason = fault.strerror or type(fault).__name__
            self.sink.add(UNREADABLE_FILE.at(Span.of_file(self.show(str(path))), f"this path can't be read: {reason}"))
        return True


def _is_source(name: str) -> bool:
    """Whether a name is one that a source may have; editors keep links to nothing under hidden names."""
    return name.endswith(".py") and not name.startswith(".")


def _skipped(name: str, path: Path, beside_project: bool, files: FileSystem) -> bool:
    if name.startswith(".") or name in _NEVER or (beside_project and name in _BUILT):
        return True
    return files.is_file(str(path / "pyvenv.cfg")) or is_build(path, files)


def is_build(folder: Path, files: FileSystem) -> bool:
    """Whether a folder is what a build wrote: it has a dispatch table, and a manifest of format 1."""
    manifest = str(folder / "manifest.json")
    if not files.is_file(manifest) or not files.is_file(str(folder / "dispatch.py")):
        return False
    try:
        document: object = json.loads(files.read(manifest))
    except (OSError, ValueError, RecursionError):
        return False  # whose manifest it is can't be told, so what lies beside it counts as sources
    keys = cast("dict[str, object]", document) if isinstance(document, dict) else {}
    return keys.get("format") == 1 and isinstance(keys.get("digest"), str)


def _excluded(path: Path, config: Config) -> bool:
    if any(path == out or out in path.parents for out in config.outputs):
        return True
    base = config.project
    if base is None or not path.is_relative_to(base):
        return False
    relative = path.relative_to(base).as_posix()
    return any(matches(pattern, relative) for pattern in config.exclude)
