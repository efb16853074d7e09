"""Building a thing once, whoever asks for it meanwhile: tasks, threads, event loops."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, MutableMapping
from concurrent.futures import Future
from threading import Lock

from .errors import CircularDependencyError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Making:
    """A thing that is being made, and the task that makes it."""

    __slots__ = ("_done", "task")

    def __init__(self) -> None:
        self.task = asyncio.current_task()
        self._done: Future[None] | None = None

    def done(self) -> Future[None]:
        """What those wait for who ask meanwhile; mostly nobody does."""
        if self._done is None:
            self._done = Future()
            # One who waits and is cancelled must not cancel it for the others.
            self._done.set_running_or_notify_cancel()
        return self._done

    def settle(self, failure: Exception | None) -> None:
        """Tell those who wait how it ended."""
        if self._done is None:
            return
        if failure is None:
            self._done.set_result(None)
        else:
            self._done.set_exception(failure)


class Once:
    """Serves any number of mappings in which things are kept."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pending: dict[tuple[int, Hashable], Making] = {}

    async def get(self, kept: MutableMapping[Any, Any], key: Hashable, make: Callable[[], Awaitable[Any]]) -> Any:
        """What is kept under `key`, made if it is not there. Others who ask meanwhile wait.

        Raises what making it raises, also in those who wait; the next to ask tries again. When the maker is cancelled,
        one who waits takes over. Raises CircularDependencyError for a maker that asks for what it is making.
        """
        while True:
            with self._lock:
                if key in kept:
                    return kept[key]
                making = self._pending.get((id(kept), key))
                if making is None:
                    mine, done = self._pending.setdefault((id(kept), key), Making()), None
                elif making.task is asyncio.current_task():
                    raise CircularDependencyError(f"{key!r} is asked for by what makes it")
                else:
                    mine, done = None, making.done()
            if mine is not None:
                return await self._made(kept, key, make, mine)
            if done is not None:
                await asyncio.wrap_future(done)

    async def _made(
        self, kept: MutableMapping[Any, Any], key: Hashable, make: Callable[[], Awaitable[Any]], mine: Making
    ) -> Any:
        failure: Exception | None = None
        try:
            value = await make()
            with self._lock:
                kept[key] = value
            return value
        except Exception as error:
            failure = error
            raise
        finally:
            with self._lock:
                del self._pending[id(kept), key]
            mine.settle(failure)  # who asks from now on finds what is kept, or makes it again

    async def settled(self) -> None:
        """Wait until nothing is being made."""
        with self._lock:
            pending = [asyncio.wrap_future(making.done()) for making in self._pending.values()]
        await asyncio.gather(*pending, return_exceptions=True)
