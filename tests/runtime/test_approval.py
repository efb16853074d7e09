"""Approval: who is asked, of what, and the call that follows."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from harness.hand_build import Build, run
from lauren_runtime import (
    BeforeToolHookDecision,
    InMemoryCacheBackend,
    ToolCall,
    ToolCallContext,
    ToolExecutor,
    ToolHook,
    ToolInputError,
    ToolPendingApprovalSignal,
    ToolResult,
)

SOURCE = """
LOG = []

@tool(requires_confirmation=True, cache_ttl=60, pre_hook=lambda call, ctx: LOG.append(("pre", call.input)))
async def pay(amount: int, to="bank"):
    LOG.append("run")
    return amount

def large(ctx):
    if ctx.tool_input["amount"] == 13:
        raise ValueError("no opinion")
    return ctx.tool_input["amount"] > 10

async def alarge(ctx):
    await asyncio.sleep(0)
    return large(ctx)

@tool(confirmation_policy=large)
async def lend(amount: int):
    return amount

@tool(confirmation_policy=alarge, confirmation_policy_error_default=False)
async def give(amount: int):
    return amount
"""
AMOUNT: dict[str, Any] = {"arguments": {"amount": "int"}, "is_async": True}
TOOLS = {
    "pay": {**AMOUNT, "requires_confirmation": True, "cache_ttl": 60},
    "lend": AMOUNT,
    "give": AMOUNT,
}


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


def asked(executor: ToolExecutor, name: str, arguments: Any) -> ToolPendingApprovalSignal:
    with pytest.raises(ToolPendingApprovalSignal) as caught:
        run(executor, name, arguments)
    return caught.value


def approve(executor: ToolExecutor, name: str, arguments: Any, approved: Any = None) -> ToolResult:
    return asyncio.run(executor.execute_approved(ToolCall("t1", name, arguments), None, approved))


def test_the_signal_holds_the_final_arguments_and_nothing_has_run(build: Build) -> None:
    given = {"amount": "5"}
    signal = asked(build.executor(), "pay", given)
    assert (signal.tool_name, signal.tool_use_id, signal.tool_input) == ("pay", "t1", {"amount": 5})
    signal.tool_input["amount"] = 6
    assert given == {"amount": "5"}
    assert build.tools.LOG == []
    assert str(signal) == "Tool 'pay' needs approval (call 't1')"


@pytest.mark.parametrize("policy", ["return", "raise", "skip"])
def test_it_is_raised_whatever_the_error_policy(build: Build, policy: Any) -> None:
    assert asked(build.executor(on_error=policy), "pay", {"amount": 1}).tool_input == {"amount": 1}


def test_invalid_arguments_ask_nobody(build: Build) -> None:
    assert isinstance(build.run("pay", {"amount": "x"}).exception, ToolInputError)


def test_an_approved_call_runs_with_what_was_approved_and_pre_hook_once(build: Build) -> None:
    executor = build.executor()
    signal = asked(executor, "pay", {"amount": 5})
    assert approve(executor, "pay", {"amount": 5}, {**signal.tool_input, "amount": "7"}).content == "7"
    assert build.tools.LOG == [("pre", {"amount": 7}), "run"]


def test_an_edited_input_is_validated(build: Build) -> None:
    result = approve(build.executor(), "pay", {"amount": 5}, {"amount": "many"})
    assert isinstance(result.exception, ToolInputError)
    assert build.tools.LOG == []


@pytest.mark.parametrize("approved", [[1], 5, (), "[]", "no JSON", b"\xff"])
def test_an_approved_input_that_is_no_object(build: Build, approved: Any) -> None:
    result = approve(build.executor(), "pay", {"amount": 5}, approved)
    assert isinstance(result.exception, ToolInputError)
    assert build.tools.LOG == []


class Double(ToolHook):
    def before_tool_call(self, ctx: ToolCallContext) -> BeforeToolHookDecision:
        return BeforeToolHookDecision.modify({"amount": ctx.tool_input["amount"] * 2})


def test_before_hooks_run_before_the_human_is_asked_and_not_again(build: Build) -> None:
    executor = build.executor(global_hooks=[Double()])
    signal = asked(executor, "pay", {"amount": 5})
    assert signal.tool_input == {"amount": 10}
    assert approve(executor, "pay", {"amount": 5}, signal.tool_input).content == "10"
    assert approve(executor, "pay", {"amount": 5}).content == "10"  # left out: they run again on the call's own input


@pytest.mark.parametrize("name", ["lend", "give"])
def test_a_policy_decides_on_the_arguments(build: Build, name: str) -> None:
    assert build.run(name, {"amount": 10}).content == "10"
    assert asked(build.executor(), name, {"amount": 11}).tool_input == {"amount": 11}


def test_a_policy_that_fails_asks_unless_told_otherwise(build: Build, caplog: pytest.LogCaptureFixture) -> None:
    assert asked(build.executor(), "lend", {"amount": 13}).tool_name == "lend"
    assert build.run("give", {"amount": 13}).content == "13"
    assert "confirmation_policy of tool 'give' failed" in caplog.text


def test_a_cached_result_does_not_replace_approval(build: Build) -> None:
    executor = build.executor(cache_backend=InMemoryCacheBackend())
    assert approve(executor, "pay", {"amount": 1}, {"amount": 1}).content == "1"
    asked(executor, "pay", {"amount": 1})
    assert approve(executor, "pay", {"amount": 1}, {"amount": 1}).cached
    assert build.tools.LOG.count("run") == 1
