"""Ten thousand calls at once over two hundred tools: each result is its own call's, and nothing is left."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from harness.hand_build import Build
from lauren_runtime import InMemoryCacheBackend, ToolCall, ToolExecutor, ToolResult

pytestmark = pytest.mark.one_python

CALLS = 10_000
KINDS = ("plain", "waits", "sync", "falls", "late", "cached", "items", "context")
PER_KIND = 25

_BODIES = {
    "plain": "async def {name}(n): return f'{name}:{{n}}'",
    "waits": "async def {name}(n):\n    await asyncio.sleep(n % 7 / 1000)\n    return f'{name}:{{n}}'",
    "sync": "def {name}(n): return f'{name}:{{n}}'",
    "falls": "async def {name}(n):\n    await asyncio.sleep(0)\n    raise ValueError(f'{name}:{{n}}')",
    "late": "async def {name}(n):\n    await asyncio.sleep(60)",
    "cached": "async def {name}(n):\n    await asyncio.sleep(0)\n    return f'{name}:{{n}}'",
    "items": "async def {name}(n):\n    for part in ('{name}', ':', str(n)): yield part",
    "context": "async def {name}(n, c: ToolContext): return f'{name}:{{n}}:{{c.tool_use_id}}'",
}
_OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {"is_async": True},
    "waits": {"is_async": True},
    "sync": {},
    "falls": {"is_async": True},
    "late": {"is_async": True, "timeout": 0.05},
    "cached": {"is_async": True, "cache_ttl": 60},
    "items": {"is_async": True, "is_generator": True, "joined": True},
    "context": {"is_async": True, "context": "c"},
}


def _build(folder: Path) -> Build:
    source, tools = ["import asyncio"], dict[str, dict[str, Any]]()
    for kind in KINDS:
        for number in range(PER_KIND):
            name = f"{kind}_{number}"
            options = {key: value for key, value in _OPTIONS[kind].items() if key in ("timeout", "cache_ttl")}
            words = ", ".join(f"{key}={value}" for key, value in options.items())
            source.append(f"@tool({words})\n{_BODIES[kind].format(name=name)}\n")
            tools[name] = {**_OPTIONS[kind], "arguments": {"n": "int"}}
    return Build(folder, "\n".join(source), tools)


def _invocations() -> list[Any]:
    gc.collect()
    return [one for one in gc.get_objects() if type(one).__name__ == "Invocation"]


def _wrong(call: ToolCall, kind: str, n: Any, result: ToolResult) -> bool:
    """Whether a result is not the one of its call."""
    if result.tool_use_id != call.tool_use_id:
        return True
    if n == "x":
        return result.status != "error" or "n: expected an integer" not in str(result.content)
    if kind == "falls":
        return repr(getattr(result.exception, "original", None)) != f"ValueError('{call.name}:{n}')"
    if kind == "late":
        return result.status != "timed_out"
    expected = f"{call.name}:{n}" + (f":{call.tool_use_id}" if kind == "context" else "")
    return result.is_error or result.content != expected


def test_ten_thousand_calls_at_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "lauren_runtime")  # what is logged is held, and with it the calls
    before = {id(one) for one in _invocations()}  # of other tests
    build = _build(tmp_path)
    draw = random.Random(7)
    names = [draw.choice(KINDS) for _ in range(CALLS)]
    calls = [
        (kind, ToolCall(f"c{index}", f"{kind}_{draw.randrange(PER_KIND)}", {"n": draw.choice([*range(40), "x"])}))
        for index, kind in enumerate(names)
    ]
    cancelled = set(draw.sample(range(CALLS), CALLS // 20))

    async def everything(executor: ToolExecutor) -> list[ToolResult | BaseException]:
        tasks = [asyncio.ensure_future(executor.execute(call)) for _, call in calls]
        await asyncio.sleep(0.005)
        for index in cancelled:
            tasks[index].cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert len(asyncio.all_tasks()) == 1, "a task is left"
        return list(results)

    with ThreadPoolExecutor(8) as pool:
        executor = build.executor(pool=pool, cache_backend=InMemoryCacheBackend(max_entries=100))
        results = asyncio.run(everything(executor))
    assert len(results) == CALLS
    outcomes: Counter[str] = Counter()
    for index, ((kind, call), result) in enumerate(zip(calls, results, strict=True)):
        if isinstance(result, asyncio.CancelledError):
            assert index in cancelled
            outcomes["cancelled"] += 1
            continue
        assert isinstance(result, ToolResult), result
        assert isinstance(call.input, dict)
        assert not _wrong(call, kind, call.input["n"], result), (call, result)
        outcomes[result.status] += 1
    assert min(outcomes[each] for each in ("executed", "error", "timed_out", "cancelled")) > 100
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("ThreadPool")]
    del results, result
    assert {id(one) for one in _invocations()} <= before, "a call is still held"
