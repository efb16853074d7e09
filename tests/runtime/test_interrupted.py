"""Calls that are cancelled at each step, closed early, or lose their pool: nothing is left running or open."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from harness.hand_build import Build, run
from lauren_runtime import InMemoryCacheBackend, ToolCall, ToolContext, ToolExecutor, ToolResult

SOURCE = """
IN, OUT = [], []

class Watch(ToolHook):
    async def before_tool_call(self, ctx):
        await asyncio.sleep(0)

    async def after_tool_call(self, result, ctx):
        await asyncio.sleep(0)

    async def on_tool_error(self, error, ctx):
        await asyncio.sleep(0)

async def nothing(*_):
    await asyncio.sleep(0)

async def made():
    await asyncio.sleep(0)
    return {}

@tool(
    pre_hook=nothing, post_hook=nothing, error_hook=nothing, confirmation_policy=nothing, initial_state=made,
    initial_tool_state=made, dependency_factory=made, cache_ttl=5, cache_key_fn=lambda arguments: arguments,
)
@use_hooks(Watch)
async def every_step(n, ctx):
    IN.append(n)
    try:
        await asyncio.sleep(0)
        if n == 2:
            raise ValueError(n)
        return n
    finally:
        OUT.append(n)
        await asyncio.sleep(0)

@tool()
async def async_items(n):
    IN.append(n)
    try:
        for item in range(n):
            await asyncio.sleep(0)
            yield item
    finally:
        OUT.append(n)

@tool()
def items(n):
    IN.append(n)
    try:
        yield from range(n)
    finally:
        OUT.append(n)
"""
TOOLS: dict[str, dict[str, Any]] = {
    "every_step": {"arguments": {"n": "any"}, "is_async": True, "context": "ctx", "cache_ttl": 5},
    "async_items": {"arguments": {"n": "any"}, "is_async": True, "is_generator": True},
    "items": {"arguments": {"n": "any"}, "is_async": False, "is_generator": True},
}
MOST_STEPS = 400


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


class Run:
    """An agent's context, which state is kept for."""


async def whole(executor: ToolExecutor, call: ToolCall) -> None:
    await executor.execute(call, ToolContext(agent_context=Run()))


async def streamed(executor: ToolExecutor, call: ToolCall) -> None:
    async for _ in executor.execute_stream(call, ToolContext(agent_context=Run())):
        pass


def others() -> set[asyncio.Task[Any]]:
    """The tasks that run beside this one."""
    return asyncio.all_tasks() - {asyncio.current_task()}  # type: ignore[arg-type]


async def cancelled_after(steps: int, work: Coroutine[Any, Any, None]) -> bool:
    """Cancel the work after so many steps of the loop; False if it was over before."""
    task = asyncio.ensure_future(work)
    for _ in range(steps):
        await asyncio.sleep(0)
    if task.done():
        return False
    task.cancel()
    async with asyncio.timeout(5):
        await asyncio.wait([task])
    assert task.cancelled()
    assert not others()
    return True


@pytest.mark.parametrize("way", [whole, streamed])
@pytest.mark.parametrize(("name", "n"), [("every_step", 1), ("every_step", 2), ("async_items", 3), ("items", 3)])
def test_cancelled_at_each_step(build: Build, name: str, n: int, way: Callable[..., Coroutine[Any, Any, None]]) -> None:
    executor = build.executor(cache_backend=InMemoryCacheBackend())
    steps = 0

    async def go() -> bool:
        went_on = await cancelled_after(steps, way(executor, ToolCall("t", name, {"n": n})))
        async with asyncio.timeout(5):  # no lock is left held
            await executor.execute(ToolCall("t", name, {"n": n}), ToolContext())
        return went_on

    while asyncio.run(go()):
        steps += 1
        assert steps < MOST_STEPS
    assert steps > 2
    assert len(build.tools.IN) == len(build.tools.OUT)


@pytest.mark.parametrize("name", ["async_items", "items"])
def test_a_stream_closed_early_closes_the_generator(build: Build, name: str) -> None:
    async def closed() -> None:
        stream = build.executor().execute_stream(ToolCall("t", name, {"n": 100}))
        async for _ in stream:
            break
        await stream.aclose()
        assert not others()

    async def forgotten() -> None:
        async for _ in build.executor().execute_stream(ToolCall("t", name, {"n": 100})):
            break
        gc.collect()
        async with asyncio.timeout(5):
            while others():
                await asyncio.sleep(0.01)

    for count, way in enumerate((closed, forgotten), 1):
        asyncio.run(way())
        assert len(build.tools.OUT) == count


def test_a_stream_whose_tool_fails_as_it_is_closed_leaves_no_word_unheard(build: Build) -> None:
    unheard: list[Any] = []

    async def go() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, about: unheard.append(about))
        executor = build.executor(on_error="raise")
        stream = executor.execute_stream(ToolCall("t", "async_items", {"n": "x"}))
        await asyncio.wait([asyncio.ensure_future(anext(stream))], timeout=0)
        gc.collect()

    asyncio.run(go())
    gc.collect()
    assert unheard == []


@pytest.mark.parametrize("name", ["items", "async_items"])
def test_a_pool_that_is_shut_down(build: Build, name: str) -> None:
    pool = ThreadPoolExecutor(1)
    executor = build.executor(pool=pool)

    async def go() -> list[ToolResult]:
        found: list[ToolResult] = []
        async for result in executor.execute_stream(ToolCall("t", name, {"n": 50})):
            found.append(result)
            pool.shutdown(wait=False)
        return found

    last = asyncio.run(go())[-1]
    assert last.is_error is (name == "items")
    assert len(build.tools.OUT) == 1
    assert run(executor, name, {"n": 1}).is_error is (name == "items")
