"""The Python that the compiled tools will run on: version, platform, and where its library and packages lie.

Nothing of it is run, except one isolated question to an interpreter named in the configuration.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

_QUESTION = """
import json, sys, sysconfig
paths = sysconfig.get_paths()
print(json.dumps({
    "version": list(sys.version_info[:2]),
    "platform": sys.platform,
    "stdlib": [paths["stdlib"], paths["platstdlib"]],
    "packages": [paths["purelib"], paths["platlib"]],
    "builtin": sorted(sys.builtin_module_names),
}))
"""


class InterpreterError(Exception):
    """The configured interpreter did not answer; the text says why."""


@dataclass(frozen=True, slots=True)
class Environment:
    """`stdlib` and `packages` are folders, in search order; `builtin` are modules that are part of the interpreter."""

    version: tuple[int, int]
    platform: str
    stdlib: tuple[str, ...]
    packages: tuple[str, ...]
    builtin: frozenset[str] = frozenset()


def running() -> Environment:
    """The environment of the interpreter that runs the compiler."""
    paths = sysconfig.get_paths()
    return Environment(
        (sys.version_info[0], sys.version_info[1]),
        sys.platform,
        _library([paths["stdlib"], paths["platstdlib"]]),
        _with_path_files(_folders([paths["purelib"], paths["platlib"]])),
        frozenset(sys.builtin_module_names),
    )


def ask(python: Path) -> Environment:
    """The environment of another interpreter, which answers one question in isolated mode, without its site module.

    Raises InterpreterError.
    """
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
        raise InterpreterError(f"`{python}` did not say where its library is: {error}") from error
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise InterpreterError(f"`{python}` is no Python interpreter of version 3") from error
    found = _with_path_files(_folders(_virtual(python, packages)))
    return Environment(version, platform, _library(stdlib), found, builtin)


def _virtual(python: Path, packages: list[str]) -> list[str]:
    """The package folders of the virtual environment `python` lies in, if it does (its site module would add them)."""
    home = python.absolute().parent.parent
    if not (home / "pyvenv.cfg").is_file():
        return packages
    found = [home / "Lib" / "site-packages", *sorted(home.glob("lib*/python3*/site-packages"))]
    return [str(folder) for folder in found if folder.is_dir()]


def _library(paths: list[str]) -> tuple[str, ...]:
    """The standard library's folders, with the one its compiled modules are in."""
    return _folders([*paths, *(os.path.join(path, "lib-dynload") for path in paths)])


def _folders(paths: list[str]) -> tuple[str, ...]:
    unique = dict.fromkeys(os.path.abspath(path) for path in paths)
    return tuple(path for path in unique if os.path.isdir(path))


def _with_path_files(packages: tuple[str, ...]) -> tuple[str, ...]:
    """Also the folders named in `.pth` files; their `import` lines are not run."""
    found = dict.fromkeys(packages)
    for folder in packages:
        for name in sorted(os.listdir(folder)):
            if not name.endswith(".pth"):
                continue
            try:
                lines = Path(folder, name).read_text("utf-8").splitlines()
            except (OSError, UnicodeDecodeError):
                continue
            for line in lines:
                if line.strip() and not line.startswith(("#", "import ", "import\t")):
                    path = os.path.normpath(os.path.join(folder, line.strip()))
                    if os.path.isdir(path):
                        found.setdefault(path)
    return tuple(found)
