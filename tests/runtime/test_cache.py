"""Result caching: keys, what is kept, and backends that fail."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from harness.hand_build import Build, run
from lauren_runtime import CacheBackend, InMemoryCacheBackend, ToolCall, ToolContext, ToolHook, ToolResult
from lauren_runtime.canonical import canonical, digest

SOURCE = """
RUNS = []

def ran(name, value):
    RUNS.append(name)
    return value

@tool(cache_ttl=60)
async def rate(base, n=0):
    return ran("rate", {"base": base})

@tool(cache_ttl=60)
def sync_rate(base):
    return ran("sync_rate", base)

@tool(cache_ttl=60)
async def none():
    return ran("none", None)

@tool(cache_ttl=60)
async def falls():
    ran("falls", 0)
    raise ValueError

@tool(cache_ttl=60)
async def refused():
    return ran("refused", ToolResult.error("later"))

@tool(cache_ttl=60)
async def blocks():
    return ran("blocks", ToolResult.ok([{"type": "text", "text": "x"}]))

@tool(cache_ttl=60)
async def odd():
    return ran("odd", {(1, 2): 3})

@tool(cache_ttl=60)
async def sets():
    return ran("sets", {2, 1})

@tool(cache_ttl=60, cache_key_fn=lambda inp: inp["city"].lower())
async def weather(city):
    return ran("weather", "rain in " + city)

@tool(cache_ttl=60, cache_key_fn=lambda inp: inp["city"].lower())
async def population(city):
    return ran("population", 700000)

@tool(cache_ttl=60, cache_key_fn=lambda inp: inp.pop("city"))
async def robbed(city):
    return ran("robbed", city)

async def akey(inp):
    return inp["city"]

@tool(cache_ttl=60, cache_key_fn=akey)
async def later(city):
    return ran("later", city)

@tool(cache_ttl=60, cache_key_fn=lambda inp: inp["nope"])
async def lost(city):
    return ran("lost", city)

@tool(cache_ttl=60, cache_key_fn=lambda inp: object())
async def strange(city):
    return ran("strange", city)

@tool(cache_ttl=60)
async def mine(c: ToolContext):
    return ran("mine", "of " + c.extras["user"])

@tool(cache_ttl=60, cache_key_fn=lambda inp, ctx: ctx.extras["user"])
async def keyed(c: ToolContext):
    return ran("keyed", "of " + c.extras["user"])

@tool(cache_ttl=60)
async def slow(n):
    await asyncio.sleep(0.02)
    return ran("slow", n)

EXECUTOR = None

@tool(cache_ttl=60)
async def itself(n):
    if ran("itself", len(RUNS)) < 2:
        return (await EXECUTOR.execute(ToolCall("inner", "itself", {"n": n}))).content
    return "inner"

@tool(cache_ttl=60)
async def items():
    ran("items", 0)
    yield 1
