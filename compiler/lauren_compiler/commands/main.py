"""`lauren-compile`: the command line in, an exit status out.

0 clean; 1 errors, stale output, an error result of `call`; 2 wrong usage, a PATH or tool that doesn't exist, an
internal error. Each command is a module of its own name in this package, imported only when it runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from ..config import UsageError
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
    arguments = _with_command(given)
    prepare_streams()
    try:
        status = _run(arguments, given if remembers else None, before)
        sys.stdout.flush()
        return status
    except UsageError as error:
        return _give_up(str(error) + _meant_command(argv), arguments)
    except BrokenPipeError:
        return reader_gone()
    except KeyboardInterrupt:
        remark("interrupted")
        return INTERRUPTED
    except Exception as error:
        from .failure import explain_failure

        return _give_up(explain_failure(error, verbose="-v" in arguments or "--verbose" in arguments), arguments)


def reader_gone() -> int:
    """Keeps the interpreter from complaining of a closed pipe once more at exit; gives the exit status."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 2


def _with_command(arguments: list[str]) -> list[str]:
    """`lauren-compile PATH` is a build; `lauren-compile` alone too."""
    first = arguments[0] if arguments else ""
    return arguments if first in (*COMMANDS, "-h", "--help", "--version") else ["build", *arguments]


def _meant_command(argv: Sequence[str] | None) -> str:
    """A hint where the first word is near a command's name, and no file: `bild`."""
    from ..config.pyproject import did_you_mean

    first = next(iter(sys.argv[1:] if argv is None else argv), "")
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
    status: int = import_module(f".{options.command}", __package__).run(options)
    return status


def _version() -> int:
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("lauren-compile")
    except PackageNotFoundError:
        number = "(not installed: run from its sources)"
    print(f"lauren-compile {number}")
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
