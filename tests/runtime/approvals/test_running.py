"""Running what was approved: once, by one runner, with what was approved."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from harness.approving import acall, call, until
from harness.hand_build import Build
from lauren_runtime import (
    AfterToolHookDecision,
    Approval,
    ApprovalLostError,
    Approvals,
    ApprovalStore,
    InMemoryApprovalStore,
    SQLiteApprovalStore,
    ToolCall,
    ToolCallContext,
    ToolExecutionError,
    ToolHook,
    ToolResult,
)

from .conftest import Opener

KEY = ("r1", "c1")
CALL = ToolCall("c1", "pay", {"amount": 5})


def approved(build: Build, store: ApprovalStore, **options: Any) -> Approval:
    """The record of a call that ran, which shows what it was allowed."""
    approvals = Approvals(store, table=build.table)
    call(approvals, build, lambda each: approvals.approve_tool(*each.key, by="ann", **options))
    record = approvals.get(*KEY)
    assert record is not None
    return record


async def started(build: Build) -> None:
    """Wait until the tool runs."""
    async with asyncio.timeout(30):
        while not build.tools.RUNS:
            await asyncio.sleep(0.005)


async def lingering(approvals: Approvals, build: Build) -> ToolResult:
    """A call that is approved at once, and runs until it is stopped."""
    return await acall(approvals, build, lambda each: approvals.approve_tool(*each.key), tool="linger")


# --- The executor and the record ---


def test_the_record_stands_for_what_it_allows(build: Build) -> None:
    record = approved(build, InMemoryApprovalStore(), arguments={"amount": 7})
    result = asyncio.run(build.executor().execute_approved(CALL, approval=record))
    assert result.content == "7"


def test_hooks_see_who_approved(build: Build) -> None:
    seen: list[Approval | None] = []

    class Audit(ToolHook):
        def after_tool_call(self, result: Any, ctx: ToolCallContext) -> AfterToolHookDecision:
            seen.append(ctx.approval)
            return AfterToolHookDecision.proceed()

    approvals = Approvals()
    call(approvals, build, lambda each: approvals.approve_tool(*each.key, by="ann"), global_hooks=[Audit()])
    call(approvals, build, tool="free", call="c2", global_hooks=[Audit()])
    assert [None if each is None or each.decision is None else each.decision.by for each in seen] == ["ann", None]


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"tool_name": "fail"}, "call 'c1' of 'fail' was approved, not this"),
        ({"tool_use_id": "c2"}, "call 'c2' of 'pay' was approved, not this"),
        ({"decision": None}, "call 'c1' was not approved"),
        ({"decision": {"verdict": "rejected"}}, "call 'c1' was not approved"),
        ({"decision": {"tool_digest": "old"}}, "the tool was built anew since it was approved: a new call is needed"),
        ({"decision": {"arguments_json": '{"amount": 6}'}}, "the arguments in the record are not those that were"),
    ],
)
def test_a_record_of_anything_else_runs_nothing(build: Build, wrong: dict[str, Any], told: str) -> None:
    record = approved(build, InMemoryApprovalStore())
    build.tools.RUNS.clear()
    decision = wrong.get("decision")
    if decision is not None and record.decision is not None:
        wrong = {"decision": replace(record.decision, **decision)}
    result = asyncio.run(build.executor().execute_approved(CALL, approval=replace(record, **wrong)))
    assert isinstance(result.exception, ToolExecutionError)
    assert told in str(result.content)
    assert build.tools.RUNS == []


# --- Failures of the tool ---


def test_an_approved_tool_that_fails_fails_like_any_other(build: Build, opener: Opener) -> None:
    approvals = Approvals(opener())
    result = call(approvals, build, lambda each: approvals.approve_tool(*each.key), tool="fail")
    assert (result.status, result.content) == ("error", "Tool 'fail' failed with ValueError. It gave no result.")
    again = call(approvals, build, tool="fail")
    assert (again.is_error, again.content, again.status) == (True, result.content, "error")


def test_the_error_policy_holds_for_approved_calls(build: Build) -> None:
    approvals = Approvals()

    def run(number: int, policy: str) -> Any:
        name = f"c{number}"
        return call(approvals, build, lambda e: approvals.approve_tool(*e.key), tool="fail", call=name, on_error=policy)

    with pytest.raises(ToolExecutionError):
        run(1, "raise")
    assert run(2, "skip").status == "skipped"
    record = approvals.get("r1", "c1")
    assert record is not None
    assert (record.state, record.result_json, record.history[-1].note) == ("finished", None, "ToolExecutionError")
    again = call(approvals, build, tool="fail")
    assert again.content == "Tool 'fail' has run for this call before; what it gave was not kept."


# --- Claims ---


def test_of_many_runners_one_runs(build: Build, opener: Opener) -> None:
    desks = [Approvals(opener(), time_limit=None) for _ in range(4)]

    async def story() -> list[Any]:
        waiting = [asyncio.ensure_future(acall(each, build)) for each in desks]
        await until(desks[0].store, KEY, "pending")
        desks[0].approve_tool(*KEY)
        return await asyncio.gather(*waiting)

    assert [each.content for each in asyncio.run(story())] == ["5"] * 4
    assert build.tools.RUNS == [5]


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_a_claim_is_renewed_as_long_as_the_tool_runs(build: Build, kind: str, tmp_path: Path) -> None:
    now = [1000.0]
    file = SQLiteApprovalStore(tmp_path / "approvals.db", clock=lambda: now[0])
    store = file if kind == "sqlite" else InMemoryApprovalStore(clock=lambda: now[0])
    first, second = (Approvals(store, lease=0.3) for _ in range(2))

    async def story() -> None:
        running = asyncio.ensure_future(lingering(first, build))
        await started(build)
        waiting = asyncio.ensure_future(acall(second, build, tool="linger"))
        for _ in range(8):  # four leases, by the store's clock, which stands still until the runner was heard of
            now[0] += 0.15
            await renewed(store, now[0] + 0.3)
        assert not waiting.done()
        running.cancel()
        assert (await waiting).content == "Tool 'linger' has run for this call before; what it gave was not kept."
        await asyncio.wait([running])

    asyncio.run(story())
    assert build.tools.RUNS == [5]
    file.close()


async def renewed(store: ApprovalStore, until: float) -> None:
    """Wait until the call's claim goes that far."""
    async with asyncio.timeout(30):
        while True:
            record = store.get(KEY)
            assert record is not None
            assert record.claim is not None
            if record.claim.until >= until:
                return
            await asyncio.sleep(0.005)


