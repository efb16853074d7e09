"""Making one object, and ending it."""

from __future__ import annotations

import asyncio
import contextvars
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from concurrent.futures import Future
from threading import Thread

from ..awaiting import settled
from ..errors import StartupError
from .errors import DestructError, DestructTimeoutError, LifecycleError
from .provider import OMITTED, Provider

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_COROUTINE = 0x80
"""The flag of an `async def` function (`inspect.CO_COROUTINE`)."""


class Made:
    """An object and how it ends: its `@pre_destruct` methods, then what its generator does after its yield."""

    def __init__(self, provider: Provider, value: Any, generator: Any = None) -> None:
        self.provider = provider
        self.value = value
        self.generator = generator

    @property
    def ends(self) -> bool:
        """Whether there is anything to do at its end."""
        return self.generator is not None or bool(self.provider.pre_destruct)

    async def end(self, seconds: float) -> list[LifecycleError]:
        """Do it all, each within `seconds`; what went wrong is given back."""
        name = self.provider.name
        failures = [
            await _within(seconds, f"{name}.{hook}", _called(getattr(self.value, hook)))
            for hook in self.provider.pre_destruct
        ]
        if self.generator is not None:
            failures.append(await _within(seconds, f"the teardown of {name}", _closed(self.generator)))
        return [failure for failure in failures if failure is not None]


async def make(provider: Provider, values: list[Any]) -> Made:
    """An object of a provider, from one value for each of its dependencies, with its `@post_construct` done.

    Raises what its factory and its hooks raise, and StartupError for a generator that yields nothing.
    """
    count = len(provider.parameters)
    needs = list(zip(provider.parameters, values[:count], strict=True))
    positional = [value for need, value in needs if need.name is None]
    keywords = {need.name: value for need, value in needs if need.name is not None and value is not OMITTED}
    made = await _produced(provider, provider.factory(*positional, **keywords))
    for field, value in zip(provider.fields, values[count:], strict=True):
        setattr(made.value, str(field.name), value)
    for name in provider.post_construct:
        await settled(getattr(made.value, name)())
    return made


async def _produced(provider: Provider, result: Any) -> Made:
    if provider.produces == "awaitable":
        return Made(provider, await settled(result))
    if provider.produces == "value":
        return Made(provider, result)
    try:
        value = next(result) if provider.produces == "generator" else await _first(result)
    except (StopIteration, StopAsyncIteration):
        raise StartupError(f"the generator {provider.name} ended without yielding its object") from None
    return Made(provider, value, result)


def _first(generator: AsyncGenerator[Any]) -> Awaitable[Any]:
    """The first item of an async generator that outlives the event loop it is begun in.

    A loop closes all it knows of when it ends, and knows them by these hooks.
    """
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(None, None)
    try:
        return anext(generator)
    finally:
        sys.set_asyncgen_hooks(*hooks)


async def _closed(generator: Any) -> None:
    """Run a generator to its end. Raises RuntimeError if it yields again."""
    ended = object()
    is_async = hasattr(generator, "__anext__")
    again: Any = await anext(generator, ended) if is_async else next(generator, ended)
    if again is not ended:
        raise RuntimeError("it yielded more than once")


async def _called(method: Callable[[], Any]) -> None:
    """Call a hook: a plain one in a thread of its own, which nothing waits for once its time is up."""
    if _is_async(method):
        await method()
        return
    done: Future[Any] = Future()
    done.set_running_or_notify_cancel()  # who gives up waiting must not keep the thread from saying how it ended
    context = contextvars.copy_context()
    Thread(target=_settle, args=(done, context, method), daemon=True, name="lauren-pre-destruct").start()
    await settled(await asyncio.wrap_future(done))


def _is_async(method: Any) -> bool:
    """Whether calling a hook runs nothing yet. Of one that does not tell, what the thread gives back is awaited."""
    code = getattr(getattr(method, "__func__", method), "__code__", None)
    return code is not None and bool(code.co_flags & _COROUTINE)


def _settle(done: Future[Any], context: contextvars.Context, method: Callable[[], Any]) -> None:
    try:
        result = context.run(method)
    except BaseException as error:
        done.set_exception(error)
    else:
        done.set_result(result)


async def _within(seconds: float, name: str, step: Coroutine[Any, Any, None]) -> LifecycleError | None:
    """What went wrong with a step, if anything did. One that takes too long is left behind, cancelled."""
    task = asyncio.ensure_future(step)
    try:
        finished, _ = await asyncio.wait([task], timeout=seconds)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if not finished:
        task.cancel()
        return DestructTimeoutError(f"{name} did not end within {seconds:g} seconds", detail={"provider": name})
    error = asyncio.CancelledError() if task.cancelled() else task.exception()
    if error is None:
        return None
    if not isinstance(error, (Exception, asyncio.CancelledError)):
        raise error
    failure = DestructError(f"{name} failed: {type(error).__name__}: {error}", detail={"provider": name})
    failure.__cause__ = error
    return failure
