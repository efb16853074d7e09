"""Configured files and folders → source files, sorted, without what is always or by configuration excluded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from ..config import Config
from ..diagnostics.patterns import matches
from ..source.filesystem import FileSystem

SourcePath: TypeAlias = Path

_NEVER = frozenset({"node_modules", "__pycache__"})
_BUILT = frozenset({"build", "dist"})


def find_sources(config: Config, files: FileSystem) -> tuple[SourcePath, ...]:
    """Every Python file of the configured sources, once each, in order of path.

    A path given by name is never excluded, nor is what is above it a reason to.
    """
    found: set[Path] = set()
    for source in config.sources:
        if files.is_dir(str(source)):
            found.update(_below(source, config, files))
        elif source in config.named or not _excluded(source, config):
            found.add(source)
    return tuple(sorted(found, key=lambda path: path.as_posix()))


def _below(folder: Path, config: Config, files: FileSystem) -> Iterator[Path]:
    pending = [folder]
    seen: set[str] = set()
    while pending:
        step = pending.pop()
        real = os.path.realpath(step)
        if real in seen:
            continue
        seen.add(real)
        entries = files.entries(str(step))
        beside_project = "pyproject.toml" in entries
        for name in entries:
            path = step / name
            if path != folder and _excluded(path, config):
                continue
            if files.is_dir(str(path)):
                if not _skipped(name, path, beside_project, files):
                    pending.append(path)
            elif name.endswith(".py") and files.is_file(str(path)):
                yield path


def _skipped(name: str, path: Path, beside_project: bool, files: FileSystem) -> bool:
    if name.startswith(".") or name in _NEVER or (beside_project and name in _BUILT):
        return True
    return files.is_file(str(path / "pyvenv.cfg"))


def _excluded(path: Path, config: Config) -> bool:
    if path == config.out or config.out in path.parents:
        return True
    base = config.project
    if base is None or not path.is_relative_to(base):
        return False
    relative = path.relative_to(base).as_posix()
    return any(matches(pattern, relative) for pattern in config.exclude)
