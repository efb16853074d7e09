"""What a run depends on besides files: the command line, the process it is in, and where its cache lies."""

from __future__ import annotations

import os
import sys

from ..source.seen import CACHE

FORMAT = 1

_VARIABLES = (
    "COLUMNS", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LINES", "NO_COLOR", "PATH", "PYTHONHOME", "PYTHONIOENCODING",
    "PYTHONNOUSERSITE", "PYTHONPATH", "PYTHONUSERBASE", "PYTHONUTF8", "TERM", "USERPROFILE", "VIRTUAL_ENV",
)  # fmt: skip
"""The variables of the environment that Python, argparse or we look at."""
VALUED = frozenset({"-o", "--out", "--root", "--python", "--target", "--target-runtime", "--format", "-j"})
"""The options of the compiling commands that take a value."""


def key(arguments: list[str]) -> str:
    """A text that tells runs apart that may give different results from the same files."""
    streams = [(stream.isatty(), stream.encoding) if stream is not None else () for stream in (sys.stdout, sys.stderr)]
    process = (FORMAT, sys.version, sys.executable, sys.prefix, sys.base_prefix, sys.path, os.getcwd(), streams)
    variables = [(name, os.environ.get(name)) for name in _VARIABLES]
    return repr((arguments, process, variables))


def default_folder(arguments: list[str]) -> str:
    """Where the cache is unless it is configured: beside the pyproject.toml of the run, else with the user's caches."""
    start = _first_path(arguments)
    folder = os.path.abspath(start if os.path.isdir(start) else os.path.dirname(start))
    while not os.path.lexists(os.path.join(folder, "pyproject.toml")):
        above = os.path.dirname(folder)
        if above == folder:
            return os.path.join(_of_the_user(), "lauren-compile")
        folder = above
    return os.path.join(folder, CACHE)


def _first_path(arguments: list[str]) -> str:
    """The first PATH of a command line, the working directory if it has none."""
    before = ""
    for argument in arguments[1 if arguments[:1] in (["build"], ["watch"], ["check"]) else 0 :]:
        if not argument.startswith("-") and before not in VALUED:
            return argument
        before = argument
    return "."


def _of_the_user() -> str:
    """The folder of the user's caches. Source: XDG Base Directory Specification 0.8; on Windows, known folders."""
    given = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
    return given or os.path.join(os.path.expanduser("~"), ".cache")