"""
CACHED: dict[str, Any] = {"is_async": True, "cache_ttl": 60}
CITY: dict[str, Any] = {**CACHED, "arguments": {"city": "str"}}
TOOLS: dict[str, dict[str, Any]] = {
    "rate": {**CACHED, "arguments": {"base": "any", "n": "int"}, "needed": ["base"]},
    "sync_rate": {"cache_ttl": 60, "arguments": {"base": "any"}},
    **dict.fromkeys(("none", "falls", "refused", "blocks", "odd", "sets"), CACHED),
    **dict.fromkeys(("weather", "population", "robbed", "later", "lost", "strange"), CITY),
    "mine": {**CACHED, "context": "c"},
    "keyed": {**CACHED, "context": "c"},
    "slow": {**CACHED, "arguments": {"n": "int"}},
    "itself": {**CACHED, "arguments": {"n": "int"}},
    "items": {**CACHED, "is_generator": True},
}


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


def twice(build: Build, name: str, *arguments: Any, **options: Any) -> tuple[list[ToolResult], int]:
    """Calls with each arguments, in one executor with a cache; the results, and how often a tool ran."""
    executor = build.executor(cache_backend=InMemoryCacheBackend(), **options)
    build.tools.RUNS.clear()
    results = [run(executor, name, each) for each in arguments or ({}, {})]
    return results, len(build.tools.RUNS)


def test_a_second_call_is_a_hit_and_marked(build: Build) -> None:
    (first, second), runs = twice(build, "rate", {"base": "EUR"}, {"base": "EUR"})
    assert (first.content, first.cached, second.content, second.cached) == (
        '{"base": "EUR"}',
        False,
        '{"base": "EUR"}',
        True,
    )
    assert runs == 1


def test_without_a_backend_nothing_is_kept_and_nothing_fails(build: Build) -> None:
    executor = build.executor()
    assert [run(executor, "rate", {"base": 1}).cached for _ in range(2)] == [False, False]


@pytest.mark.parametrize("name", ["none", "sync_rate", "sets", "blocks"])
def test_any_success_is_kept_in_its_json_form(build: Build, name: str) -> None:
    arguments = {"base": 0} if name == "sync_rate" else {}
    (first, second), runs = twice(build, name, arguments, arguments)
    assert first == second
    assert (second.cached, runs) == (True, 1)


@pytest.mark.parametrize("name", ["falls", "refused", "odd", "items"])
def test_errors_and_streams_are_not_kept(build: Build, name: str) -> None:
    assert twice(build, name)[1] == 2


@pytest.mark.parametrize(
    ("one", "two", "runs"),
    [
        ({"base": 1}, {"base": 1.0}, 1),
        ({"base": 1}, {"base": True}, 2),
        ({"base": 1}, {"base": "1"}, 2),
        ({"base": {"a": 1, "b": 2}}, {"base": {"b": 2, "a": 1}}, 1),
        ({"base": [1, 2]}, {"base": [2, 1]}, 2),
        ({"base": 1, "n": "5"}, {"n": 5, "base": 1}, 1),
        ({"base": 1}, {"base": 1, "n": 0}, 2),
        ({"base": None}, {"base": []}, 2),
    ],
)
def test_equal_arguments_share_a_key_and_others_do_not(build: Build, one: Any, two: Any, runs: int) -> None:
    assert twice(build, "rate", one, two)[1] == runs


def test_arrays_without_order_share_a_key(tmp_path: Path) -> None:
    build = Build(tmp_path, SOURCE, {"rate": {**TOOLS["rate"], "sets": (("base",), ("base", "[]"))}})
    assert twice(build, "rate", {"base": [2, [1, 3]]}, {"base": [[3, 1], 2]})[1] == 1


def test_canonical_json() -> None:
    assert canonical({"a": [1.0, 1.5, True, -0.0], "b": {"c": 2.0}}) == {"a": [1, 1.5, True, 0], "b": {"c": 2}}
    assert canonical({"a": {"x": [2, 1], "y": [1]}}, (("a", "{}"),)) == {"a": {"x": [1, 2], "y": [1]}}
    assert canonical([[2, 1], [4, 3]], (("[]",),)) == [[1, 2], [3, 4]]
    assert len({digest(value) for value in (1, "1", True, None, [1], {"1": 1}, 1.5)}) == 7


def test_keys_tell_nothing_and_name_tool_and_schema(build: Build) -> None:
    backend = Spy()
    run(build.executor(cache_backend=backend), "rate", {"base": "hunter2"})
    (key,) = backend.kept
    assert key.startswith("rate:s-rate:")
    assert "hunter2" not in key
    assert json.loads(backend.kept[key]) == ["value", {"base": "hunter2"}]


@pytest.mark.parametrize(("name", "runs"), [("weather", 1), ("later", 1), ("robbed", 1), ("lost", 2), ("strange", 2)])
def test_key_functions(build: Build, name: str, runs: int, caplog: pytest.LogCaptureFixture) -> None:
    results, ran = twice(build, name, {"city": "Oslo"}, {"city": "Oslo"})
    assert ran == runs
    assert not any(result.is_error for result in results)
    assert "Oslo" in results[1].content
    assert caplog.text.count(f"cache_key_fn of tool {name!r} failed") == (runs == 2)  # said once


def test_two_tools_with_one_custom_key_do_not_share(build: Build) -> None:
    executor = build.executor(cache_backend=InMemoryCacheBackend())
    assert [run(executor, name, {"city": "Oslo"}).content for name in ("weather", "population")] == [
        "rain in Oslo",
        "700000",
    ]


@pytest.mark.parametrize(("name", "runs"), [("mine", 4), ("keyed", 2)])
def test_a_tool_with_a_context_is_kept_only_by_a_key_of_its_own(build: Build, name: str, runs: int) -> None:
    executor = build.executor(cache_backend=InMemoryCacheBackend())
    users = ("ann", "bob", "ann", "bob")
    contents = [run(executor, name, {}, ToolContext(extras={"user": user})).content for user in users]
    assert contents == [f"of {user}" for user in users]
    assert len(build.tools.RUNS) == runs


def test_the_key_is_made_of_what_hooks_left(build: Build) -> None:
    class Fix(ToolHook):
        def before_tool_call(self, ctx: Any) -> None:
            ctx.tool_input["base"] = "fixed"

    assert twice(build, "rate", {"base": 1}, {"base": 2}, global_hooks=[Fix()])[1] == 1


def test_after_hooks_get_the_json_form_on_a_miss_too(build: Build) -> None:
    seen: list[Any] = []

    class Look(ToolHook):
        def after_tool_call(self, result: Any, ctx: Any) -> None:
            seen.append(result)

    twice(build, "sets", global_hooks=[Look()])
    assert seen == [[1, 2], [1, 2]]


def test_calls_at_once_compute_once_for_a_key(build: Build) -> None:
    executor = build.executor(cache_backend=InMemoryCacheBackend())

    async def go() -> list[ToolResult]:
        return await asyncio.gather(*[executor.execute(ToolCall(str(i), "slow", {"n": i % 3})) for i in range(30)])

    for results in (asyncio.run(go()), asyncio.run(go())):
        assert [(result.tool_use_id, result.content) for result in results] == [(str(i), str(i % 3)) for i in range(30)]
    assert len(build.tools.RUNS) == 3


def test_a_tool_that_calls_itself_does_not_wait_for_itself(build: Build) -> None:
    build.tools.EXECUTOR = build.executor(cache_backend=InMemoryCacheBackend(), timeout=5)
    assert run(build.tools.EXECUTOR, "itself", {"n": 1}).content == "inner"


def test_a_cancelled_computation_leaves_the_key_to_the_next(build: Build) -> None:
    executor = build.executor(cache_backend=InMemoryCacheBackend())

    async def go() -> ToolResult:
        first = asyncio.create_task(executor.execute(ToolCall("a", "slow", {"n": 1})))
        second = asyncio.create_task(executor.execute(ToolCall("b", "slow", {"n": 1})))
        await asyncio.sleep(0.005)
        first.cancel()
        return await second

    assert asyncio.run(go()).content == "1"


class Spy:
    """A plain, synchronous backend."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}

    def get(self, key: str) -> str | None:
        return self.kept.get(key)

    def set(self, key: str, value: str, *, ttl: float) -> None:
        self.kept[key] = value

    def delete(self, key: str) -> None:
        del self.kept[key]


