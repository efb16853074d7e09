"""Blocking calls off the event loop, in threads of their own: those of the loop may all be taken by slow tools."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock
from typing import TypeVar

_T = TypeVar("_T")


class Workers:
    """At most `count` threads, made when first needed; serves successive event loops, and several at once.

    A process that was forked has none of its parent's threads: it makes its own.
    """

    def __init__(self, name: str, count: int = 4) -> None:
        self._name = name
        self._count = count
        self._pool: ThreadPoolExecutor | None = None
        self._lock = Lock()
        self._process = os.getpid()

    async def run(self, function: Callable[[], _T]) -> _T:
        """What the function returns, or raises. A caller that is cancelled leaves it running to its end."""
        self._notice_fork()
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._count, thread_name_prefix=self._name)
            pool = self._pool
        return await asyncio.wrap_future(pool.submit(function))

    def close(self) -> None:
        """Wait for what is running; the threads end. Later calls start new ones."""
        self._notice_fork()
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown()

    def _notice_fork(self) -> None:
        """Let go of threads that are the parent's, and of a lock that one of them may have held."""
        if self._process != os.getpid():
            self._process, self._pool, self._lock = os.getpid(), None, Lock()
