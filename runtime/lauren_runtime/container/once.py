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

    def __init__(self) -> None:
        self.task = asyncio.current_task()
        self.done: Future[None] = Future()
        self.done.set_running_or_notify_cancel()  # one who waits and is cancelled must not cancel it for the others


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
                mine = None if making is not None else self._pending.setdefault((id(kept), key), Making())
            if mine is not None:
                return await self._made(kept, key, make, mine)
            if making is not None:
                if making.task is asyncio.current_task():
                    raise CircularDependencyError(f"{key!r} is asked for by what makes it")
                await asyncio.wrap_future(making.done)

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
            if failure is None:
                mine.done.set_result(None)
            else:
                mine.done.set_exception(failure)

    async def settled(self) -> None:
        """Wait until nothing is being made."""
        with self._lock:
            pending = [asyncio.wrap_future(making.done) for making in self._pending.values()]
        await asyncio.gather(*pending, return_exceptions=True)
