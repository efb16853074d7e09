"""Source roots and module names.

The root of a file is the longest given root that contains it; else the parent of the outermost package it lies in; else
`src/` beside pyproject.toml, or pyproject.toml's folder, if it lies there; else its own folder. A folder inside a
package needs no `__init__.py` to be a part of it, and is imported as one (PEP 420).
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from ..config import Config
from ..source.filesystem import FileSystem


class Rooted(Struct, frozen=True):
    """A file, its root, its POSIX path from there, and its module name. `valid` if every part is an identifier."""

    path: Path
    root: Path
    relative: str
    module: str
    is_package: bool

    @property
    def valid(self) -> bool:
        return all(part.isidentifier() for part in self.module.split("."))


def rooted(path: Path, config: Config, files: FileSystem) -> Rooted:
    """The place of a file among the modules."""
    root = _root(path, config, files)
    relative = path.relative_to(root)
    parts = [*relative.parts[:-1], relative.name.removesuffix(".py").removesuffix(".pyi")]
    is_package = parts[-1] == "__init__" and len(parts) > 1
    if is_package:
        parts.pop()
    return Rooted(path, root, relative.as_posix(), ".".join(parts), is_package)


def _root(path: Path, config: Config, files: FileSystem) -> Path:
    given = [root for root in config.roots if path.is_relative_to(root)]
    if given:
        return max(given, key=lambda root: len(root.parts))
    folder = _package_around(path.parent, config.project, files)
    outermost: Path | None = None
    while folder is not None and _is_package(folder, files) and folder != folder.parent:
        outermost = folder
        folder = folder.parent
    if outermost is not None:
        return outermost.parent
    if config.project is not None:
        for root in (config.project / "src", config.project):
            if path.is_relative_to(root):
                return root
    return path.parent


def _package_around(folder: Path, project: Path | None, files: FileSystem) -> Path | None:
    """The nearest folder with an `__init__.py`, this one or one that it lies in as a part of the package.

    Of a project, one that lies in it: its own folder says nothing of those below it.
    """
    if _is_package(folder, files):
        return folder
    for part in (folder, *folder.parents):
        around = part.parent
        inside = project is None or project in around.parents
        if not part.name.isidentifier() or not inside:
            return None
        if _is_package(around, files):
            return around
    return None


def _is_package(folder: Path, files: FileSystem) -> bool:
    return files.is_file(str(folder / "__init__.py"))
