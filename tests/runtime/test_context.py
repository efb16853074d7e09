"""ToolContext: the seeds' fields in the seeds' order, metadata look-up, and what a tool is handed."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from harness.hand_build import Build, run
from lauren_runtime import ToolCallContext, ToolContext, get_tool_context_from_func_args


def test_positional_order_is_the_seeds() -> None:
    ctx = ToolContext("agent", "id", 3, "request", "execution", {"m": 1}, {"s": 2})
    assert (ctx.agent_context, ctx.tool_use_id, ctx.turn) == ("agent", "id", 3)
    assert (ctx.request, ctx.execution_context, ctx.metadata, ctx.state) == ("request", "execution", {"m": 1}, {"s": 2})
    assert (ctx.tool_state, ctx.dependencies, ctx.extras, ctx.tool_name) == ({}, None, {}, "")
    with pytest.raises(TypeError):
        ToolContext("agent", "id", 3, None, None, {}, {}, {})  # type: ignore[misc]


def test_request_runner_and_bus_default_to_the_agent_contexts() -> None:
    agent = SimpleNamespace(request="r", execution_context="e", runner="n", message_bus="b")
    ctx = ToolContext(agent, "id", 0)
    assert (ctx.request, ctx.execution_context, ctx.runner, ctx.message_bus) == ("r", "e", "n", "b")
    assert ToolContext(agent, "id", 0, "own").request == "own"
    assert (ToolContext(None, "id", 0).runner, ToolContext(None, "id", 0).message_bus) == (None, None)


def test_metadata_is_looked_up_in_the_tool_then_in_the_agent() -> None:
    agent = SimpleNamespace(get_metadata=lambda key, default: {"a": "agent", "b": "agent"}.get(key, default))
    ctx = ToolContext(agent, "id", 0, metadata={"a": "tool", "none": None})
    assert [ctx.get_metadata(key, "default") for key in ("a", "b", "none", "missing")] == [
        "tool",
        "agent",
        None,
        "default",
    ]
    assert ToolContext(object(), "id", 0).get_metadata("x", 5) == 5


def test_the_helper_finds_the_first_context_outside_containers() -> None:
    one, two = ToolContext(), ToolCallContext()
    assert get_tool_context_from_func_args(1, one, c=two) is one
    assert get_tool_context_from_func_args([one], c=two) is two
    assert get_tool_context_from_func_args([one]) is None


SOURCE = """
@tool()
@set_metadata("kind", "x")
async def seen(c: ToolContext):
    c.state["n"] = c.state.get("n", 0) + 1
    return [c.tool_name, c.tool_use_id, c.turn, c.metadata, c.extras, c.state]

@tool()
async def kind(c: ToolContext):
    return type(c).__name__

@tool()
async def at(a, b, c: ToolContext, /, d=0):
    return [a, b, type(c).__name__, d]

@tool()
async def after_default(a=7, c: ToolContext = None, /):
    return [a, c.tool_name]
"""
TOOLS: dict[str, dict[str, Any]] = {
    "seen": {"is_async": True, "context": "c"},
    "kind": {"is_async": True, "context": "c"},
    "at": {"is_async": True, "context": 2, "arguments": {"a": "any", "b": "any", "d": "any"}, "positional": ("a", "b")},
    "after_default": {"is_async": True, "context": 1, "arguments": {"a": "any"}, "needed": [], "positional": ("a",)},
}


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


def test_a_call_fills_id_name_and_metadata_and_leaves_the_callers_object_alone(build: Build) -> None:
    given = ToolContext(None, "other", 4, extras={"e": 1})
    result = run(build.executor(), "seen", {}, given)
    assert result.content == '["seen", "t1", 4, {"kind": "x"}, {"e": 1}, {"n": 1}]'
    assert (given.tool_use_id, given.tool_name, given.metadata) == ("other", "", {})
    assert given.state == {"n": 1}  # the dict itself is shared, so that a caller can look into it


def test_without_a_context_each_call_has_its_own_state(build: Build) -> None:
    executor = build.executor()
    assert [json.loads(run(executor, "seen").content)[-1] for _ in range(2)] == [{"n": 1}, {"n": 1}]


def test_a_class_of_the_callers_own_reaches_the_tool(build: Build) -> None:
    class Mine(ToolContext): ...

    assert run(build.executor(), "kind", {}, Mine()).content == "Mine"
    assert build.run("kind").content == "ToolContext"
    for given in (ToolContext(), ToolCallContext()):
        assert run(build.executor(), "kind", {}, given).content == "ToolContext"


def test_a_context_of_another_library_is_taken_over(build: Build) -> None:
    foreign = SimpleNamespace(agent_context=None, tool_use_id="x", turn=2, metadata={"m": 1}, extras={"e": 1}, state={})
    expected = ["seen", "t1", 2, {"kind": "x", "m": 1}, {"e": 1}, {"n": 1}]
    assert json.loads(run(build.executor(), "seen", {}, foreign).content) == expected
    with pytest.raises(TypeError, match="is a ToolContext, not 5"):
        run(build.executor(), "seen", {}, 5)


def test_a_positional_only_context_stands_in_its_place(build: Build) -> None:
    assert build.run("at", {"a": 1, "b": 2, "d": 3}).content == '[1, 2, "ToolContext", 3]'
    assert build.run("after_default").content == '[7, "after_default"]'
    assert build.run("after_default", {"a": 1}).content == '[1, "after_default"]'
