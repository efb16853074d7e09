"""Waiting for things, in whichever event loop is running."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Coroutine
from contextlib import asynccontextmanager
from types import CoroutineType, GeneratorType
from weakref import WeakKeyDictionary

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    _T = TypeVar("_T")

_ITERABLE_COROUTINE = 0x100
"""The flag of a generator that `types.coroutine` made awaitable (`inspect.CO_ITERABLE_COROUTINE`)."""


async def settled(value: Any) -> Any:
    """The value, awaited if it is awaitable."""
    known: Any = value  # pyright would take it for a coroutine of unknown parts
    return await known if type(value) is CoroutineType or is_awaitable(value) else known


def is_awaitable(value: Any) -> bool:
    """As `inspect.isawaitable`, without loading it."""
    if isinstance(value, Awaitable):
        return True
    return isinstance(value, GeneratorType) and bool(value.gi_code.co_flags & _ITERABLE_COROUTINE)


async def finish_first(work: Coroutine[Any, Any, _T]) -> _T:
    """What `work` returns or raises. A cancellation meanwhile is raised when it is done, in place of that."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is None:
        return task.result()
    if not task.cancelled():
        task.exception()  # nobody else will ask for it
    raise cancelled


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
