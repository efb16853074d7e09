"""Where results are kept between calls: the protocol of a backend, and one in memory."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from threading import Lock
from typing import Any, Protocol


class CacheBackend(Protocol):
    """A store of texts. Methods may be plain or async; what they raise is logged and never fails a call."""

    def get(self, key: str) -> Awaitable[str | None] | str | None:
        """The text under `key`, or None."""
        ...

    def set(self, key: str, value: str, *, ttl: float) -> Awaitable[None] | None:
        """Keep `value` for `ttl` seconds."""
        ...

    def delete(self, key: str) -> Awaitable[None] | None:
        """Forget `key`, if it is there."""
        ...


class InMemoryCacheBackend:
    """Keeps at most `max_entries` in this process; expired entries are swept, then the least recently used go.

    Time is `clock`, which must not go back (default: the monotonic clock). Safe with threads and with successive event
    loops. Raises ValueError if `max_entries` is below 1.
    """

    def __init__(self, max_entries: int = 1024, clock: Callable[[], float] = time.monotonic) -> None:
        if max_entries < 1:
            raise ValueError(f"max_entries must be at least 1, not {max_entries}")
        self._max_entries = max_entries
        self._clock = clock
        self._kept: OrderedDict[str, tuple[float, Any]] = OrderedDict()
        self._next_sweep = clock()
        self._lock = Lock()

    async def get(self, key: str) -> Any:
        """The value under `key`, or None if there is none or its time is over."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            if found[0] <= self._clock():
                del self._kept[key]
                return None
            self._kept.move_to_end(key)
            return found[1]

    async def set(self, key: str, value: Any, *, ttl: float) -> None:
        """Keep `value` for `ttl` seconds; nothing is kept for 0 or less."""
        with self._lock:
            now = self._clock()
            self._kept.pop(key, None)
            if ttl <= 0:
                return
            if now >= self._next_sweep:
                self._sweep(now)
            if len(self._kept) >= self._max_entries:
                self._kept.popitem(last=False)
            self._kept[key] = (now + ttl, value)

    async def delete(self, key: str) -> None:
        """Forget `key`, if it is there."""
        with self._lock:
            self._kept.pop(key, None)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()

    def __len__(self) -> int:
        """How many entries are kept whose time is not over."""
        with self._lock:
            self._sweep(self._clock())
            return len(self._kept)

    def _sweep(self, now: float) -> None:
        """Drop what expired. `set` does so at most once a second: a sweep looks at everything."""
        self._next_sweep = now + 1.0
        for key in [key for key, (until, _) in self._kept.items() if until <= now]:
            del self._kept[key]
