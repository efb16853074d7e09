"""Building a thing once, whoever asks for it meanwhile: tasks, threads, event loops."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, MutableMapping
from concurrent.futures import Future
from threading import Lock
from typing import Any


class Once:
    """Serves any number of mappings in which things are kept."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._pending: dict[tuple[int, Hashable], Future[None]] = {}

    async def get(self, kept: MutableMapping[Any, Any], key: Hashable, make: Callable[[], Awaitable[Any]]) -> Any:
        """What is kept under `key`, made if it is not there. Others who ask meanwhile wait.

        Raises what making it raises, also in those who wait; the next to ask tries again. When the maker is cancelled,
        one who waits takes over.
        """
        while True:
            with self._lock:
                if key in kept:
                    return kept[key]
                others = self._pending.get((id(kept), key))
                mine = None if others is not None else self._begun(kept, key)
            if mine is not None:
                return await self._made(kept, key, make, mine)
            if others is not None:
                await asyncio.wrap_future(others)

    def _begun(self, kept: MutableMapping[Any, Any], key: Hashable) -> Future[None]:
        future = self._pending[id(kept), key] = Future()
        future.set_running_or_notify_cancel()  # one who waits and is cancelled must not cancel it for the others
        return future

    async def _made(
        self, kept: MutableMapping[Any, Any], key: Hashable, make: Callable[[], Awaitable[Any]], mine: Future[None]
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
                mine.set_result(None)
            else:
                mine.set_exception(failure)

    async def settled(self) -> None:
        """Wait until nothing is being made."""
        with self._lock:
            pending = list(self._pending.values())
        await asyncio.gather(*map(asyncio.wrap_future, pending), return_exceptions=True)
