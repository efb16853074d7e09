"""Signals, the agent's own hooks, streams, and what a retry is spared."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from typing import Any

import pytest
from lauren_runtime import AgentConfig, AgentRunner, IdempotencyLedger, ToolCall, ToolResult, agent, use_tools
from lauren_runtime.agents.context import AgentContext, AgentResponse
from lauren_runtime.agents.model_client import ModelError, ModelReply, ModelRequest
from lauren_runtime.agents.signals import AgentRunComplete, Signal, ToolCallComplete, ToolExchangeResultRecorded
from lauren_runtime.agents.stream import RunChunk, RunStream
from lauren_runtime.testing import AgentClient, ScriptedModel, asks, disconnected, reply

from .conftest import App


def names(signals: list[Signal]) -> list[str]:
    return [type(each).__name__ for each in signals]


def test_the_order_of_signals(app: App) -> None:
    client = AgentClient(app.table, [asks("pay", amount=1), asks("fail")], "done")
    client.run(app.Everything, "go", approve=True, run_id="R")
    assert names(client.signals) == [
        *("ModelCallStarted", "ModelCallComplete", "AgentTurnComplete", "ToolExchangeStarted"),
        *("ToolCallStarted", "ToolPendingApproval", "ToolApprovalResolved", "ToolCallComplete"),
        *("ToolCallStarted", "ToolCallComplete"),
        *("ToolExchangeResultRecorded", "ToolExchangeResultRecorded", "ToolExchangeCommitted"),
        *("ModelCallStarted", "ModelCallComplete", "AgentTurnComplete", "AgentRunComplete"),
    ]
    assert {each.agent_run_id for each in client.signals} == {"R"}
    complete = client.signals_of(ToolCallComplete)
    assert [(each.success, each.status) for each in complete if isinstance(each, ToolCallComplete)] == [
        (True, "executed"),
        (False, "error"),
    ]
    last = client.signals[-1]
    assert isinstance(last, AgentRunComplete)
    assert (last.turns, last.stop_reason, last.total_cost_usd) == (2, "end_turn", None)


def test_a_run_that_fails_tells_so_and_closes_its_exchange(app: App) -> None:
    calls = [ToolCall("1", "fail", {}), ToolCall("2", "add", {"a": 1})]
    client = AgentClient(app.table, calls, config=AgentConfig(tool_error_policy="raise"))
    with pytest.raises(Exception, match="postgres"):
        client.run(app.Everything, "go")
    recorded = [
        (each.tool_use_id, each.synthetic)
        for each in client.signals_of(ToolExchangeResultRecorded)
        if isinstance(each, ToolExchangeResultRecorded)
    ]
    assert recorded == [("1", True), ("2", True)]
    assert getattr(client.signals[-1], "stop_reason", None) == "error"


def test_sinks_are_objects_or_functions_and_may_fail(app: App, caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []

    class Sink:
        async def on_signal(self, signal: Signal) -> None:
            told.append("object " + type(signal).__name__)

    def failing(signal: Signal) -> None:
        raise ValueError("no")

    async def function(signal: Signal) -> None:
        told.append("function " + type(signal).__name__)

    client = AgentClient(app.table, "done", event_sinks=[Sink(), failing])
    client.run(app.Everything, "go", event_sinks=[function])
    assert told[:4] == [f"{kind} {name}" for name in ("ModelCallStarted", "ModelCallComplete") for kind in ("object", "function")]  # fmt: skip  # noqa: E501
    assert "a signal sink failed at ModelCallStarted" in caplog.text


def test_the_agents_hooks_see_the_run_and_may_replace_results(app: App) -> None:
    seen: list[Any] = []

    @agent(model="m")
    @use_tools(app.add)
    class Watched:
        async def on_start(self, ctx: AgentContext) -> None:
            seen.append(("start", ctx.turn))

        def on_turn_complete(self, reply: ModelReply, ctx: AgentContext) -> None:
            seen.append(("turn", ctx.turn, reply.message.text))

        def on_tool_result(self, result: ToolResult, ctx: AgentContext) -> ToolResult:
            seen.append(("result", result.content))
            return ToolResult("another id", "hidden", True)

        async def on_finish(self, response: AgentResponse, ctx: AgentContext) -> None:
            seen.append(("finish", response.content))

    client = AgentClient(app.table, asks("add", a=1), "done")
    client.run(Watched, "go")
    assert seen == [("start", 0), ("turn", 0, ""), ("result", "2"), ("turn", 1, "done"), ("finish", "done")]
    (result,) = client.model.results
    assert (result["content"], result["is_error"]) == ("hidden", True)
    assert result["tool_use_id"] == client.model.requests[1].messages[1].calls[0]["id"]


def test_hooks_that_fail_are_logged_but_on_start_which_may_forbid(app: App, caplog: pytest.LogCaptureFixture) -> None:
    @agent(model="m")
    @use_tools(app.add)
    class Failing:
        def on_turn_complete(self, *_: Any) -> None:
            raise ValueError("turn")

        def on_tool_result(self, *_: Any) -> str:
            return "no result"

        def on_finish(self, *_: Any) -> None:
            raise ValueError("finish")

    client = AgentClient(app.table, asks("add", a=1), "done")
    assert client.run(Failing, "go").content == "done"
    assert client.told(0) == "2"
    for text in ("on_turn_complete of agent 'Failing' failed", "which is no ToolResult", "on_finish of agent"):
        assert text in caplog.text

    @agent(model="m")
    class Forbidding:
        def on_start(self, ctx: AgentContext) -> None:
            raise PermissionError("not today")

    client = AgentClient(app.table)
    with pytest.raises(PermissionError, match="not today"):
        client.run(Forbidding, "go")
    assert client.model.requests == []


def told_by(chunk: RunChunk) -> str:
    if chunk.response is not None:
        return f"response {chunk.response.content}"
    return chunk.text if chunk.signal is None else type(chunk.signal).__name__


async def read(stream: RunStream) -> list[str]:
    return [told_by(chunk) async for chunk in stream]


@pytest.mark.parametrize("awaited", [True, False])
def test_a_stream_tells_all_as_it_happens(app: App, awaited: bool) -> None:
    async def go() -> list[str]:
        model = ScriptedModel(reply("I see.", asks("pay", amount=1)), "It is done")
        runner = AgentRunner(app.table, model_client=model)
        stream = runner.run_stream(app.Everything, "go", run_id="S")
        found: list[str] = []
        async for chunk in (await stream) if awaited else stream:
            if chunk.pending_approval is not None:
                runner.approve_tool("S", chunk.pending_approval.tool_use_id)
            found.append(told_by(chunk))
        return found

    assert asyncio.run(go()) == [
        *("ModelCallStarted", "I ", "see.", "ModelCallComplete", "AgentTurnComplete", "ToolExchangeStarted"),
        *("ToolCallStarted", "ToolPendingApproval", "ToolApprovalResolved", "ToolCallComplete"),
        *("ToolExchangeResultRecorded", "ToolExchangeCommitted"),
        *("ModelCallStarted", "It ", "is ", "done", "ModelCallComplete", "AgentTurnComplete", "AgentRunComplete"),
        "response It is done",
    ]


def test_a_client_without_streams_gives_its_text_in_one_piece(app: App) -> None:
    class Whole:
        target = "anthropic"

        async def complete(self, request: ModelRequest) -> ModelReply:
            return reply("all of it")

    async def go() -> list[str]:
        return await read(AgentRunner(app.table, model_client=Whole()).run_stream(app.Everything, "go"))

    found = asyncio.run(go())
    assert found[1] == "all of it"
    assert found[-1] == "response all of it"


def test_a_stream_that_breaks_runs_nothing(app: App) -> None:
    class Silent:
        target = "anthropic"

        async def complete(self, request: ModelRequest) -> ModelReply:
            raise AssertionError

        async def stream(self, request: ModelRequest) -> AsyncIterator[Any]:
            for nothing in ():
                yield nothing

    async def go(client: Any) -> None:
        await read(AgentRunner(app.table, model_client=client).run_stream(app.Everything, "go"))

    with pytest.raises(ModelError, match="the connection broke"):
        asyncio.run(go(ScriptedModel(disconnected("I was saying"))))
    with pytest.raises(ModelError, match="ended before its reply was whole"):
        asyncio.run(go(Silent()))
    assert app.RAN == []


@pytest.mark.parametrize("how", ["aclose", "forgotten"])
def test_a_stream_that_nobody_reads_on_ends_its_run(app: App, how: str) -> None:
    async def go() -> None:
        runner = AgentRunner(app.table, model_client=ScriptedModel(asks("slow", name="x", seconds=60), "done"))
        stream = runner.run_stream(app.Everything, "go")
        async for chunk in stream:
            if type(chunk.signal).__name__ == "ToolCallStarted":
                break
        await asyncio.sleep(0.01)
        if how == "aclose":
            await stream.aclose()
        del stream, chunk
        gc.collect()
        await asyncio.sleep(0.01)
        assert runner._running == set()
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(go())
    assert app.RAN == [("begin", "x")]


def test_a_retry_is_told_what_the_first_attempt_did(app: App) -> None:
    ledger = IdempotencyLedger()
    calls = [ToolCall("a", "add", {"a": 1, "b": 2}), ToolCall("b", "fail", {})]
    client = AgentClient(app.table, calls, ModelError("gone"))
    with pytest.raises(ModelError):
        client.run(app.Everything, "go", idempotency_ledger=ledger)
    assert len(ledger) == 1
    ledger.promote()
    app.RAN.clear()
    again = [
        ToolCall("x", "add", '{"b": 2, "a": 1}'),
        ToolCall("y", "add", {"a": 1, "b": 2}),
        ToolCall("z", "fail", {}),
    ]
    client = AgentClient(app.table, again, "done")
    client.run(app.Everything, "go", idempotency_ledger=ledger)
    assert app.RAN == [("add", 1, 2), ("fail",)]
    assert [each["tool_use_id"] for each in client.model.results] == ["x", "y", "z"]
    complete = client.signals_of(ToolCallComplete)
    assert [each.replayed for each in complete if isinstance(each, ToolCallComplete)] == [True, False, False]
