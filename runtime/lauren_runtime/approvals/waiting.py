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


async def wait_until(reach: Reach, store: ApprovalStore, key: Key, arrived: Callable[[Approval], bool]) -> Approval:
    """The record, once it has `arrived`, or time made it so.

    A change in this process is noticed at once. One that another process made, in a store that has to be asked, after
    50 ms at first, then after pauses that double, up to the store's `poll`. A store that fails is asked on, but not
    beyond the call's time limit: then ApprovalStoreError. Raises ApprovalError if the record is gone.
    """
    loop = asyncio.get_running_loop()
    noticed = asyncio.Event()
    end = store.watch(key, lambda: _from_any_thread(loop, noticed))
    pause, limit, fails = FIRST_PAUSE, None, False
    try:
        while True:
            noticed.clear()
            try:
                record, seconds = await reach.once(lambda: _look(store, key))
                if arrived(record):
                    return record
                limit, fails = None if seconds is None else time.monotonic() + seconds + _SLACK, False
            except ApprovalError:
                raise
            except Exception as error:
                if limit is not None and limit <= time.monotonic():
                    raise ApprovalStoreError(f"the store of approvals failed: {type(error).__name__}") from error
                if not fails:
                    LOG.warning("the store of approvals failed; call %r waits on (said once)", key[1], exc_info=error)
                fails = True
            most = [limit - time.monotonic()] if limit is not None else []
            most += [pause] if store.poll is not None or fails else []
            pause = min(2 * pause, store.poll or 1.0)
            await _either(noticed, max(0.0, min(most)) if most else None)
    finally:
        end()


def _look(store: ApprovalStore, key: Key) -> tuple[Approval, float | None]:
    """The record, with what time did to it, and the seconds until time does the next thing."""

    def step(old: Approval | None, now: float) -> Approval:
        if old is None:
            raise ApprovalError(f"the approval of call {key[1]!r} is gone from the store")
        return settled(old, now)

    record = change(store, key, step)
    until = record.expires_at if record.state == "pending" else None
    if record.state == "running" and record.claim is not None:
        until = record.claim.until
    return record, None if until is None else max(0.0, until - store.now())


async def _either(noticed: asyncio.Event, seconds: float | None) -> None:
    try:
        async with asyncio.timeout(seconds):
            await noticed.wait()
    except TimeoutError:
        return


def _from_any_thread(loop: asyncio.AbstractEventLoop, event: asyncio.Event) -> None:
    if not loop.is_closed():
        loop.call_soon_threadsafe(event.set)
