"""A thousand runs at once, approved, rejected, timed out and cancelled: nothing lost, mixed, or left behind."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from typing import Any

import pytest
from lauren_runtime import (
    AgentConfig,
    AgentRunner,
    Approvals,
    InMemoryConversationStore,
    Message,
    ModelReply,
    ModelRequest,
    ToolCall,
)
from lauren_runtime.agents.integrity import whole
from lauren_runtime.agents.signals import Signal, ToolPendingApproval
from lauren_runtime.testing import reply

from .conftest import App

pytestmark = pytest.mark.one_python

RUNS = 1000


class Model:
    """In each run it asks for a payment of the run's own number, adds to it and keeps count; then it has done."""

    target = "anthropic"

    async def complete(self, request: ModelRequest) -> ModelReply:
        await asyncio.sleep(0)
        number = int(request.messages[0].text)
        turn = sum(each.role == "assistant" for each in request.messages)
        if turn == 0:
            pay = ToolCall(f"p{number}", "pay", {"amount": number})
            return reply("", pay, ToolCall(f"a{number}", "add", {"a": number, "b": 0}))
        if turn == 1:
            return reply("", ToolCall(f"c{number}", "count", {}), ToolCall(f"f{number}", "fail", {}))
        return reply(f"done {number}")


def test_a_thousand_runs_at_once(app: App) -> None:
    chosen = random.Random(7)
    fates = [chosen.choice(["approve", "approve", "reject", "expire", "cancel"]) for _ in range(RUNS)]
    store = InMemoryConversationStore()
    approvals = Approvals(time_limit=3.0)
    runner = AgentRunner(
        app.table,
        model_client=Model(),
        approvals=approvals,
        conversation_store=store,
        config=AgentConfig(parallel_tool_calls=True),
    )
    waiting: dict[str, asyncio.Event] = {}

    async def decide(signal: Signal) -> None:
        if isinstance(signal, ToolPendingApproval):
            fate = fates[int(signal.agent_run_id)]
            if fate in ("approve", "reject"):
                answer = approvals.approve_tool if fate == "approve" else approvals.reject_tool
                assert await answer(signal.agent_run_id, signal.tool_use_id)
            waiting[signal.agent_run_id].set()

    async def one(number: int) -> Any:
        name = str(number)
        waiting[name] = asyncio.Event()
        options = {"run_id": name, "conversation_id": name, "event_sinks": [decide]}
        run = asyncio.ensure_future(runner.run(app.Everything, name, **options))
        if fates[number] == "cancel":
            await waiting[name].wait()
            run.cancel()
        return (await asyncio.gather(run, return_exceptions=True))[0]

    async def go() -> list[Any]:
        found = await asyncio.gather(*(one(number) for number in range(RUNS)))
        assert len(asyncio.all_tasks()) == 1
        return found

    for number, found in enumerate(asyncio.run(go())):
        messages = [Message.from_json(each) for each in store.load(str(number))]
        assert whole(messages) == messages
        results = {b["tool_use_id"]: b for m in messages for b in m.content if b["type"] == "tool_result"}
        assert (results[f"p{number}"]["content"] == f"paid {number}") is (fates[number] == "approve")
        if fates[number] == "cancel":
            assert isinstance(found, asyncio.CancelledError)
            continue
        assert found.content == f"done {number}"
        assert (results[f"a{number}"]["content"], results[f"c{number}"]["content"]) == (str(number), "1")
    paid = Counter(each for each in app.RAN if each[0] == "pay")
    assert paid == {("pay", number): 1 for number, fate in enumerate(fates) if fate == "approve"}
    assert runner._running == set()
    assert runner._executor._settings.runs._kept == {}
    assert approvals.pending() == approvals.interrupted() == []
