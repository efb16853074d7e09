"""Module names ↔ files, in Python's search order: source roots, standard library, installed packages, editable ones.

In one folder a package comes before a module, `x.py` before its stub `x.pyi`, and a folder without `__init__` (a part
of a namespace package) last. A module that exists only compiled is found, but has no source; then, and for names that
its source does not show, its stub counts: `x.pyi` beside it, or the one in a stub package (`x-stubs`, PEP 561).
"""

from __future__ import annotations

import os

from msgspec import Struct
from msgspec.structs import replace

from ..source.filesystem import FileSystem
from .environment import Environment

_COMPILED = (".so", ".pyd", ".pyc")


class Location(Struct, frozen=True):
    """Where a module is. `path` is its file, None for a namespace package or without source.

    `folders` are searched for its submodules. `compiled` names the file of a module that has no source; `stub` is a
    stub file beside or instead of the source.
    """

    name: str
    path: str | None
    root: str
    folders: tuple[str, ...] = ()
    compiled: str | None = None
    stub: str | None = None

    @property
    def is_package(self) -> bool:
        return bool(self.folders)


class ModuleFinder:
    """Finds modules by name; answers are remembered. `unread` says where else than in `roots` modules may be."""

    def __init__(self, files: FileSystem, roots: tuple[str, ...], environment: Environment) -> None:
        self._files = files
        self.roots = roots
        self._path = tuple(dict.fromkeys((*roots, *environment.stdlib, *environment.packages)))
        self._stub_path = tuple(dict.fromkeys((*roots, *environment.packages)))
        self._mapped = environment.mapped
        self.unread = environment.unread
        self._stdlib = frozenset(environment.stdlib)
        self._builtin = environment.builtin
        self._standard: dict[str, bool] = {}
        self._found: dict[str, Location | None] = {
            name: Location(name, None, "", compiled=name) for name in environment.builtin
        }

    def find(self, name: str) -> Location | None:
        """The module called `name`, None if there is none."""
        if name not in self._found:
            self._found[name] = self._search(name)
        return self._found[name]

    def is_standard(self, name: str) -> bool:
        """Whether a module is of the standard library, which no file of the sources hides."""
        top = name.partition(".")[0]
        known = self._standard.get(top)
        if known is None:
            found = self.find(top)
            known = found is not None and (found.root in self._stdlib or top in self._builtin)
            self._standard[top] = known
        return known

    def children(self, name: str) -> tuple[str, ...]:
        """The names of the modules in a package (or, for "", at the top of the source roots), for suggestions."""
        location = self.find(name) if name else None
        folders = location.folders if location else self.roots
        names: set[str] = set()
        for folder in folders:
            for entry in self._files.entries(folder):
                stem, dot, suffix = entry.partition(".")
                if stem.isidentifier() and (not dot or suffix in ("py", "pyi")):
                    names.add(stem)
        return tuple(sorted(names - {"__init__", "__pycache__"}))

    def _search(self, name: str) -> Location | None:
        package, _, last = name.rpartition(".")
        if package:
            parent = self.find(package)
            found = self._in_folders(name, last, parent.folders) if parent is not None else None
        else:
            found = self._in_folders(name, last, self._path)
        if found is None or (found.path is None and found.compiled is None):
            # Finders of editable installs are asked last, as they stand behind Python's own.
            found = self._editable(name) or found
        return self._with_stub(name, found)

    def _editable(self, name: str) -> Location | None:
        places = self._mapped.get(name, ())
        folders = [place for place in places if self._files.is_dir(place)]
        for place in places:
            found = self._in_folders(name, os.path.basename(place), (os.path.dirname(place),))
            if found is not None and found.path is not None:
                return found
        return Location(name, None, folders[0], tuple(folders)) if folders else None

    def _with_stub(self, name: str, found: Location | None) -> Location | None:
        """The module with what a stub package has of it, which stands in for a module that is not there."""
        if found is not None and (found.stub is not None or (found.path or "").endswith(".pyi")):
            return found
        stub = self._in_stub_packages(name)
        if stub is None or stub.path is None:
            return found
        if found is None or (found.path is None and found.compiled is None):
            return stub if found is None else replace(stub, folders=(*stub.folders, *found.folders))
        if found.path is None:
            folders = (*found.folders, *stub.folders)
            return replace(found, path=stub.path, root=stub.root, folders=folders, compiled=None)
        return replace(found, stub=stub.path)

    def _in_stub_packages(self, name: str) -> Location | None:
        top, *rest = name.split(".")
        location = self._in_folders(name, f"{top}-stubs", self._stub_path)
        for part in rest:
            location = self._in_folders(name, part, location.folders) if location is not None else None
        return location

    def _in_folders(self, name: str, last: str, folders: tuple[str, ...]) -> Location | None:
        namespace: list[str] = []
        for folder in folders:
            entries = self._files.entries(folder)
            if not entries:
                continue
            if last in entries:
                inside = os.path.join(folder, last)
                package = self._module(name, folder, inside, "__init__", (inside,))
                if package is not None:
                    return package
                if self._files.is_dir(inside):
                    namespace.append(inside)
            module = self._module(name, folder, folder, last, ())
            if module is not None:
                return module
        return Location(name, None, folders[0], tuple(namespace)) if namespace else None

    def _module(self, name: str, root: str, folder: str, stem: str, inside: tuple[str, ...]) -> Location | None:
        """The module of the file `stem` in a folder: its source, its stub, or what was compiled of it."""
        entries = self._files.entries(folder)
        source, stub = (
            os.path.join(folder, stem + suffix)
            if stem + suffix in entries and self._files.is_file(os.path.join(folder, stem + suffix))
            else None
            for suffix in (".py", ".pyi")
        )
        if source is not None:
            return Location(name, source, root, inside, stub=stub)
        if stub is not None:
            return Location(name, stub, root, inside)
        compiled = next((e for e in entries if e.startswith(stem + ".") and e.endswith(_COMPILED)), None)
        return Location(name, None, root, inside, compiled=os.path.join(folder, compiled)) if compiled else None
