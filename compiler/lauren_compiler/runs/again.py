"""Asked first of all: whether this command line would do again what it did before.

Then nothing else of the compiler is loaded, so this imports only what a Python process has loaded already.
"""

from __future__ import annotations

import os
import sys

from .folder import find
from .key import default_folder, key
from .record import Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO


class StreamError(Exception):
    """Standard output or error can't be written; `reason` is the system's error."""

    def __init__(self, stream: TextIO, reason: OSError) -> None:
        super().__init__(stream, reason)
        self.stream = stream
        self.reason = reason


def before(arguments: list[str]) -> Run | None:
    """The last clean run of that command line, with what changed since; None if none is remembered.

    Nor is there one for `watch`, which looks for itself, each time, nor where the working directory is gone.
    """
    if "--no-cache" in arguments or arguments[:1] == ["watch"]:
        return None
    try:
        os.getcwd()
    except OSError:
        return None
    return find(default_folder(arguments), key(arguments))


def repeated(run: Run | None) -> bool:
    """Whether nothing changed since a run; then what it printed has been printed again."""
    if run is None or run.changed:
        return False
    say(run.stdout, run.stderr)
    return True


def again(arguments: list[str]) -> bool:
    """Whether nothing changed since a clean run of that command line; then what it printed has been printed again."""
    return repeated(before(arguments))


def say(stdout: str, stderr: str) -> None:
    """Print on both streams; what one of them can't show, as escapes. Raises StreamError."""
    for stream, text in ((sys.stderr, stderr), (sys.stdout, stdout)):
        if text:
            put(stream, text.encode(stream.encoding, "backslashreplace").decode(stream.encoding))


def put(stream: TextIO, text: str) -> None:
    """All that is ever printed comes by here. Raises StreamError."""
    try:
        if text:  # else only what waits to be written, such as the text of --help
            stream.write(text)
        stream.flush()
    except OSError as error:
        raise StreamError(stream, error) from error
