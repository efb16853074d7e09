"""Module names ↔ files, in Python's search order: source roots, standard library, installed packages.

In one folder a package comes before a module, `x.py` before its stub `x.pyi`, and a folder without `__init__` (a part
of a namespace package) last. A module that exists only compiled is found, but has no source.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from ..source.filesystem import FileSystem
from .environment import Environment

_COMPILED = (".so", ".pyd", ".pyc")


@dataclass(frozen=True, slots=True)
class Location:
    """Where a module is. `path` is its file, None for a namespace package or without source.

    `folders` are searched for its submodules. `compiled` names the file of a module that has no source.
    """

    name: str
    path: str | None
    root: str
    folders: tuple[str, ...] = ()
    compiled: str | None = None

    @property
    def is_package(self) -> bool:
        return bool(self.folders)


class ModuleFinder:
    """Finds modules by name; answers are remembered."""

    def __init__(self, files: FileSystem, roots: tuple[str, ...], environment: Environment) -> None:
        self._files = files
        self._roots = roots
        self._path = tuple(dict.fromkeys((*roots, *environment.stdlib, *environment.packages)))
        self._stub_path = environment.packages
        self._found: dict[str, Location | None] = {
            name: Location(name, None, "", compiled=name) for name in environment.builtin
        }

    def find(self, name: str) -> Location | None:
        """The module called `name`, None if there is none."""
        if name not in self._found:
            self._found[name] = self._search(name)
        return self._found[name]

    def children(self, name: str) -> tuple[str, ...]:
        """The names of the modules in a package (or, for "", at the top of the source roots), for suggestions."""
        location = self.find(name) if name else None
        folders = location.folders if location else self._roots
        names: set[str] = set()
        for folder in folders:
            for entry in self._files.entries(folder):
                stem, dot, suffix = entry.partition(".")
                if stem.isidentifier() and (not dot or suffix in ("py", "pyi")):
                    names.add(stem)
        return tuple(sorted(names - {"__init__", "__pycache__"}))

    def _search(self, name: str) -> Location | None:
        package, _, last = name.rpartition(".")
        if not package:
            found = self._in_folders(name, last, self._path)
            if found is None or found.path is None:
                stub = self._in_folders(name, f"{last}-stubs", self._stub_path)
                found = stub if stub is not None and stub.path is not None else found
            return found
        parent = self.find(package)
        return self._in_folders(name, last, parent.folders) if parent is not None else None

    def _in_folders(self, name: str, last: str, folders: tuple[str, ...]) -> Location | None:
        namespace: list[str] = []
        for folder in folders:
            entries = self._files.entries(folder)
            if not entries:
                continue
            if last in entries:
                inside = os.path.join(folder, last)
                for initial in ("__init__.py", "__init__.pyi"):
                    path = os.path.join(inside, initial)
                    if self._files.is_file(path):
                        return Location(name, path, folder, (inside,))
                if self._files.is_dir(inside):
                    namespace.append(inside)
            for suffix in (".py", ".pyi"):
                if last + suffix in entries:
                    return Location(name, os.path.join(folder, last + suffix), folder)
            compiled = next((e for e in entries if e.startswith(last + ".") and e.endswith(_COMPILED)), None)
            if compiled is not None:
                return Location(name, None, folder, compiled=os.path.join(folder, compiled))
        return Location(name, None, folders[0], tuple(namespace)) if namespace else None
