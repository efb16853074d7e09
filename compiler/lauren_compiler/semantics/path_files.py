"""What `.pth` files add to the search path, read without running them.

A plain line is a folder. A line that begins with `import` is code; of it two kinds are understood, for they are what
editable installs write: setuptools' finder modules (`MAPPING`, `NAMESPACES`) and those of the package editables
(`map_module`). Any other may do anything: it is remembered, for the message about a module that is then not found.
Source: the standard library's `site`; setuptools, `command/editable_wheel.py`; editables, `__init__.py`.
"""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct, field

from ..source.filesystem import FileSystem
from ..source.patterns import pattern

_HARMLESS = pattern(r"distutils-precedence|_virtualenv|.*-nspkg|a1_coverage|coverage|pywin32|debugpy|sitecustomize")
"""Files whose code is known to add no modules, or none that are not found as namespace packages anyway."""
_IMPORT = pattern(r"import[ \t]+([A-Za-z_][A-Za-z0-9_]*)")
_FINDER = pattern(r"__editable__.*_finder|_editable_impl_.*|__editables__.*|_.*")


class SearchPath(Struct):
    """Read from `files`: `folders` in search order; `mapped` are modules that a finder knows the file or folder of,
    without suffix; `unread` says what may hold modules and can't be looked into."""

    files: FileSystem
    folders: dict[str, None] = field(default_factory=dict[str, None])
    mapped: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    unread: list[str] = field(default_factory=list[str])

    def add(self, entry: str) -> None:
        """One entry of the path: a folder; an archive is said to be one."""
        path = os.path.abspath(entry)
        if self.files.is_dir(path):
            self.folders.setdefault(path)
        elif self.files.is_file(path):
            self.unread.append(f"the archive `{os.path.basename(path)}` on the search path is not looked into")


def search_path(entries: list[str], sites: list[str], files: FileSystem) -> SearchPath:
    """The path of `entries`, then of `sites`: folders whose `.pth` files count."""
    found = SearchPath(files)
    for entry in entries:
        found.add(entry)
    for site in sites:
        found.add(site)
    for site in sites:
        for name in files.entries(site):
            # Python leaves out hidden ones.
            if name.endswith(".pth") and not name.startswith("."):
                _path_file(Path(site, name), found)
    return found


def _path_file(file: Path, found: SearchPath) -> None:
    try:
        lines = found.files.read(str(file)).decode("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        found.unread.append(f"`{file.name}` can't be read ({error})")
        return
    for line in lines:
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if not line.startswith(("import ", "import\t")):
            found.add(os.path.join(file.parent, text))
        elif not _HARMLESS.fullmatch(file.stem) and not _finder(line, file.parent, found):
            found.unread.append(f"`{file.name}` runs code, which may add modules")


def _finder(line: str, folder: Path, found: SearchPath) -> bool:
    """Read the finder that a line installs; False if it is none, or can't be understood."""
    from ..syntax.finders import finder_places

    match = _IMPORT.match(line)
    file = folder / f"{match[1]}.py" if match is not None and _FINDER.fullmatch(match[1]) else None
    if file is None or not found.files.is_file(str(file)):
        return False
    try:
        places = finder_places(found.files.read(str(file)))
    except OSError:
        return False
    for name, paths in places or ():
        _map(name, paths, found)
    return places is not None


def _map(name: str, places: tuple[str, ...], found: SearchPath) -> None:
    """A module's places without what only a file has: `/src/pkg/__init__.py` is `/src/pkg`."""
    paths = [place.removesuffix(".py").removesuffix("__init__").rstrip("/\\") for place in places]
    found.mapped[name] = (*found.mapped.get(name, ()), *(os.path.abspath(path) for path in paths))
