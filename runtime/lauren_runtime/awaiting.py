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


class Turn:
    """What those have in common that wait for one key: a lock, and what the one before left for the next."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0
        self.left: Any = None


class KeyedLocks:
    """One lock for each key that is in use, in each event loop."""

    def __init__(self) -> None:
        self._turns: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Turn]] = WeakKeyDictionary()

    @asynccontextmanager
    async def holding(self, key: str) -> AsyncGenerator[Turn]:
        """Be the only one with this key, in this event loop, while the block runs."""
        turns = self._turns.setdefault(asyncio.get_running_loop(), {})
        turn = turns.setdefault(key, Turn())
        turn.users += 1
        try:
            async with turn.lock:
                yield turn
        finally:
            turn.users -= 1
            if not turn.users:
                turns.pop(key, None)
