"""Calls that a human has to allow, within a run."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest
from lauren_runtime import AgentConfig, AgentRunner, Approvals, ToolCall, ToolExecutionError
from lauren_runtime.agents.signals import Signal, ToolApprovalResolved, ToolCallComplete, ToolPendingApproval
from lauren_runtime.testing import AgentClient, ScriptedModel

from .conftest import App

PAY = ToolCall("t1", "pay", {"amount": 5})


def test_what_is_allowed_from_within_the_notification_runs_once(app: App) -> None:
    client = AgentClient(app.table, PAY, "done")
    client.run(app.Everything, "go", approve=True)
    assert client.told(0) == "paid 5"
    assert app.RAN == [("pay", 5)]
    pending, resolved, complete = client.signals_of(ToolPendingApproval, ToolApprovalResolved, ToolCallComplete)
    assert isinstance(pending, ToolPendingApproval)
    assert pending.input == {"amount": 5}
    assert isinstance(resolved, ToolApprovalResolved)
    assert (resolved.approved, resolved.reason) == (True, "")
    assert isinstance(complete, ToolCallComplete)
    assert complete.success


def test_edited_arguments_run_in_place_of_the_models(app: App) -> None:
    client = AgentClient(app.table, PAY, "done")
    client.run(app.Everything, "go", approve=lambda signal: {"amount": signal.tool_input["amount"] + 1})
    assert client.told(0) == "paid 6"


def test_the_reason_of_a_rejection_reaches_the_model_and_the_sinks(app: App) -> None:
    client = AgentClient(app.table, PAY, "done")

    def reject(signal: Signal) -> None:
        if isinstance(signal, ToolPendingApproval):
            assert client.runner.reject_tool(signal.agent_run_id, "t1", reason="Budget exceeded")
            assert not client.runner.approve_tool(signal.agent_run_id, "t1")

    client.run(app.Everything, "go", event_sinks=[reject])
    assert "Budget exceeded" in client.told(0)
    assert client.model.results[0]["is_error"] is True
    assert app.RAN == []
    resolved = client.signals_of(ToolApprovalResolved)[0]
    assert isinstance(resolved, ToolApprovalResolved)
    assert (resolved.approved, resolved.reason) == (False, "Budget exceeded")


def test_a_decision_from_another_thread_is_noticed_at_once(app: App) -> None:
    client = AgentClient(app.table, PAY, "done", approvals=Approvals(time_limit=None))
    with ThreadPoolExecutor(1) as threads:
        taken: list[Future[Any]] = []

        def watch(signal: Signal) -> None:
            if isinstance(signal, ToolPendingApproval):
                taken.append(threads.submit(client.runner.approve_tool, signal.agent_run_id, "t1"))

        client.run(app.Everything, "go", event_sinks=[watch])
        assert [bool(each.result()) for each in taken] == [True]
    assert client.told(0) == "paid 5"


def test_an_early_decision_for_a_known_run_counts(app: App) -> None:
    client = AgentClient(app.table, ToolCall("s", "slow", {"name": "x"}), PAY, "done")

    async def go() -> None:
        run = asyncio.ensure_future(client.arun(app.Everything, "go", run_id="R"))
        while not app.RAN:
            await asyncio.sleep(0)
        assert await client.runner.approve_tool(agent_run_id="R", tool_use_id="t1")
        await run

    asyncio.run(go())
    assert client.told(0) == "paid 5"
    assert client.signals_of(ToolPendingApproval) == []


def test_nobody_decides_in_time(app: App) -> None:
    client = AgentClient(app.table, PAY, "done", approvals=Approvals(time_limit=0.01))
    client.run(app.Everything, "go")
    assert "not given in time" in client.told(0)
    assert app.RAN == []


@pytest.mark.parametrize("policy", ["return_error", "raise"])
def test_an_allowed_call_that_fails_is_a_failure_like_any(app: App, policy: Any) -> None:
    call = ToolCall("t1", "pay", {"amount": 1, "fails": True})
    client = AgentClient(app.table, call, "done", config=AgentConfig(tool_error_policy=policy))
    if policy == "raise":
        with pytest.raises(ToolExecutionError, match="no money"):
            client.run(app.Everything, "go", approve=True)
        return
    client.run(app.Everything, "go", approve=True)
    complete = client.signals_of(ToolCallComplete)[0]
    assert isinstance(complete, ToolCallComplete)
    assert (complete.success, complete.error) == (False, "Tool 'pay' failed with ValueError. It gave no result.")


def test_calls_of_one_reply_wait_one_after_the_other_or_all_at_once(app: App) -> None:
    for parallel, most in ((False, 1), (True, 2)):
        waiting = [0, 0]
        approvals = Approvals()
        config = AgentConfig(parallel_tool_calls=parallel)
        calls = [PAY, ToolCall("t2", "pay", {"amount": 2})]
        client = AgentClient(app.table, calls, "done", config=config, approvals=approvals)

        async def go(client: AgentClient = client, approvals: Approvals = approvals, seen: list[int] = waiting) -> None:
            run = asyncio.ensure_future(client.arun(app.Everything, "go"))
            while not run.done():
                await asyncio.sleep(0.01)
                pending = approvals.pending()
                seen[0] = max(seen[0], len(pending))
                for each in pending:
                    approvals.approve_tool(*each.key)
            await run

        asyncio.run(go())
        assert waiting[0] == most
        assert [each["content"] for each in client.model.results] == ["paid 5", "paid 2"]


def test_a_cancelled_run_leaves_a_whole_conversation_and_nothing_that_waits(app: App) -> None:
    approvals = Approvals()
    client = AgentClient(app.table, PAY, "later", approvals=approvals)

    async def go() -> None:
        run = asyncio.ensure_future(client.arun(app.Everything, "go", conversation_id="c", run_id="R"))
        while not approvals.pending():
            await asyncio.sleep(0)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run
        assert approvals.pending() == []
        assert not await client.runner.approve_tool("R", "t1")
        await client.arun(app.Everything, "on", conversation_id="c")

    asyncio.run(go())
    assert app.RAN == []
    (result,) = (b for m in client.model.requests[-1].messages for b in m.content if b["type"] == "tool_result")
    assert (result["tool_use_id"], result["is_error"]) == ("t1", True)


def test_runners_that_were_given_none_share_the_processs_approvals(app: App) -> None:
    runner = AgentRunner(app.table, model_client=ScriptedModel(PAY, "done"))

    async def approve(signal: Signal) -> None:
        if isinstance(signal, ToolPendingApproval):
            from lauren_runtime import approve_tool

            assert await approve_tool(signal.agent_run_id, signal.tool_use_id)

    asyncio.run(runner.run(app.Everything, "go", event_sinks=[approve]))
    assert app.RAN == [("pay", 5)]
