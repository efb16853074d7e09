"""Virtual environments, read from their files: nothing of one that merely lies beside a project is run.

Source: the standard library's `venv` and `site` (PEP 405); `version_info` is what virtualenv and uv write.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path

from msgspec import Struct

from ..source.filesystem import FileSystem
from ..source.patterns import pattern

_NAMES = (".venv", "venv", "env", ".env")
_VERSION = pattern(r"(3)\.(\d+)")


class VirtualEnvironment(Struct, frozen=True):
    """`sites` are its package folders, with those of its base if it uses them; `stdlib` is the base's, if found."""

    folder: Path
    version: tuple[int, int] | None
    sites: tuple[str, ...]
    stdlib: tuple[str, ...]


def beside(project: Path, files: FileSystem) -> VirtualEnvironment | None:
    """The virtual environment in a project's folder, under one of the usual names."""
    for name in _NAMES:
        found = read(project / name, files)
        if found is not None and found.sites:
            return found
    return None


def read(folder: Path, files: FileSystem) -> VirtualEnvironment | None:
    """What a folder says of itself as a virtual environment; None if it is none."""
    try:
        text = files.read(str(folder / "pyvenv.cfg")).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    pairs = (line.partition("=") for line in text.splitlines())
    settings = {key.strip().lower(): value.strip() for key, _, value in pairs}
    match = _VERSION.match(settings.get("version_info") or settings.get("version", ""))
    version = (int(match[1]), int(match[2])) if match else None
    home = settings.get("home", "")
    base = Path(home).parent if home else None
    sites = _sites(folder, files)
    if base is not None and settings.get("include-system-site-packages", "").lower() == "true":
        sites = [*sites, *_sites(base, files, version)]
    return VirtualEnvironment(folder, version, tuple(sites), tuple(_stdlib(base, version, files)))


def _sites(folder: Path, files: FileSystem, version: tuple[int, int] | None = None) -> list[str]:
    """The package folders below a prefix; of one version, if there may be several."""
    python = "python3*" if version is None else f"python{version[0]}.{version[1]}"
    libraries = [folder / name for name in files.entries(str(folder)) if name.startswith("lib")]
    pythons = [each / name for each in libraries for name in files.entries(str(each)) if fnmatchcase(name, python)]
    found = [path / "site-packages" for path in (folder / "Lib", *pythons)]
    there = [path for path in found if files.is_dir(str(path))]
    # `lib64` is often a link to `lib`.
    return [str(path) for path in {path.resolve(): path for path in reversed(there)}.values()][::-1]


def _stdlib(base: Path | None, version: tuple[int, int] | None, files: FileSystem) -> list[str]:
    if base is None or version is None:
        return []
    found = [base / "Lib", base / "lib" / f"python{version[0]}.{version[1]}"]
    return [str(path) for path in found if files.is_file(str(path / "os.py"))]
