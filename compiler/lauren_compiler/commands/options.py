"""The command line: one parser, a sub-parser for each command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from ..config import RUNTIMES, UsageError
from ..config.pyproject import did_you_mean
from ..diagnostics.render import FORMATS
from ..runs.again import put

_PATHS = "files or folders; none: what [tool.lauren-compile] of the nearest pyproject.toml says"
_PATH = "a file or folder; none: what [tool.lauren-compile] of the nearest pyproject.toml says"
_STATUS = """exit status: 0 clean; 1 errors, stale output, an error result of `call`; 2 wrong usage, a PATH or tool that
does not exist, an internal error"""


class _Parser(argparse.ArgumentParser):
    """Reports wrong usage to `main`, which knows in which format."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}\n{self.format_usage().strip()}")

    def print_help(self, file: object = None) -> None:
        """On standard output; argparse would not say that it can't be written. Raises StreamError."""
        put(sys.stdout, self.format_help())


class _Command(_Parser):
    """The parser of one command, which says itself what it does not know: the one above would show its own usage."""

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:  # type: ignore[override]
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            options = [option for action in self._actions for option in action.option_strings]
            first = unknown[0].partition("=")[0]
            hint = did_you_mean(first, options) if first.startswith("-") else None
            self.error(f"unrecognized arguments: {' '.join(unknown)}" + (f": {hint}" if hint else ""))
        return found, unknown


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; `command` in its result names the command."""
    top = _Parser(
        prog="lauren-compile",
        description="Compile Python tools into JSON Schemas, provider manifests and decoders, without importing them. "
        "`lauren-compile PATH` is `lauren-compile build PATH`.",
        epilog=_STATUS,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="store_true", help="print the version and exit")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Command)
    for name, text, options in _TABLE:
        options(commands.add_parser(name, help=text, description=text.capitalize() + ".", allow_abbrev=False))
    return top


def _writing(command: argparse.ArgumentParser) -> None:
    """What is compiled, for whom, and where it goes."""
    command.add_argument("paths", nargs="*", metavar="PATH", help=_PATHS)
    command.add_argument("-o", "--out", metavar="DIR", help="where to write (default: lauren_build)")
    _sources(command)
    _target(command)
    _runtime(command)
    _format(command)


def _build(command: argparse.ArgumentParser) -> None:
    _writing(command)
    command.add_argument("--check", action="store_true", help="write nothing; exit 1 and print a diff if DIR is stale")
    _discovery(command)
    _verbosity(command)


def _watch(command: argparse.ArgumentParser) -> None:
    _writing(command)
    _discovery(command)
    _verbosity(command)
    command.set_defaults(check=False)


def _check(command: argparse.ArgumentParser) -> None:
    command.add_argument("paths", nargs="*", metavar="PATH", help=_PATHS)
    _sources(command)
    _target(command)
    _runtime(command)
    _format(command)
    _discovery(command)
    _verbosity(command)


def _show(command: argparse.ArgumentParser) -> None:
    command.add_argument("path", nargs="?", metavar="PATH", help=_PATH)
    command.add_argument("--tool", metavar="NAME", help="one tool only (default: all, by name)")
    command.add_argument("--agent", metavar="NAME", help="the tools of this agent only")
    command.add_argument("--target", metavar="NAME", help="as this provider gets it (default: the neutral schema)")
    _sources(command)
    _verbosity(command)


def _validate(command: argparse.ArgumentParser) -> None:
    command.add_argument("dir", nargs="?", metavar="DIR", help="the output of a build (default: the configured one)")
    _format(command)
    _verbosity(command)


def _call(command: argparse.ArgumentParser) -> None:
    command.add_argument("dir", metavar="DIR", help="the output of a build")
    command.add_argument("tool", metavar="TOOL", help="the tool's name")
    command.add_argument("json", metavar="JSON", help="the arguments, as a model would send them; - reads stdin")
    command.add_argument(
        "--root",
        action="append",
        default=[],
        metavar="DIR",
        help="where the tools' modules are (repeatable; default: here, beside DIR, and `src` in both)",
    )
    command.add_argument(
        "--standin", action="store_true", help="run sources that import lauren_ai or lauren without those packages"
    )
    command.add_argument(
        "--app",
        metavar="MODULE:CLASS",
        help="the root module of the application that makes a class tool (default: the one in the build that has it)",
    )
    command.add_argument("--approve", action="store_true", help="run it also where a human has to approve: you do")


def _explain(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "rule",
        nargs="?",
        metavar="CODE",
        help="a code (LC301) or name (unsupported-type); none: all of them, a line each",
    )


def _sources(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--root",
        action="append",
        default=[],
        metavar="DIR",
        help="a source root, from which module names are counted (repeatable)",
    )
    command.add_argument(
        "--python",
        metavar="PATH",
        help="the interpreter whose packages are searched (default: .venv, venv or env in the project, else this one)",
    )


def _target(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--target", action="append", default=[], metavar="NAME", help="a provider (repeatable; default: all)"
    )


def _runtime(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--target-runtime",
        choices=RUNTIMES,
        help="warn where this runtime, which makes schemas of its own, would show models other tools than the build",
    )


def _format(command: argparse.ArgumentParser) -> None:
    command.add_argument("--format", choices=FORMATS, default="full", help="of the diagnostics (default: full)")


def _discovery(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--strict-discovery", action="store_true", help="make tools that can't be decided from the source errors"
    )
    command.add_argument(
        "-j",
        type=_processes,
        metavar="N",
        dest="jobs",
        help="how many processes may compile at once, where there are files enough (default: 1)",
    )
    command.add_argument(
        "--no-cache", action="store_true", help="compile even if nothing changed, and do not remember this run"
    )


def _verbosity(command: argparse.ArgumentParser) -> None:
    command.add_argument("-q", "--quiet", action="store_true", help="no summary")
    command.add_argument(
        "-v", "--verbose", action="store_true", help="name the files written; tracebacks of our faults"
    )


_TABLE = (
    ("build", "compile tools and write the build", _build),
    ("watch", "build, and again whenever a source changes; tells what is new", _watch),
    ("check", "report diagnostics, write nothing", _check),
    ("show", "print what a tool compiles to", _show),
    ("validate", "validate every file of a build, and its digests", _validate),
    ("call", "run one tool of a build through the executor", _call),
    ("explain", "say what a diagnostic means, with an example and the fix", _explain),
)


def _processes(text: str) -> int:
    """How many processes are asked for. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes: give 1 or more")
    return int(text)
