"""Asking, and what each kind of decision comes to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Thread
from typing import Any, cast

import pytest
from harness.approving import acall, call, until
from harness.hand_build import Build
from lauren_runtime import (
    Approval,
    ApprovalConflictError,
    Approvals,
    InMemoryApprovalStore,
    ToolPendingApprovalSignal,
    approve_tool,
    default_approvals,
    reject_tool,
)

from .conftest import Opener

KEY = ("r1", "c1")


def test_a_decision_from_inside_the_notification_counts(build: Build, opener: Opener) -> None:
    approvals = Approvals(opener())
    shown: list[Approval] = []

    async def notify(approval: Approval) -> None:
        shown.append(approval)
        assert await approvals.approve_tool(*approval.key, by="ann")

    result = call(approvals, build, notify)
    assert (result.content, result.is_error, build.tools.RUNS) == ("5", False, [5])
    assert (shown[0].arguments, shown[0].tool_digest) == ({"amount": 5}, "t-pay")


def in_a_thread(act: Callable[[], object]) -> None:
    Thread(target=act).start()


def in_a_loop_of_a_thread(act: Callable[[], object]) -> None:
    async def later() -> None:
        await asyncio.sleep(0)
        act()

    Thread(target=lambda: asyncio.run(later())).start()


@pytest.mark.parametrize("where", [in_a_thread, in_a_loop_of_a_thread])
def test_a_decision_from_elsewhere_counts_at_once(build: Build, opener: Opener, where: Any) -> None:
    approvals = Approvals(opener(), time_limit=None)
    approvals.store.poll = None  # the wait ends because it is told to, or not at all
    result = call(approvals, build, lambda each: where(lambda: approvals.approve_tool(*each.key)))
    assert result.content == "5"


def test_an_answer_is_a_bool_and_can_be_awaited(build: Build) -> None:
    approvals = Approvals()

    async def story() -> None:
        waiting = asyncio.ensure_future(acall(approvals, build))
        await until(approvals.store, KEY, "pending")
        answer = approvals.approve_tool(*KEY)
        assert answer
        assert await answer is answer
        assert not await approvals.reject_tool(agent_run_id="r1", tool_use_id="c1")
        assert (await waiting).content == "5"

    asyncio.run(story())


def test_the_reason_reaches_the_model(build: Build, opener: Opener) -> None:
    approvals = Approvals(opener())
    result = call(approvals, build, lambda each: approvals.reject_tool(*each.key, reason="Budget exceeded"))
    assert (result.content, result.status) == ("The user denied permission to run 'pay': Budget exceeded", "rejected")
    assert result.is_error
    assert build.tools.RUNS == []


def test_a_rejection_needs_no_reason(build: Build) -> None:
    approvals = Approvals()
    result = call(approvals, build, lambda each: approvals.reject_tool(*each.key))
    assert result.content == "The user denied permission to run 'pay'"


def test_time_is_limited_and_then_it_is_too_late(build: Build, opener: Opener) -> None:
    approvals = Approvals(opener(), time_limit=0.05)
    result = call(approvals, build)
    assert result.status == "expired"
    assert result.content == "Permission to run 'pay' was not given in time: no decision within 0.05 seconds"
    assert approvals.approve_tool(*KEY).outcome == "late"
    record = approvals.get(*KEY)
    assert record is not None
    assert record.decision is not None
    assert (record.state, record.decision.verdict, record.decision.by) == ("expired", "expired", None)


def test_a_limit_ends_without_anyone_waiting(build: Build) -> None:
    now = [100.0]
    store = InMemoryApprovalStore(clock=lambda: now[0])
    approvals = Approvals(store, time_limit=60, time_limits={"fail": None}, on_cancel="keep")

    async def story() -> None:
        waiting = [asyncio.ensure_future(acall(approvals, build, tool=each, call=each)) for each in ("pay", "fail")]
        for each in ("pay", "fail"):
            await until(store, ("r1", each), "pending")
        for task in waiting:
            task.cancel()
        await asyncio.wait(waiting)

    asyncio.run(story())
    now[0] += 60
    assert [each.tool_name for each in approvals.pending()] == ["fail"]
    assert approvals.approve_tool("r1", "pay").outcome == "late"
    assert approvals.approve_tool("r1", "fail").outcome == "taken"


def test_unknown_repeated_and_late_decisions(build: Build, opener: Opener) -> None:
    approvals = Approvals(opener())
    assert approvals.approve_tool(*KEY).outcome == "unknown"
    call(approvals, build, lambda each: approvals.approve_tool(*each.key, by="ann"))
    again = approvals.reject_tool(*KEY, by="bob")
    assert (bool(again), again.outcome) == (False, "repeated")
    assert again.approval is not None
    assert again.approval.decision is not None
    assert again.approval.decision.by == "ann"


@pytest.mark.parametrize(("verdict", "content"), [("approve", "5"), ("reject", "The user denied permission")])
def test_an_early_decision_waits_for_its_call(build: Build, opener: Opener, verdict: str, content: str) -> None:
    approvals = Approvals(opener())
    told: list[Approval] = []

    async def story() -> Any:
        await approvals.begin_run("r1")
        act = approvals.approve_tool if verdict == "approve" else approvals.reject_tool
        answer = act("r1", "c1", by="ann")
        assert (bool(answer), answer.outcome) == (True, "early")
        assert approvals.approve_tool(*KEY).outcome == "repeated"
        assert approvals.pending() == []
        return await acall(approvals, build, told.append)

    assert asyncio.run(story()).content.startswith(content)
    assert told == []
    record = approvals.get(*KEY)
    assert record is not None
    assert record.decision is not None
    assert (record.decision.by, record.decision.arguments) == ("ann", {"amount": 5})


def test_early_decisions_end_with_their_run(build: Build, opener: Opener) -> None:
    approvals = Approvals(opener(), time_limit=0.05)

    async def story() -> Any:
        await approvals.begin_run("r1")
        approvals.approve_tool(*KEY)
        await approvals.end_run("r1")
        assert approvals.approve_tool(*KEY).outcome == "unknown"
        await approvals.begin_run("r1")
        return await acall(approvals, build)

    assert asyncio.run(story()).status == "expired"


def test_a_call_not_yet_made_cannot_have_been_seen(build: Build) -> None:
    approvals = Approvals(table=build.table)
    asyncio.run(approvals.begin_run("r1"))
    assert approvals.approve_tool(*KEY, arguments_digest="0").outcome == "unknown"
    assert approvals.approve_tool(*KEY, arguments={"amount": 1}).outcome == "unknown"
    assert approvals.get(*KEY) is None


def test_what_waits_when_its_run_ends_is_withdrawn(build: Build, opener: Opener) -> None:
    approvals = Approvals(opener())

    async def story() -> Any:
        waiting = asyncio.ensure_future(acall(approvals, build))
        await until(approvals.store, KEY, "pending")
        await approvals.end_run("r1")
        return await waiting

    result = asyncio.run(story())
    assert (result.content, result.status) == ("The request to run 'pay' was withdrawn: the run ended", "withdrawn")
    assert approvals.approve_tool(*KEY).outcome == "late"


def test_a_cancelled_run_that_may_be_taken_up_again_is_not_over(build: Build, opener: Opener) -> None:
    approvals = Approvals(opener(), on_cancel="keep")

    async def story() -> None:
        await approvals.begin_run("r1")
        await cancelled_while_it_waits(approvals, build)
        approvals.approve_tool("r1", "c2")
        await approvals.end_run("r1", cancelled=True)

    asyncio.run(story())
    assert [each.state for each in approvals.store.records(agent_run_id="r1")] == ["pending", "early"]
    asyncio.run(approvals.end_run("r1"))
    assert approvals.store.records(agent_run_id="r1") == []


# --- Edited arguments ---


def test_edited_arguments_run_as_they_were_edited(build: Build, opener: Opener) -> None:
    approvals = Approvals(opener(), table=build.table)
    result = call(approvals, build, lambda each: approvals.approve_tool(*each.key, arguments='{"amount": "7"}'))
    assert (result.content, build.tools.RUNS) == ("7", [7])
    record = approvals.get(*KEY)
    assert record is not None
    assert record.decision is not None
    assert (record.arguments, record.decision.arguments, record.decision.edited) == ({"amount": 5}, {"amount": 7}, True)
    assert record.decision.arguments_digest != record.arguments_digest


@pytest.mark.parametrize("edited", [{"amount": "many"}, {"amount": 1, "other": 2}, "no JSON", "[1]", b"\xff", {}])
def test_an_edit_that_does_not_fit_is_refused_and_the_call_waits(build: Build, edited: Any) -> None:
    approvals = Approvals(table=build.table)

    def notify(approval: Approval) -> None:
        answer = approvals.approve_tool(*approval.key, arguments=edited)
        assert (bool(answer), answer.outcome, bool(answer.errors)) == (False, "invalid", True)
        assert [each.key for each in approvals.pending()] == [KEY]
        approvals.approve_tool(*approval.key)

    assert call(approvals, build, notify).content == "5"


def test_edits_are_judged_by_the_tool_that_was_asked_about(build: Build) -> None:
    approvals = Approvals(table=build.table.select("fail"))

    def notify(approval: Approval) -> None:
        [error] = approvals.approve_tool(*approval.key, arguments={"amount": 1}).errors
        assert error.message == "tool 'pay' is not the one that was asked about: it was built anew since"
        approvals.reject_tool(*approval.key)

    call(approvals, build, notify)


def test_edits_need_a_table(build: Build) -> None:
    approvals = Approvals()
    with pytest.raises(ValueError, match="table=TABLE"):
        approvals.approve_tool(*KEY, arguments={"amount": 1})


def test_an_approval_of_what_was_shown_is_of_nothing_else(build: Build) -> None:
    approvals = Approvals()

    def notify(approval: Approval) -> None:
        assert approvals.approve_tool(*approval.key, arguments_digest="another").outcome == "changed"
        assert approvals.approve_tool(*approval.key, arguments_digest=approval.arguments_digest).outcome == "taken"

    assert call(approvals, build, notify).content == "5"


# --- Asked again ---


def test_a_cancelled_run_withdraws_what_only_this_process_knows(build: Build) -> None:
    approvals = Approvals()
    asyncio.run(cancelled_while_it_waits(approvals, build))
    record = approvals.get(*KEY)
    assert record is not None
    assert (record.state, record.history[-1].note) == ("withdrawn", "the run was cancelled")
    assert call(approvals, build, lambda each: approvals.approve_tool(*each.key), amount=6).content == "6"


def test_a_cancelled_run_that_may_be_taken_up_again_keeps_its_question(build: Build, opener: Opener) -> None:
    approvals = Approvals(opener(), on_cancel="keep")
    asyncio.run(cancelled_while_it_waits(approvals, build))
    assert approvals.approve_tool(*KEY, by="ann")
    assert call(Approvals(opener()), build).content == "5"


async def cancelled_while_it_waits(approvals: Approvals, build: Build) -> None:
    waiting = asyncio.ensure_future(acall(approvals, build))
    await until(approvals.store, KEY, "pending")
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


def test_the_same_call_with_other_arguments_is_not_the_same(build: Build, opener: Opener) -> None:
    approvals = Approvals(opener())
    call(approvals, build, lambda each: approvals.approve_tool(*each.key))
    result = call(approvals, build, amount=6)
    assert result.is_error
    assert "was asked about before, with other arguments or of another build of tool 'pay'" in str(result.content)
    assert build.tools.RUNS == [5]


def test_the_same_call_of_another_build_is_not_the_same(build: Build) -> None:
    approvals = Approvals()

    async def ask(digest: str) -> None:
        signal = ToolPendingApprovalSignal("pay", "c1", {"amount": 5}, digest)
        await approvals.request(signal, agent_run_id="r1", notify=lambda each: approvals.reject_tool(*each.key))

    asyncio.run(ask("old"))
    with pytest.raises(ApprovalConflictError, match="a new call is needed"):
        asyncio.run(ask("new"))


def test_a_finished_call_gives_its_result_again(build: Build, opener: Opener) -> None:
    approvals = Approvals(opener())
    first = call(approvals, build, lambda each: approvals.approve_tool(*each.key))
    assert call(Approvals(opener()), build) == first
    assert build.tools.RUNS == [5]


def test_a_notification_that_fails_withdraws_the_call(build: Build, opener: Opener) -> None:
    def notify(approval: Approval) -> None:
        raise ConnectionError("no mail today")

    approvals = Approvals(opener())
    with pytest.raises(ConnectionError):
        call(approvals, build, notify)
    record = approvals.get(*KEY)
    assert record is not None
    assert (record.state, record.history[-1].note) == ("withdrawn", "nobody could be asked")


def test_a_tool_that_needs_no_approval_asks_nobody(build: Build) -> None:
    approvals = Approvals()
    assert call(approvals, build, tool="free").content == "5"
    assert approvals.get(*KEY) is None


# --- Options, and the process's own ---


@pytest.mark.parametrize("options", [{"time_limit": 0}, {"lease": -1.0}, {"time_limits": {"pay": 0.0}}])
def test_limits_are_above_zero(options: Any) -> None:
    with pytest.raises(ValueError, match="more than zero"):
        Approvals(**options)


def test_options_that_cannot_work(build: Build) -> None:
    with pytest.raises(ValueError, match="'withdraw', 'keep' or None"):
        Approvals(on_cancel=cast(Any, "drop"))
    with pytest.raises(TypeError, match="a store of approvals has `durable`"):
        Approvals(cast(Any, build.table))


def test_the_process_has_approvals_of_its_own(build: Build) -> None:
    own = default_approvals()
    assert own is default_approvals()
    result = call(own, build, lambda each: approve_tool(agent_run_id="d1", tool_use_id="c1", by="ann"), run="d1")
    assert result.content == "5"
    assert not reject_tool("d1", "c1")
    other = Approvals()
    assert reject_tool("d1", "c1", approvals=other).outcome == "unknown"


def test_memory_keeps_a_bounded_number_of_closed_calls(build: Build) -> None:
    approvals = Approvals(InMemoryApprovalStore(max_closed=3))
    for number in range(10):
        call(approvals, build, lambda each: approvals.reject_tool(*each.key), call=f"c{number}")
    assert [each.tool_use_id for each in approvals.store.records(closed=True)] == ["c7", "c8", "c9"]
    assert approvals.store.records() == []
    with pytest.raises(ValueError, match="max_closed"):
        InMemoryApprovalStore(max_closed=-1)


def test_what_nobody_has_seen_end_is_not_forgotten(build: Build) -> None:
    approvals = Approvals(InMemoryApprovalStore(max_closed=0))
    assert call(approvals, build, lambda each: approvals.reject_tool(*each.key)).status == "rejected"
