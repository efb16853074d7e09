"""Waiting until a record gets somewhere, without asking all the time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from logging import getLogger

from .errors import ApprovalError, ApprovalStoreError
from .reach import FIRST_PAUSE, Reach
from .records import Approval, Key
from .store import ApprovalStore, change
from .transitions import settled

LOG = getLogger("lauren_runtime")
_SLACK = 0.005
"""Seconds added to a limit, lest one looks just before it."""
_PATIENCE = 1.0
"""The longest pause between looks at a store that fails."""
_TRIES = 6
"""How often a store that fails is asked in a row, though the time limit is over: it knows how the call ended."""


class Watch:
    """Watches one record while a `with` block runs, from within an event loop.

    A change in this process is noticed at once. One that another process made, in a store that has to be asked, after
    50 ms at first, then after pauses that double, up to the store's `poll`.
    """

    def __init__(self, reach: Reach, store: ApprovalStore, key: Key) -> None:
        self._reach = reach
        self._store = store
        self._key = key
        self._noticed = asyncio.Event()
        self._limit: float | None = None
        self._failures = 0

    def __enter__(self) -> Watch:
        loop, noticed = asyncio.get_running_loop(), self._noticed

        def notice() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(noticed.set)

        self._end = self._store.watch(self._key, notice)
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    async def until(self, arrived: Callable[[Approval], bool], limit: float | None = None) -> Approval:
        """The record, once it has `arrived`, or time made it so.

        A store that fails is asked on six times, and as long as there is time for a decision (`limit` are the seconds
        there are, until the store has said what is left): then ApprovalStoreError.

        Raises ApprovalError if the record is gone.
        """
        self._limit = None if limit is None else time.monotonic() + limit
        pause = FIRST_PAUSE
        while True:
            self._noticed.clear()
            record = await self._look()
            if record is not None and arrived(record):
                return record
            await self._rest(pause)
            pause = min(2 * pause, self._store.poll or _PATIENCE)

    async def _look(self) -> Approval | None:
        """The record; None if the store fails."""
        try:
            record, seconds = await self._reach.once(lambda: _seen(self._store, self._key))
        except ApprovalError:
            raise
        except Exception as error:
            self._bear(error)
            return None
        self._limit = None if seconds is None else time.monotonic() + seconds + _SLACK
        self._failures = 0
        return record

    def _bear(self, error: Exception) -> None:
        """Note that the store fails. Raises ApprovalStoreError when that is no longer to be borne."""
        if not self._failures:
            LOG.warning("the store of approvals failed; call %r waits on", self._key[1], exc_info=error)
        self._failures += 1
        if self._failures >= _TRIES and self._limit is not None and self._limit <= time.monotonic():
            raise ApprovalStoreError(f"the store of approvals failed: {type(error).__name__}") from error

    async def _rest(self, pause: float) -> None:
        """Until something is noticed, or there is a reason to look."""
        reasons = [] if self._limit is None else [max(0.0, self._limit - time.monotonic())]
        if self._failures:
            reasons = [pause]
        elif self._store.poll is not None:
            reasons.append(pause)
        try:
            async with asyncio.timeout(min(reasons, default=None)):
                await self._noticed.wait()
        except TimeoutError:
            return


def _seen(store: ApprovalStore, key: Key) -> tuple[Approval, float | None]:
    """The record, with what time did to it, and the seconds until time does the next thing."""

    def step(old: Approval | None, now: float) -> Approval:
        if old is None or old.state == "early":  # what was asked is not there, and somebody decided since
            raise ApprovalError(f"the approval of call {key[1]!r} is gone from the store")
        return settled(old, now)

    record = change(store, key, step)
    until = record.expires_at if record.state == "pending" else None
    if record.state == "running" and record.claim is not None:
        until = record.claim.until
    return record, None if until is None else max(0.0, until - store.now())
