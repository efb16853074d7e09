"""Model clients that do not keep what they promise, and runs that end between a reply and its calls."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest
from lauren_runtime import (
    AgentRunner,
    Approvals,
    InMemoryApprovalStore,
    InMemoryConversationStore,
    ModelReply,
    ModelRequest,
    ShortTermMemory,
    ToolCall,
)
from lauren_runtime.agents.integrity import whole
from lauren_runtime.agents.messages import Message, TokenUsage
from lauren_runtime.agents.model_client import ModelError
from lauren_runtime.agents.signals import AgentTurnComplete, Signal, ToolExchangeStarted
from lauren_runtime.testing import AgentClient, ScriptedModel, asks, reply

from .conftest import App

TEXT = {"type": "text", "text": "x"}
USE = {"type": "tool_use", "id": "1", "name": "add", "input": {"a": 1}}
ENDLESS: dict[str, Any] = {}
ENDLESS["a"] = ENDLESS


def said(*blocks: Any, **more: Any) -> ModelReply:
    return ModelReply(Message("assistant", list(blocks)), **more)


class Model:
    """Gives what it is told to at first, and then an end."""

    target = "anthropic"

    def __init__(self, first: Any) -> None:
        self.first = first
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        return cast(ModelReply, self.first) if len(self.requests) == 1 else reply("done")


NO_REPLIES: list[tuple[Any, str]] = [
    (None, "a ModelReply is expected, not None"),
    ("hello", "not of type str"),
    ({"role": "assistant"}, "not of type dict"),
    (ModelReply(cast(Any, None)), "`message` is None"),
    (ModelReply(Message("assistant", cast(Any, None))), "content of its message is None"),
    (ModelReply(Message("assistant", cast(Any, "hi"))), "content of its message is of type str"),
    (said("hi"), "a block of its message is of type str"),
    (said({"text": "x"}), "has no `type`"),
    (said({"type": ["text"]}), "has no `type`"),
    (said({"type": "text"}), "a `text` block has no `text`"),
    (said({"type": "text", "text": None}), "the `text` of a `text` block is None"),
    (said({"type": "tool_use", "id": "1", "input": {}}), "a `tool_use` block has no `name`"),
    (said({**USE, "name": ["add"]}), "the `name` of a `tool_use` block is of type list"),
    (said({"type": "tool_use", "id": "1", "name": "add"}), "a `tool_use` block has no `input`"),
    (said({"type": "tool_result", "tool_use_id": "1", "content": "x", "is_error": False}), "only we give"),
    (said(TEXT, usage=None), "`usage` is None"),
    (said(TEXT, usage=TokenUsage(cast(Any, None), 1)), "counts in what are no integers"),
]


@pytest.mark.parametrize(("given", "text"), NO_REPLIES)
def test_what_is_no_reply_is_a_model_error_and_leaves_no_trace(app: App, given: Any, text: str) -> None:
    memory = ShortTermMemory()
    signals: list[Signal] = []
    runner = AgentRunner(app.table, model_client=Model(given), event_sinks=[signals.append])
    with pytest.raises(ModelError) as raised:
        asyncio.run(runner.run(app.Everything, "go", memory=memory))
    assert text in str(raised.value)
    assert memory.messages() == ()
    assert getattr(signals[-1], "stop_reason", None) == "error"


@pytest.mark.parametrize("why", [None, "a new one", ["end_turn"], {}])
def test_any_reason_ends_a_run(app: App, why: Any) -> None:
    runner = AgentRunner(app.table, model_client=Model(said(TEXT, stop_reason=why)))
    assert asyncio.run(runner.run(app.Everything, "go")).stop_reason == "other"


@pytest.mark.parametrize(
    "given",
    [
        *[None, [], 5, object(), {1}, b"\xff", {"a": object()}, {"a": {1}}, {1: 2}, ENDLESS, {"a": float("nan")}],
        *[{"a": 10**5000}, '{"a": 1', "", '{"a":' * 10_000],
    ],
    ids=lambda given: type(given).__name__,
)
@pytest.mark.parametrize("parallel", [False, True])
def test_arguments_of_any_kind_are_told_to_the_model_and_kept(app: App, given: Any, parallel: bool) -> None:
    store = InMemoryConversationStore()
    model = Model(said({**USE, "input": given}, {**USE, "id": "2"}))
    runner = AgentRunner(app.table, model_client=model, conversation_store=store)
    asyncio.run(runner.run(app.Everything, "go", conversation_id="c"))
    results = model.requests[1].messages[-1].content
    assert [(each["tool_use_id"], each["is_error"]) for each in results] == [("1", True), ("2", False)]
    kept = [Message.from_json(each) for each in store.load("c")]
    assert whole(kept) == kept
    assert json.dumps([each.to_json() for each in kept], allow_nan=False)


@pytest.mark.parametrize("given", [b'{"a": 1}', bytearray(b'{"a": 1}'), {"a": 1}, type("Own", (dict,), {})(a=1)])
def test_arguments_that_are_an_object_in_another_form_are_one(app: App, given: Any) -> None:
    client = AgentClient(app.table, said({**USE, "input": given}), "done")
    client.run(app.Everything, "go", conversation_id="c")
    assert client.told(0) == "2"


@pytest.mark.parametrize("kind", [AgentTurnComplete, ToolExchangeStarted])
def test_calls_have_results_where_a_run_is_cancelled_before_they_are_made(app: App, kind: type[Signal]) -> None:
    """A memory is the next run's too, and no provider takes a call without its result."""

    def sink(signal: Signal) -> None:
        if isinstance(signal, kind):
            raise asyncio.CancelledError

    memory = ShortTermMemory()
    client = AgentClient(app.table, asks("add", a=1), "done")
    run = client.runner.run(app.Everything, "go", memory=memory, event_sinks=[sink])
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run)
    assert app.RAN == []
    assert whole(memory.messages()) == list(memory.messages())


def test_a_cancelled_run_leaves_a_whole_memory_wherever_it_is_cancelled(app: App) -> None:
    async def sink(_: Signal) -> None:
        await asyncio.sleep(0)

    async def cancelled(after: int) -> bool:
        """Whether the run was over before it could be cancelled."""
        memory, model = ShortTermMemory(), ScriptedModel([asks("add", a=1), asks("wipe")], asks("add", a=2), "done")
        runner = AgentRunner(app.table, model_client=model, event_sinks=[sink])
        run = asyncio.ensure_future(runner.run(app.Everything, "go", memory=memory))
        for _ in range(after):
            await asyncio.sleep(0)
        over = run.done()
        run.cancel()
        await asyncio.wait([run])
        assert whole(memory.messages()) == list(memory.messages()), after
        return over

    async def go() -> None:
        after = 0
        while not await cancelled(after):
            after += 1
        assert after > 20

    asyncio.run(go())


def test_a_store_that_fails_while_a_run_is_cancelled_does_not_hide_it(app: App) -> None:
    class Gone(InMemoryApprovalStore):
        is_gone = False

        def get(self, key: Any) -> Any:
            if self.is_gone:
                raise OSError("gone")
            return super().get(key)

    store = Gone()

    async def go() -> None:
        runner = AgentRunner(
            app.table,
            model_client=ScriptedModel(ToolCall("p", "slow", {"name": "x", "seconds": 60})),
            approvals=Approvals(store, on_cancel="keep"),
        )
        run = asyncio.ensure_future(runner.run(app.Everything, "go", conversation_id="c"))
        while not app.RAN:
            await asyncio.sleep(0)
        store.is_gone = True
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run

    asyncio.run(go())
