"""`initial_state`, `initial_tool_state` and `dependency_factory`: per call, per run and tool, per run."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any

import pytest
from harness.hand_build import Build, run
from lauren_runtime import ToolCall, ToolContext, ToolExecutionError

SOURCE = """
MADE = []

def fresh():
    return {"seeded": [], "kept": 1}

async def later():
    await asyncio.sleep(0.005)
    MADE.append("deps")
    return {"db": len(MADE)}

@tool(initial_state=fresh)
async def seeded(c: ToolContext):
    c.state["seeded"].append(1)
    return c.state

@tool(initial_tool_state=lambda: {"n": 0})
async def count(c: ToolContext):
    c.tool_state["n"] += 1
    await asyncio.sleep(0.001)
    return c.tool_state["n"]

@tool()
async def remember(c: ToolContext):
    c.tool_state["calls"] = c.tool_state.get("calls", 0) + 1
    return c.tool_state["calls"]

@tool(dependency_factory=later)
async def needy(c: ToolContext):
    return c.dependencies

@tool(initial_state=lambda: None)
async def broken():
    return "never"

@tool(initial_state=lambda: 1 / 0)
async def raising():
    return "never"
"""
CONTEXT: dict[str, Any] = {"is_async": True, "context": "c"}
TOOLS = {
    **dict.fromkeys(("seeded", "count", "remember", "needy"), CONTEXT),
    "broken": {"is_async": True},
    "raising": {"is_async": True},
}


class Agent:
    """An agent context."""


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


def test_state_is_seeded_for_each_call_and_what_is_there_wins(build: Build) -> None:
    executor = build.executor()
    for _ in range(2):
        assert run(executor, "seeded").content == '{"seeded": [1], "kept": 1}'
    assert run(executor, "seeded", {}, ToolContext(state={"kept": 5})).content == '{"kept": 5, "seeded": [1]}'


@pytest.mark.parametrize("name", ["broken", "raising"])
def test_a_seed_that_fails_ends_the_call(build: Build, name: str) -> None:
    assert isinstance(build.run(name).exception, ToolExecutionError)


def test_runs_at_once_count_each_for_itself(build: Build) -> None:
    executor = build.executor()

    async def one_run() -> list[str]:
        context = ToolContext(Agent())
        return [(await executor.execute(ToolCall(str(i), "count", {}), context)).content for i in range(3)]

    async def go() -> list[list[str]]:
        return await asyncio.gather(*[one_run() for _ in range(4)])

    assert asyncio.run(go()) == [["1", "2", "3"]] * 4


def test_tool_state_is_per_tool_and_needs_a_run(build: Build) -> None:
    executor, context = build.executor(), ToolContext(Agent())
    assert [run(executor, name, {}, context).content for name in ("count", "remember", "count", "remember")] == [
        "1",
        "1",
        "2",
        "2",
    ]
    assert [run(executor, "remember").content for _ in range(2)] == ["1", "1"]


def test_a_tool_state_that_the_caller_keeps_is_used(build: Build) -> None:
    kept: dict[str, Any] = {}
    context = ToolContext(Agent(), tool_state=kept)
    executor = build.executor()
    run(executor, "count", {}, context)
    assert kept == {"n": 1}
    kept["n"] = 10
    assert run(executor, "count", {}, context).content == "11"


def test_dependencies_are_made_once_per_run_even_by_calls_at_once(build: Build) -> None:
    executor = build.executor()

    async def go(agent: Agent) -> set[str]:
        context = ToolContext(agent)
        results = await asyncio.gather(*[executor.execute(ToolCall(str(i), "needy", {}), context) for i in range(5)])
        return {result.content for result in results}

    agents = Agent(), Agent()
    assert [asyncio.run(go(agent)) for agent in (*agents, agents[0])] == [{'{"db": 1}'}, {'{"db": 2}'}, {'{"db": 1}'}]
    assert run(executor, "needy", {}, ToolContext(dependencies="given")).content == "given"


def test_what_is_kept_for_a_run_goes_with_it(build: Build) -> None:
    executor = build.executor()
    for _ in range(10):
        run(executor, "count", {}, ToolContext(Agent()))
    gc.collect()
    assert len(executor._settings.runs._kept) == 0


def test_an_agent_context_that_cannot_be_watched_keeps_nothing(build: Build) -> None:
    executor, context = build.executor(), ToolContext((1, 2))
    assert [run(executor, "count", {}, context).content for _ in range(2)] == ["1", "1"]
