"""Work in several processes: each is a copy of this one, and gives back bytes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence

CAN_FORK = hasattr(os, "fork")


def in_processes(works: Sequence[Callable[[], bytes]]) -> list[bytes] | None:
    """What each piece of work gives, in order; the last is done by this process. None if a process could not do its
    own: whatever stood in its way is for the caller to meet.

    Call it before this process has threads.
    """
    started = [_started(work) for work in works[:-1]]
    try:
        own = works[-1]()
        found = [_rest(reader) for _, reader in started]
    except BaseException:
        for child, _ in started:
            os.kill(child, signal.SIGKILL)
        raise
    finally:
        ended = [_ended(child, reader) for child, reader in started]
    return [*found, own] if all(ended) else None


def _started(work: Callable[[], bytes]) -> tuple[int, int]:
    """A process that does the work: its number, and where its bytes can be read."""
    reader, writer = os.pipe()
    child = os.fork()
    if child:
        os.close(writer)
        return child, reader
    status = 1
    try:
        os.close(reader)
        with os.fdopen(writer, "wb") as stream:
            stream.write(work())
        status = 0
    finally:
        # Without the ways out of a process that belong to the one it is a copy of.
        os._exit(status)


def _rest(reader: int) -> bytes:
    pieces: list[bytes] = []
    while piece := os.read(reader, 1 << 20):
        pieces.append(piece)
    return b"".join(pieces)


def _ended(child: int, reader: int) -> bool:
    """Whether a process ended well."""
    os.close(reader)
    return os.waitpid(child, 0)[1] == 0
