"""Asking, deciding and running in one process."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from harness.hand_build import Build
from lauren_runtime import Approval, Approvals, ToolCall, ToolResult

SOURCE = """
RUNS = []

@tool(requires_confirmation=True)
async def pay(amount: int):
    RUNS.append(amount)
    return amount

@tool(requires_confirmation=True)
async def fail(amount: int):
    raise ValueError("x")
"""
PAY: dict[str, Any] = {"arguments": {"amount": "int"}, "is_async": True, "requires_confirmation": True}
TOOLS = {"pay": PAY, "fail": PAY}


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


def call(approvals: Approvals, build: Build, notify: Any = None, name: str = "pay", amount: int = 5) -> ToolResult:
    async def one() -> ToolResult:
        made = ToolCall("c1", name, {"amount": amount})
        return await approvals.execute(build.executor(), made, agent_run_id="r1", notify=notify)

    return asyncio.run(one())


def test_a_decision_from_inside_the_notification_counts(build: Build) -> None:
    approvals = Approvals(table=build.table)
    shown: list[Approval] = []

    async def notify(approval: Approval) -> None:
        shown.append(approval)
        assert await approvals.approve_tool(approval.agent_run_id, approval.tool_use_id, by="ann")

    result = call(approvals, build, notify)
    assert (result.content, result.is_error) == ("5", False)
    assert shown[0].arguments == {"amount": 5}


def test_a_decision_from_another_thread_counts_at_once(build: Build) -> None:
    approvals = Approvals(time_limit=None)

    def notify(approval: Approval) -> None:
        Thread(target=lambda: approvals.approve_tool(*approval.key)).start()

    assert call(approvals, build, notify).content == "5"


def test_the_reason_reaches_the_model(build: Build) -> None:
    approvals = Approvals()
    result = call(approvals, build, lambda each: approvals.reject_tool(*each.key, reason="Budget exceeded"))
    assert (result.content, result.status) == ("The user denied permission to run 'pay': Budget exceeded", "rejected")
    assert build.tools.RUNS == []


def test_time_is_limited(build: Build) -> None:
    result = call(Approvals(time_limit=0.05), build)
    assert result.status == "expired"
    assert "no decision within 0.05 seconds" in str(result.content)
