"""The Python that the compiled tools will run on: version, platform, and where its library and packages lie.

It is, in this order: what the configuration says (then nothing is run), the interpreter named there or on the command
line (which answers one isolated question), a virtual environment in the project's folder (which is only read), the
interpreter that runs the compiler.
"""

from __future__ import annotations

import json
import os
import site
import sys
import sysconfig
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from ..config.model import GivenEnvironment
from ..source.filesystem import FileSystem
from . import virtual
from .path_files import SearchPath, search_path

_QUESTION = """
import json, site, sys, sysconfig
paths = sysconfig.get_paths()
print(json.dumps({
    "version": list(sys.version_info[:2]),
    "platform": sys.platform,
    "stdlib": [paths["stdlib"], paths["platstdlib"]],
    "packages": [paths["purelib"], paths["platlib"], *site.getsitepackages()],
    "builtin": sorted(sys.builtin_module_names),
}))
"""


class InterpreterError(Exception):
    """The configured interpreter did not answer; the text says why."""


class Environment(Struct, frozen=True):
    """`stdlib` and `packages` are folders, in search order; `builtin` are modules that are part of the interpreter.

    `mapped` are modules of editable installs, with their files or folders, without suffix; `unread` says what may hold
    modules and can't be looked into. `chosen` if it was named or lies beside the project: what it lacks, the tools will
    lack too. One that only happens to run the compiler may have nothing else.
    """

    version: tuple[int, int]
    platform: str
    stdlib: tuple[str, ...]
    packages: tuple[str, ...]
    builtin: frozenset[str] = frozenset()
    mapped: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    unread: tuple[str, ...] = ()
    chosen: bool = False


def running(files: FileSystem) -> Environment:
    """The environment of the interpreter that runs the compiler."""
    paths = sysconfig.get_paths()
    user = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []
    sites = [*user, paths["purelib"], paths["platlib"], *site.getsitepackages()]
    version = (sys.version_info[0], sys.version_info[1])
    found = search_path([], _folders(sites, files), files)
    return _made(version, sys.platform, [paths["stdlib"], paths["platstdlib"]], found, files)


def given(settings: GivenEnvironment, files: FileSystem) -> Environment:
    """What the configuration says; where it says nothing, as the running interpreter. Nothing is run."""
    own = running(files)
    version, platform = settings.version or own.version, settings.platform or own.platform
    if settings.search_path is None:
        return Environment(version, platform, own.stdlib, own.packages, own.builtin, own.mapped, own.unread)
    entries = [str(path) for path in settings.search_path]
    sites = [path for path in entries if os.path.basename(path) in ("site-packages", "dist-packages")]
    found = search_path(entries, sites, files)
    library = [path for path in found.folders if files.is_file(os.path.join(path, "os.py"))]
    rest = SearchPath(files, {path: None for path in found.folders if path not in library}, found.mapped, found.unread)
    return replace(_made(version, platform, library or list(own.stdlib), rest, files), chosen=True)


def beside(project: Path, files: FileSystem) -> Environment | None:
    """What a virtual environment in the project's folder has, None if there is none."""
    found = virtual.beside(project, files)
    if found is None:
        return None
    own = running(files)
    if Path(sys.prefix).resolve() == found.folder.resolve():
        return replace(own, chosen=True)
    library = list(found.stdlib) or list(own.stdlib)
    sites = search_path([], list(found.sites), files)
    return replace(_made(found.version or own.version, own.platform, library, sites, files), chosen=True)


def ask(python: Path, files: FileSystem) -> Environment:
    """The environment of another interpreter, which answers one question in isolated mode, without its site module.

    Raises InterpreterError.
    """
    import subprocess  # the rest of a build does without, and it takes as long as twenty modules of ours

    command = [str(python), "-I", "-S", "-c", _QUESTION]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=30, check=True, stdin=subprocess.DEVNULL
        )
        facts = json.loads(answer.stdout)
        version, platform = (int(facts["version"][0]), int(facts["version"][1])), str(facts["platform"])
        stdlib, packages = [str(p) for p in facts["stdlib"]], [str(p) for p in facts["packages"]]
        builtin = frozenset(str(name) for name in facts["builtin"])
    except OSError as error:
        raise InterpreterError(f"`{python}` can't be started: {error.strerror}") from error
    except subprocess.SubprocessError as error:
        why = "it gave no answer in 30 seconds"
        if isinstance(error, subprocess.CalledProcessError):
            why = f"it ended with status {error.returncode}"
        raise InterpreterError(f"`{python}` did not say where its library is: {why}") from error
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InterpreterError(f"`{python}` is no Python interpreter of version 3") from error
    # The site module of one in a virtual environment would find that; it is not asked, so that no `.pth` file is run.
    inside = virtual.read(python.absolute().parent.parent, files)
    sites = packages if inside is None else list(inside.sites)
    found = search_path([], _folders(sites, files), files)
    return replace(_made(version, platform, stdlib, found, files, builtin), chosen=True)


def _made(
    version: tuple[int, int],
    platform: str,
    stdlib: list[str],
    found: SearchPath,
    files: FileSystem,
    builtin: frozenset[str] = frozenset(sys.builtin_module_names),
) -> Environment:
    # With the folder that the library's compiled modules are in.
    library = _folders([*stdlib, *(os.path.join(path, "lib-dynload") for path in stdlib)], files)
    packages = tuple(path for path in found.folders if path not in library)
    return Environment(version, platform, tuple(library), packages, builtin, found.mapped, tuple(found.unread))


def _folders(paths: list[str], files: FileSystem) -> list[str]:
    unique = dict.fromkeys(os.path.abspath(path) for path in paths)
    return [path for path in unique if files.is_dir(path)]
