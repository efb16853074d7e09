"""`lauren-compile`: the command line in, an exit status out.

0 clean; 1 errors, stale output, an error result of `call`; 2 wrong usage, a PATH or tool that doesn't exist, an
internal error. Each command is a module of its own name in this package, imported only when it runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from ..config import UsageError, working_directory
from ..runs.again import StreamError, put
from ..runs.record import Run
from . import COMMANDS, INTERRUPTED
from .console import emit_report, prepare_streams, remark
from .read_again import options_of


def main(argv: Sequence[str] | None = None, *, remembers: bool = False, before: Run | None = None) -> int:
    """Runs a command line (`sys.argv` if None); gives the exit status.

    With `remembers`, clean runs are remembered, and looked for where the configuration says they are; `before` is the
    one that was found elsewhere.
    """
    given = list(sys.argv[1:] if argv is None else argv)
    prepare_streams()
    try:
        return _status(given, remembers, before)
    except StreamError as error:
        return without_stream(error)


def _status(given: list[str], remembers: bool, before: Run | None) -> int:
    """The exit status of a command line. Raises StreamError where a stream can't be written."""
    arguments = _with_command(given)
    try:
        status = _run(arguments, given if remembers else None, before)
        put(sys.stdout, "")
        return status
    except UsageError as error:
        return _give_up(str(error) + _meant_command(given), arguments)
    except KeyboardInterrupt:
        remark("interrupted")
        return INTERRUPTED
    except StreamError:
        raise
    except Exception as error:
        from .failure import explain_failure

        return _give_up(explain_failure(error, verbose="-v" in arguments or "--verbose" in arguments), arguments)


def without_stream(error: StreamError) -> int:
    """Says that standard output or error can't be written, unless nobody is there to read it; gives the exit status.

    That stream leads nowhere from then on, so that the interpreter does not complain of it once more at exit.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), error.stream.fileno())
    if not isinstance(error.reason, BrokenPipeError):
        name = "output" if error.stream is sys.stdout else "error"
        try:
            remark(f"standard {name} can't be written: {error.reason.strerror}")
        except StreamError as other:
            return without_stream(other)
    return 2


def _with_command(arguments: list[str]) -> list[str]:
    """`lauren-compile PATH` is a build; `lauren-compile` alone too."""
    first = arguments[0] if arguments else ""
    return arguments if first in (*COMMANDS, "-h", "--help", "--version") else ["build", *arguments]


def _meant_command(given: list[str]) -> str:
    """A hint where the first word is near a command's name, and no file: `bild`."""
    from ..config.pyproject import did_you_mean

    first = next(iter(given), "")
    if first in COMMANDS or first.startswith("-") or os.path.exists(first):
        return ""
    hint = did_you_mean(first, COMMANDS)
    return f"\nas a command, {hint}" if hint else ""


def _run(arguments: list[str], given: list[str] | None, before: Run | None) -> int:
    try:
        options = options_of(arguments, given, before)
    except SystemExit as end:  # --help
        return int(end.code or 0)
    if options.version:
        return _version()
    if options.command != "explain":  # all others count paths from there
        working_directory()
    status: int = import_module(f".{options.command}", __package__).run(options)
    return status


def _version() -> int:
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("lauren-compile")
    except PackageNotFoundError:
        number = "(not installed: run from its sources)"
    put(sys.stdout, f"lauren-compile {number}\n")
    return 0


def _give_up(reason: str, arguments: Sequence[str]) -> int:
    """Says why on stderr, and in the document too where one was asked for."""
    from ..diagnostics.render import DOCUMENTS, Report

    remark(reason)
    format = _asked_format(arguments)
    if format in DOCUMENTS:
        emit_report(Report((), error=reason.split("\n", 1)[0]), format)
    return 2


def _asked_format(arguments: Sequence[str]) -> str:
    """The `--format` of a command line that may not have been understood."""
    for index, argument in enumerate(arguments):
        if argument.startswith("--format="):
            return argument.partition("=")[2]
        if argument == "--format" and index + 1 < len(arguments):
            return arguments[index + 1]
    return "full"