def test_a_runner_whose_call_was_released_stops(build: Build) -> None:
    now = [1000.0]
    store = InMemoryApprovalStore(clock=lambda: now[0])
    approvals = Approvals(store, lease=0.3)

    async def story() -> None:
        running = asyncio.ensure_future(
            acall(approvals, build, lambda e: approvals.approve_tool(*e.key), tool="linger")
        )
        await started(build)
        now[0] += 1  # nobody heard of the runner for longer than its lease
        assert [each.key for each in approvals.interrupted()] == [KEY]
        assert approvals.release(*KEY, by="ops", reason="the host is gone")
        result = await running
        assert result.content == "Tool 'linger' failed: call 'c1' was released while it ran"

    asyncio.run(story())
    record = approvals.get(*KEY)
    assert record is not None
    assert record.state == "approved"
    assert issubclass(ApprovalLostError, Exception)


def test_a_late_heartbeat_takes_an_interrupted_call_back(build: Build) -> None:
    now = [1000.0]
    store = InMemoryApprovalStore(clock=lambda: now[0])
    approvals = Approvals(store, lease=0.3)

    async def story() -> None:
        running = asyncio.ensure_future(
            acall(approvals, build, lambda e: approvals.approve_tool(*e.key), tool="linger")
        )
        await started(build)
        now[0] += 1
        async with asyncio.timeout(30):
            while approvals.interrupted():
                await asyncio.sleep(0.01)
        running.cancel()
        await asyncio.wait([running])

    asyncio.run(story())
    record = approvals.get(*KEY)
    assert record is not None
    assert [each.what for each in record.history] == [
        *("asked", "approved", "claimed", "interrupted", "resumed", "finished"),
    ]


def test_an_interrupted_call_can_be_abandoned(build: Build) -> None:
    now = [1000.0]
    store = InMemoryApprovalStore(clock=lambda: now[0])
    approvals = Approvals(store, lease=3600)
    assert approvals.release(*KEY).outcome == "unknown"

    async def story() -> None:
        running = asyncio.ensure_future(
            acall(approvals, build, lambda e: approvals.approve_tool(*e.key), tool="linger")
        )
        await started(build)
        assert approvals.release(*KEY).outcome == "repeated"
        now[0] += 3600
        assert approvals.abandon(*KEY, by="ops")
        running.cancel()
        await asyncio.wait([running])

    asyncio.run(story())
    assert approvals.abandon(*KEY).outcome == "late"
    record = approvals.get(*KEY)
    assert record is not None
    assert (record.state, record.history[-1].what, record.history[-1].by) == ("finished", "abandoned", "ops")


@pytest.mark.parametrize("on_cancel", ["keep", "withdraw"])
def test_cancelled_while_it_runs(build: Build, opener: Opener, on_cancel: Any) -> None:
    approvals = Approvals(opener(), on_cancel=on_cancel)

    async def story() -> None:
        running = asyncio.ensure_future(
            acall(approvals, build, lambda e: approvals.approve_tool(*e.key), tool="linger")
        )
        await started(build)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(story())
    record = approvals.get(*KEY)
    assert record is not None
    assert (record.state, record.history[-1].note) == ("finished", "CancelledError")


@pytest.mark.parametrize(("on_cancel", "state"), [("keep", "approved"), ("withdraw", "withdrawn")])
def test_cancelled_while_it_claims_gives_the_call_back(build: Build, on_cancel: Any, state: str) -> None:
    class Slow(InMemoryApprovalStore):
        durable = True

        def swap(self, key: Any, old: Approval | None, new: Approval | None) -> bool:
            if new is not None and new.state == "running" and (old is None or old.state != "running"):
                asyncio.run_coroutine_threadsafe(cancelled(), loop).result(30)
            return super().swap(key, old, new)

    approvals = Approvals(Slow(), on_cancel=on_cancel)

    async def cancelled() -> None:
        running.cancel()

    async def story() -> None:
        nonlocal loop, running
        loop = asyncio.get_running_loop()
        running = asyncio.ensure_future(acall(approvals, build, lambda e: approvals.approve_tool(*e.key)))
        with pytest.raises(asyncio.CancelledError):
            await running

    loop: Any = None
    running: Any = None
    asyncio.run(story())
    record = approvals.get(*KEY)
    assert record is not None
    assert (record.state, build.tools.RUNS) == (state, [])
    assert [each.what for each in record.history][:4] == ["asked", "approved", "claimed", "returned"]
