"""Waiting for things, in whichever event loop is running."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from inspect import isawaitable
from types import CoroutineType
from typing import Any
from weakref import WeakKeyDictionary


async def settled(value: Any) -> Any:
    """The value, awaited if it is awaitable."""
    known: Any = value  # pyright would take it for a coroutine of unknown parts
    return await known if type(value) is CoroutineType or isawaitable(value) else known


class LoopLock:
    """An asyncio lock that any event loop may use: each loop has its own."""

    def __init__(self) -> None:
        self._locks: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()

    async def __aenter__(self) -> None:
        await self._current().acquire()

    async def __aexit__(self, *_: object) -> None:
        self._current().release()

    def _current(self) -> asyncio.Lock:
        return self._locks.setdefault(asyncio.get_running_loop(), asyncio.Lock())


class KeyedLocks:
    """One lock for each key that is in use."""

    def __init__(self) -> None:
        self._held: dict[tuple[int, str], tuple[asyncio.Lock, int]] = {}

    @asynccontextmanager
    async def holding(self, key: str) -> AsyncGenerator[None]:
        """Be the only one with this key, in this event loop, while the block runs."""
        place = (id(asyncio.get_running_loop()), key)
        lock, users = self._held.get(place, (asyncio.Lock(), 0))
        self._held[place] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._held.pop(place)
            if users > 1:
                self._held[place] = (lock, users - 1)
