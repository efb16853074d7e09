"""Calling the tool itself: on the loop, in a thread, or item by item; within its time.

Sync tools run in a pool with the caller's context variables where the pool's threads share this process; other pools
get the function and its arguments alone, which must then be picklable. A thread cannot be stopped: after a timeout or a
cancellation its result is dropped, and `ctx.cancelled` tells the tool.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import partial
from logging import getLogger
from threading import Lock
from types import AsyncGeneratorType, GeneratorType
from typing import Any, cast

from .awaiting import settled
from .context import ToolContext
from .errors import ToolTimeoutError

Emit = Callable[[Any], Awaitable[None]]
"""Takes the items of a generator tool as they come."""

LOG = getLogger("lauren_runtime")
Pool = Executor | None
"""Where sync tools run; None: the event loop's own threads."""
_END = object()


class Items(list[Any]):
    """The items of a drained generator."""


def whole(value: Any, joined: bool) -> Any:
    """A generator's items as one value: texts joined, anything else a list; `joined` says what none at all are."""
    if type(value) is not Items:
        return value
    texts = all(type(item) is str for item in value)
    return "".join(value) if texts and (value or joined) else list(value)


class Raised:
    """A StopIteration that a sync tool let out: neither a future nor a coroutine can raise one."""

    def __init__(self, error: StopIteration) -> None:
        self.error = error


class Escaped(Exception):
    """Carries such a StopIteration through coroutines."""

    def __init__(self, error: StopIteration) -> None:
        self.error = error


async def within(seconds: float, name: str, tool_use_id: str, work: Awaitable[Any], ctx: ToolContext) -> Any:
    """Await the work. Raises ToolTimeoutError when the time is over, and marks the context."""
    limit = asyncio.timeout(seconds)
    try:
        async with limit:
            return await work
    except TimeoutError:
        if limit.expired():
            ctx.cancelled = True
            raise ToolTimeoutError(name, tool_use_id, seconds) from None
        raise


async def run_on_loop(
    function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any], emit: Emit | None
) -> Any:
    """Call an async tool; an async generator's items are collected, and emitted."""
    return await finished(function(*args, **keywords), emit)


async def finished(value: Any, emit: Emit | None = None) -> Any:
    """What a tool gave, awaited if it is awaitable, collected if it is a stream."""
    return await _collected(value, emit) if _is_stream(value) else await settled(value)


async def run_in_pool(
    pool: Pool,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    ctx: ToolContext,
    emit: Emit | None,
) -> Any:
    """Call a sync tool in a pool (None: the loop's own threads); what it returns is awaited if it is awaitable."""
    if pool is not None and not isinstance(pool, ThreadPoolExecutor):
        value = await asyncio.wrap_future(pool.submit(_call, function, args, keywords, None))
        if emit is not None and isinstance(value, Items):
            for item in value:  # they came all at once
                await emit(item)
    else:
        variables = contextvars.copy_context()

        def work() -> Any:
            return variables.run(_call, function, args, keywords, ctx if emit is None else _END)

        value = await asyncio.get_running_loop().run_in_executor(pool, work)
        if isinstance(value, GeneratorType):
            value = await _collected(_stepped(cast(Any, value), pool, variables), emit)
    if isinstance(value, Raised):
        raise Escaped(value.error)
    return await finished(value, emit)


async def run_in_thread(
    pool: ThreadPoolExecutor | None, function: Callable[..., Any], /, *args: Any, **keywords: Any
) -> Any:
    """Call a sync tool that takes no context, as `run_in_pool` does."""
    variables = contextvars.copy_context()
    work: Any = partial(variables.run, _call, function, args, keywords, _END)
    value = await asyncio.get_running_loop().run_in_executor(pool, work)
    if type(value) is str:
        return value
    if isinstance(value, Raised):
        raise Escaped(value.error)
    if not isinstance(value, GeneratorType):
        return await finished(value)
    ctx = ToolContext()
    drain: Any = partial(cast(Any, variables.run), _call, _drained, (value, ctx), {}, _END)
    try:
        return await asyncio.get_running_loop().run_in_executor(pool, drain)
    except asyncio.CancelledError:
        ctx.cancelled = True
        raise


def _call(function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any], ctx: object) -> Any:
    """In the pool: call, and drain a generator unless it is to be read step by step (`ctx` is `_END`)."""
    try:
        value = function(*args, **keywords)
        if ctx is not _END and isinstance(value, GeneratorType):
            return _drained(cast(Any, value), ctx)
        return value
    except StopIteration as error:
        return Raised(error)


def _drained(generator: Any, ctx: object) -> Items:
    items = Items()
    try:
        for item in generator:
            items.append(item)
            if getattr(ctx, "cancelled", False):
                break
    finally:
        generator.close()
    return items


async def _stepped(generator: Any, pool: Pool, variables: contextvars.Context) -> AsyncIterator[Any]:
    """A sync generator, one step in the pool for each item."""
    loop = asyncio.get_running_loop()
    steps = _Steps(generator, variables)
    try:
        while (item := await loop.run_in_executor(pool, steps.next)) is not _END:
            yield item
    finally:
        # Cancelled within a step: it is closed when the step is over, which nobody waits for.
        busy = steps.lock.locked()
        try:
            closing = loop.run_in_executor(pool, steps.close)
        except RuntimeError:  # the pool was shut down meanwhile
            steps.close()
        else:
            await _closed(closing, busy)


async def _closed(closing: asyncio.Future[None], busy: bool) -> None:
    if busy:
        closing.add_done_callback(_noted)
    else:
        await asyncio.shield(closing)


class _Steps:
    """A generator that threads take turns with."""

    def __init__(self, generator: Any, variables: contextvars.Context) -> None:
        self._generator = generator
        self._variables = variables
        self.lock = Lock()

    def next(self) -> Any:
        with self.lock:
            return self._variables.run(next, self._generator, _END)

    def close(self) -> None:
        with self.lock:
            self._variables.run(self._generator.close)


def _noted(closing: asyncio.Future[None]) -> None:
    error = None if closing.cancelled() else closing.exception()
    if error is not None:
        LOG.warning("a generator tool failed while it was closed", exc_info=error)


async def _collected(stream: Any, emit: Emit | None) -> Items:
    items = Items()
    try:
        async for item in stream:
            items.append(item)
            if emit is not None:
                await emit(item)
    finally:
        close = getattr(stream, "aclose", None)
        if close is not None:
            await close()
    return items


def _is_stream(value: object) -> bool:
    return isinstance(value, AsyncGeneratorType) or (hasattr(value, "__aiter__") and hasattr(value, "__anext__"))
