"""A thousand runs at once whose approvals are in a store that fails now and then."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any, cast

import pytest
from harness.approving import Failing
from lauren_runtime import (
    AgentRunner,
    Approvals,
    ApprovalStore,
    InMemoryApprovalStore,
    ModelReply,
    ModelRequest,
    ToolCall,
)
from lauren_runtime.agents.signals import Signal, ToolPendingApproval
from lauren_runtime.testing import reply

from .conftest import App

pytestmark = pytest.mark.one_python

RUNS = 1000
ENDS = {"approve": "paid", "reject": "The user denied permission", "leave": "Permission to run 'pay' was not given"}


class Model:
    """Asks for a payment of the run's own number, and says what came of it."""

    target = "anthropic"

    async def complete(self, request: ModelRequest) -> ModelReply:
        results = [block for block in request.messages[-1].content if block["type"] == "tool_result"]
        if results:
            assert len(results) == 1
            return reply(str(results[0]["content"]))
        number = int(request.messages[0].text)
        return reply("", ToolCall(f"p{number}", "pay", {"amount": number}))


@pytest.mark.parametrize("too_late", [False, True], ids=["before it acts", "after it acted"])
def test_each_call_has_one_result_and_runs_once_at_most(app: App, too_late: bool) -> None:
    chance = random.Random(3)
    fates = [chance.choice(["approve", "approve", "reject", "leave", "cancel"]) for _ in range(RUNS)]
    store = InMemoryApprovalStore()
    fails = cast(ApprovalStore, Failing(store, lambda _: chance.random() < 0.03, too_late=too_late))
    approvals = Approvals(fails, time_limit=5.0)
    runner = AgentRunner(app.table, model_client=Model(), approvals=approvals)
    runs: dict[str, asyncio.Task[Any]] = {}

    async def decide(signal: Signal) -> None:
        if not isinstance(signal, ToolPendingApproval):
            return
        fate = fates[int(signal.agent_run_id)]
        if fate == "cancel":
            runs[signal.agent_run_id].cancel()
        elif fate != "leave":
            people = Approvals(store)  # theirs is another way to the same records, which works
            act = people.approve_tool if fate == "approve" else people.reject_tool
            assert act(signal.agent_run_id, signal.tool_use_id)

    async def go() -> list[Any]:
        for number in range(RUNS):
            run = runner.run(app.Everything, str(number), run_id=str(number), event_sinks=[decide])
            runs[str(number)] = asyncio.ensure_future(run)
        found = await asyncio.gather(*runs.values(), return_exceptions=True)
        assert len(asyncio.all_tasks()) == 1
        return found

    for fate, found in zip(fates, asyncio.run(go()), strict=True):
        if fate == "cancel":
            assert isinstance(found, asyncio.CancelledError)
        else:
            assert found.content.startswith(ENDS[fate])
    paid = Counter(number for name, number in app.RAN if name == "pay")
    assert paid == {number: 1 for number, fate in enumerate(fates) if fate == "approve"}
    assert store.records() == []
