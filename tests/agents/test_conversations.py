"""Conversations: kept, gone on with, and always whole."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lauren_runtime import (
    AgentConfig,
    Approvals,
    ConversationStoreError,
    InMemoryConversationStore,
    Message,
    ShortTermMemory,
    ToolCall,
    ToolConversationIntegrityError,
    ToolResult,
    agent,
    use_tools,
)
from lauren_runtime.agents.integrity import whole
from lauren_runtime.agents.messages import Native
from lauren_runtime.testing import AgentClient, ScriptedModel, asks, reply

from .conftest import App


def texts(client: AgentClient, number: int = -1) -> list[str]:
    return [each.text for each in client.model.requests[number].messages]


def test_a_conversation_goes_on_where_it_is_kept(app: App) -> None:
    store = InMemoryConversationStore()
    client = AgentClient(app.table, asks("add", a=1), "two", "still two", "new", conversation_store=store)
    client.run(app.Everything, "a", conversation_id="c")
    client.run(app.Everything, "b", conversation_id="c")
    assert texts(client) == ["a", "", "", "two", "b"]
    client.run(app.Everything, "c", conversation_id="other")
    assert texts(client) == ["c"]
    assert (len(store), "c" in store) == (2, True)
    store.delete("c")
    assert store.load("c") == []


def test_without_an_id_nothing_is_kept(app: App) -> None:
    store = InMemoryConversationStore()
    AgentClient(app.table, "x", conversation_store=store).run(app.Everything, "a")
    assert len(store) == 0


def test_an_agents_own_store_and_that_of_a_run_come_first(app: App) -> None:
    own, given = InMemoryConversationStore(), InMemoryConversationStore()

    @agent(model="m", conversation_store=own)
    class Keeping: ...

    client = AgentClient(app.table, "x", "y")
    client.run(Keeping, "a", conversation_id="c")
    client.run(Keeping, "b", conversation_id="c", conversation_store=given)
    assert [len(each.load("c")) for each in (own, given)] == [2, 2]


def test_an_agents_memory_is_that_of_all_its_runs(app: App) -> None:
    memory = ShortTermMemory()

    @agent(model="m", memory=memory)
    class Remembering: ...

    client = AgentClient(app.table, "one", "two", "alone")
    client.run(Remembering, "a")
    client.run(Remembering, "b")
    assert texts(client) == ["a", "one", "b"]
    client.run(Remembering, "c", memory=ShortTermMemory())
    assert texts(client) == ["c"]
    assert len(memory) == 4


def test_two_runs_in_one_conversation_come_one_after_the_other(app: App) -> None:
    async def go() -> AgentClient:
        script = [asks("slow", name="x"), "one", asks("slow", name="y"), "two"]
        client = AgentClient(app.table, *script)
        both = (client.arun(app.Everything, text, conversation_id="c") for text in "ab")
        await asyncio.gather(*both)
        return client

    assert texts(asyncio.run(go())) == ["a", "", "", "one", "b", "", ""]


def test_a_run_within_a_run_needs_a_conversation_of_its_own(app: App) -> None:
    def nested(within: str | None) -> AgentClient:
        @agent(model="m")
        @use_tools(app.add)
        class Outer:
            async def on_tool_result(self, result: ToolResult, ctx: Any) -> ToolResult:
                try:
                    inner = await ctx.runner.run(app.Plain, "inner", conversation_id=within, model_override="m")
                    return ToolResult.ok(inner.content)
                except ToolConversationIntegrityError as error:
                    return ToolResult.error(str(error))

        client = AgentClient(app.table, asks("add", a=1), "said", "done")
        client.run(Outer, "go", conversation_id="c")
        return client

    assert nested("d").told(0) == "said"
    assert nested(None).told(0) == "said"
    assert "a conversation of its own" in nested("c").told(0)


class Failing(InMemoryConversationStore):
    def __init__(self, method: str) -> None:
        super().__init__()
        self.method = method

    async def load(self, conversation_id: str) -> Any:  # type: ignore[override]
        if self.method == "load":
            raise OSError("cannot load")
        return super().load(conversation_id)

    async def save(self, conversation_id: str, messages: Any) -> None:  # type: ignore[override]
        if self.method == "save":
            raise OSError("cannot save")
        super().save(conversation_id, messages)


def test_a_store_that_fails_is_not_passed_over(app: App, caplog: pytest.LogCaptureFixture) -> None:
    client = AgentClient(app.table, "x", reply("", asks("fail")), config=AgentConfig(tool_error_policy="raise"))
    with pytest.raises(OSError, match="cannot load"):
        client.run(app.Everything, "a", conversation_id="c", conversation_store=Failing("load"))
    assert client.model.requests == []
    with pytest.raises(ConversationStoreError, match="'c' could not be saved") as caught:
        client.run(app.Everything, "a", conversation_id="c", conversation_store=Failing("save"))
    assert caught.value.response.content == "x"
    with pytest.raises(Exception, match="postgres"):
        client.run(app.Everything, "a", conversation_id="c", conversation_store=Failing("save"))
    assert "conversation 'c' could not be saved" in caplog.text


def call(*ids: str) -> Message:
    return Message.assistant("", [ToolCall(each, "add", {}) for each in ids])


def result(*ids: str) -> Message:
    return Message.results([ToolResult(each, "x") for each in ids])


def test_a_memory_with_a_limit_never_parts_a_call_from_its_result() -> None:
    memory = ShortTermMemory(4)
    for each in (Message.user("a"), call("1"), result("1"), Message.assistant("x"), Message.user("b"), call("2")):
        memory.add(each)
    assert [each.role for each in memory.messages()] == ["user", "assistant"]
    for each in (result("2"), call("3"), result("3"), call("4"), result("4")):
        memory.add(each)
    assert memory.messages()[0].text == "b"  # too long, but in one piece
    assert len(memory) == 11
    with pytest.raises(ValueError, match="more than zero"):
        ShortTermMemory(0)


@pytest.mark.parametrize(
    ("messages", "shape"),
    [
        ([Message.user("a"), call("1", "2")], "text|1 2|r1 r2"),
        ([call("1", "2"), result("2"), Message.assistant("x")], "1 2|r2 r1|text"),
        ([call("1"), Message.user("b")], "1|r1 text"),
        ([call("1"), Message.assistant("x")], "1|r1|text"),
    ],
)
def test_calls_that_were_left_without_results_get_some(messages: list[Message], shape: str) -> None:
    mended = whole(messages)
    assert "|".join(" ".join(map(shown, each.content)) for each in mended) == shape
    assert whole(mended) == mended


def shown(block: dict[str, Any]) -> str:
    return {"text": "text", "tool_use": block.get("id"), "tool_result": f"r{block.get('tool_use_id')}"}[block["type"]]


@pytest.mark.parametrize("messages", [[result("1")], [call("1"), result("1", "1")], [call("1"), result("2")]])
def test_what_nothing_could_mend_is_refused(messages: list[Message]) -> None:
    with pytest.raises(ToolConversationIntegrityError):
        whole(messages)


def test_a_message_is_the_same_after_its_json_form() -> None:
    message = Message.assistant("x", [ToolCall("1", "add", {"a": 1})], Native("anthropic", [{"type": "thinking"}]))
    assert Message.from_json(message.to_json()) == message
    assert Message.user([{"type": "image", "data": ""}]).content == [{"type": "image", "data": ""}]


CALLS = st.sampled_from(
    [
        *[("add", {"a": 1}), ("add", {"a": "x"}), ("fail", {}), ("slow", {"name": "s"})],
        *[("pay", {"amount": 1}), ("nothing", {}), ("wipe", '{"path": ')],
    ]
)
REPLIES = st.one_of(st.just("text"), st.lists(CALLS, min_size=1, max_size=4))


@settings(max_examples=150, deadline=None)
@given(
    script=st.lists(REPLIES, max_size=4),
    policy=st.sampled_from(["return_error", "raise", "skip"]),
    parallel=st.booleans(),
    answer=st.sampled_from(["yes", "no", "never"]),
    cancel_after=st.none() | st.integers(0, 60),
)
def test_a_kept_conversation_is_whole_however_its_run_ends(
    compiled_app: App, script: list[Any], policy: Any, parallel: bool, answer: str, cancel_after: int | None
) -> None:
    compiled_app.module.RAN.clear()
    numbers = iter(range(100))
    lines = [
        each if isinstance(each, str) else [ToolCall(f"t{next(numbers)}", *about) for about in each] for each in script
    ]
    model = ScriptedModel(*lines, "the end")
    store = InMemoryConversationStore()

    async def go() -> None:
        client = AgentClient(
            compiled_app.table,
            config=AgentConfig(tool_error_policy=policy, parallel_tool_calls=parallel),
            approvals=Approvals(time_limit=0.001 if answer == "never" else None),
            conversation_store=store,
        )
        client.runner.model_client = model
        approve = None if answer == "never" else answer == "yes"
        run = asyncio.ensure_future(client.arun(compiled_app.Everything, "go", conversation_id="c", approve=approve))
        for _ in range(10_000 if cancel_after is None else cancel_after):
            if run.done():
                break
            await asyncio.sleep(0 if cancel_after is not None else 0.001)
        run.cancel()
        await asyncio.wait([run])
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(go())
    messages = [Message.from_json(each) for each in store.load("c")]
    assert whole(messages) == messages
    if cancel_after is None and policy != "raise":
        told = [b["content"] for m in messages for b in m.content if b["type"] == "tool_result"]
        assert told.count("paid 1") == compiled_app.module.RAN.count(("pay", 1))
    if messages:
        assert messages[0].text == "go"
