"""The streams of boto3, which threads open and read while a run may be cancelled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Lock
from typing import Any


class Opening:
    """A stream that a thread opens. Whoever asked for it may be gone by then: the last to come closes it."""

    def __init__(self, ask: Callable[[], Any]) -> None:
        self._ask = ask
        self._stream: Any = None
        self._events: Iterator[dict[str, Any]] = iter(())
        self._is_left = False
        self._reading = Lock()

    def open(self) -> None:
        """Ask for the stream. Raises what asking for it raises."""
        self._stream = self._ask()
        self._events = iter(self._stream)
        if self._is_left:
            self._close()

    def following(self) -> dict[str, Any] | None:
        """The next event; None at the end. Raises what reading it raises."""
        with self._reading:
            return next(self._events, None)

    def leave(self) -> None:
        """The stream is not wanted any more."""
        self._is_left = True
        if self._stream is not None:
            self._close()

    def _close(self) -> None:
        """Close it. A read in which a thread waits is ended first: else this, too, waits as long as the server likes.

        botocore shows the response below to nobody; where it is not there, or can't be told (urllib3 before 2.3), it
        is the client's own time limit that ends the read.
        """
        shutdown = getattr(getattr(self._stream, "_raw_stream", None), "shutdown", None)
        if shutdown is not None:
            with suppress(OSError, RuntimeError, ValueError):  # the connection is given back, or closed
                shutdown()
        with self._reading:  # what is closed while it is read may stay open
            self._stream.close()
