"""Work in several processes: each is a copy of this one, and gives back bytes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeAlias

Handler: TypeAlias = Callable[[int, FrameType | None], Any] | int | None

CAN_FORK = hasattr(os, "fork")


def in_processes(works: Sequence[Callable[[], bytes]]) -> list[bytes] | None:
    """What each piece of work gives, in order; the last is done by this process. None if a process could not
    be had, or not do its own: whatever stood in its way is for the caller to meet.

    Call it before this process has threads.
    """
    started: list[tuple[int, int]] = []
    try:
        for work in works[:-1]:
            # Interrupted right here, a process would run on that nobody knows of.
            interrupts = signal.getsignal(signal.SIGINT)
            with _uninterrupted():
                process = _started(work, interrupts)
                if process is not None:
                    started.append(process)
            if process is None:
                _stop(started)
                return None
        own = works[-1]()
        found = [_rest(reader) for _, reader in started]
    except BaseException:
        _stop(started)
        raise
    finally:
        ended = [_ended(child, reader) for child, reader in started]
    return [*found, own] if all(ended) else None


@contextmanager
def _uninterrupted() -> Generator[None]:
    """Keeps an interrupt waiting; a mask would not do, for another thread may take the signal."""
    waiting = list[int]()
    try:
        before = signal.signal(signal.SIGINT, lambda number, frame: waiting.append(number))
    except ValueError:  # not the thread that signals interrupt
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if waiting and callable(before):
        before(signal.SIGINT, None)


def _started(work: Callable[[], bytes], interrupts: Handler) -> tuple[int, int] | None:
    """A process that does the work, with a handler for interrupts: its number, and where its bytes can be read.

    None if there can't be another.
    """
    try:
        reader, writer = os.pipe()
    except OSError:
        return None
    try:
        child = os.fork()
    except OSError:
        os.close(reader)
        os.close(writer)
        return None
    if child:
        os.close(writer)
        return child, reader
    status = 1
    try:
        if interrupts is not None:  # it is, where Python did not set it
            signal.signal(signal.SIGINT, interrupts)
        os.close(reader)
        with os.fdopen(writer, "wb") as stream:
            stream.write(work())
        status = 0
    finally:
        # Without the ways out of a process that belong to the one it is a copy of.
        os._exit(status)


def _stop(started: Sequence[tuple[int, int]]) -> None:
    for child, _ in started:
        os.kill(child, signal.SIGKILL)


def _rest(reader: int) -> bytes:
    pieces: list[bytes] = []
    while piece := os.read(reader, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def _ended(child: int, reader: int) -> bool:
    """Whether a process ended well."""
    os.close(reader)
    return os.waitpid(child, 0)[1] == 0