def test_a_synchronous_backend_will_do(build: Build) -> None:
    backend: CacheBackend = Spy()
    executor = build.executor(cache_backend=backend)
    assert [run(executor, "none").cached for _ in range(2)] == [False, True]


def test_a_backend_without_its_methods_is_refused(build: Build) -> None:
    with pytest.raises(TypeError, match="cache_backend has no method `get`"):
        build.executor(cache_backend=object())


class Down:
    async def get(self, key: str) -> str | None:
        raise ConnectionError("down")

    async def set(self, key: str, value: str, *, ttl: float) -> None:
        raise ConnectionError("down")

    async def delete(self, key: str) -> None: ...


class Slow(Down):
    async def get(self, key: str) -> str | None:
        await asyncio.sleep(10)
        return None


class Garbage(Spy):
    def get(self, key: str) -> str | None:
        return "not ours"


@pytest.mark.parametrize("backend", [Down(), Slow(), Garbage()])
def test_a_backend_that_fails_never_fails_a_call_and_is_told_of_once(
    build: Build, backend: Any, caplog: pytest.LogCaptureFixture
) -> None:
    executor = build.executor(cache_backend=backend, cache_patience=0.02)
    for _ in range(3):
        assert run(executor, "rate", {"base": 1}).content == '{"base": 1}'
    assert len(build.tools.RUNS) == 3
    messages = [record.getMessage() for record in caplog.records]
    assert messages
    assert len(messages) == len(set(messages))


# The backend in memory


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def do(*steps: Any) -> list[Any]:
    async def go() -> list[Any]:
        return [await step for step in steps]

    return asyncio.run(go())


def test_entries_expire() -> None:
    clock = Clock()
    backend = InMemoryCacheBackend(clock=clock)
    do(
        backend.set("a", "1", ttl=5),
        backend.set("b", "2", ttl=0.5),
        backend.set("c", "3", ttl=0),
        backend.set("d", "4", ttl=-1),
    )
    assert do(backend.get("a"), backend.get("b"), backend.get("c"), backend.get("d")) == ["1", "2", None, None]
    clock.now += 0.5
    assert do(backend.get("a"), backend.get("b")) == ["1", None]
    clock.now += 5
    assert len(backend) == 0


def test_expired_entries_are_swept_without_being_asked_for() -> None:
    clock = Clock()
    backend = InMemoryCacheBackend(clock=clock)
    for i in range(1000):
        do(backend.set(f"k{i}", "v", ttl=1))
    clock.now += 2
    do(backend.set("new", "v", ttl=1))
    assert list(backend._kept) == ["new"]


def test_the_least_recently_used_go_first() -> None:
    backend = InMemoryCacheBackend(max_entries=2)
    do(backend.set("a", "1", ttl=9), backend.set("b", "2", ttl=9), backend.get("a"), backend.set("c", "3", ttl=9))
    assert do(backend.get("a"), backend.get("b"), backend.get("c")) == ["1", None, "3"]
    do(backend.delete("a"), backend.delete("a"))
    assert len(backend) == 1
    backend.clear()
    assert len(backend) == 0
    with pytest.raises(ValueError, match="at least 1"):
        InMemoryCacheBackend(0)
