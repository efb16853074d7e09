"""The command as a process: first it is asked whether there is anything to do, for most builds have nothing.

Until then only what `runs.again` needs is loaded, which is less than it takes to read a command line.
"""

from __future__ import annotations

import gc
import os
import sys

from .runs.again import StreamError, before, put, repeated


def entry() -> int:
    """Runs the command line of this process; gives the exit status, if it does not end it."""
    _open_streams()
    try:
        status = _status()
        # A tool that was called may have left threads, and what is to be done at exit.
        return status if sys.argv[1:2] == ["call"] else _ended(status)
    except KeyboardInterrupt:  # before there was anybody to deal with it
        from .commands import INTERRUPTED

        put(sys.stderr, "lauren-compile: interrupted\n")
        return _ended(INTERRUPTED)


def _open_streams() -> None:
    """Gives the process those streams that it was started without, leading nowhere: else the next file that is opened
    would be taken for one of them, here or in a process that is started."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            flags = os.O_RDONLY if mode == "r" else os.O_WRONLY
            handle = os.open(os.devnull, flags)
            os.set_inheritable(handle, True)  # for the process of `call`
            setattr(sys, name, os.fdopen(handle, mode, encoding="utf-8"))


def _status() -> int:
    """The exit status of the command line."""
    try:
        run = before(sys.argv[1:])
        if repeated(run):
            return 0
    except StreamError as error:
        from .commands.main import without_stream

        return without_stream(error)
    # What a command loads and makes is reachable until it ends: looking for garbage would take a tenth of its time.
    gc.disable()
    try:
        _load_msgspec()
        from .commands.main import main
    except ModuleNotFoundError as error:
        return _lacking(error)

    return main(remembers=True, before=run)


def _ended(status: int) -> int:
    """Ends the process, which gives all memory back at once; to take everything made apart first takes longer.

    Gives the status back where something can't be printed, for the interpreter to deal with.
    """
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        return status
    os._exit(status)


def _load_msgspec() -> None:
    """Loads msgspec without `typing_extensions`, which takes longer than msgspec itself: it asks for that package, and
    where there is none, takes the same from `typing`."""
    name = "typing_extensions"
    if name in sys.modules:
        return
    sys.modules[name] = None  # type: ignore[assignment]  # as the language has it: a module that can't be imported
    try:
        import msgspec as msgspec
    finally:
        del sys.modules[name]


def _lacking(error: ModuleNotFoundError) -> int:
    """Says which package is missing; gives the exit status. Raises the error if it is none of ours."""
    from .commands.missing import said_of_missing

    text = said_of_missing(error)
    if text is None:
        raise error
    put(sys.stderr, f"lauren-compile: {text}\n")
    return 2
