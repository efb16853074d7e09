"""Replies that keep to the form, and would still spoil a conversation, an approval, or what is streamed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lauren_runtime import (
    AgentRunner,
    InMemoryConversationStore,
    ModelError,
    ModelReply,
    ModelRequest,
    ShortTermMemory,
    ToolCall,
)
from lauren_runtime.agents.integrity import told_apart
from lauren_runtime.agents.messages import Message, Native
from lauren_runtime.agents.model_client import TextDelta
from lauren_runtime.surrogates import mended
from lauren_runtime.testing import AgentClient, ScriptedModel, reply

from .conftest import App


class Pieces:
    """Streams these texts, then the whole."""

    target = "anthropic"

    def __init__(self, *texts: Any) -> None:
        self.texts = texts

    async def complete(self, request: ModelRequest) -> ModelReply:
        return reply("".join(self.texts))

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | ModelReply]:
        for each in self.texts:
            yield TextDelta(each)
        yield await self.complete(request)


def streamed(app: App, *texts: Any) -> list[str]:
    async def go() -> list[str]:
        runner = AgentRunner(app.table, model_client=Pieces(*texts))
        return [each.text async for each in runner.run_stream(app.Everything, "go") if each.text]

    return asyncio.run(go())


@pytest.mark.parametrize(
    ("texts", "seen"),
    [
        (["a\ud83d", "\ude00b"], ["a", "😀b"]),
        (["\ud83d", "\ude00"], ["😀"]),
        (["\ud83d"], ["\ufffd"]),
        (["\ud83d", "x", "\ude00"], ["\ufffdx", "\ufffd"]),
        (["\ud83d\ud83d", "\ude00"], ["\ufffd", "😀"]),
        (["é", "😀"], ["é", "😀"]),
    ],
)
def test_characters_in_two_pieces_are_put_together(app: App, texts: list[str], seen: list[str]) -> None:
    assert streamed(app, *texts) == seen


@given(st.text(st.characters(codec=None, categories=None)), st.lists(st.integers(0, 20), max_size=4))
def test_pieces_give_the_text_of_the_whole(text: str, cuts: list[int]) -> None:
    from lauren_runtime.agents.asking import asked

    units = text.encode("utf-16-le", "surrogatepass")
    halves = [units[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(units), 2)]
    places = sorted({0, len(halves), *(each for each in cuts if each < len(halves))})
    texts = ["".join(halves[start:end]) for start, end in pairwise(places)]
    seen: list[str] = []

    async def put(chunk: Any) -> None:
        seen.append(chunk.text)

    asyncio.run(asked(Pieces(*texts), ModelRequest(model="m", messages=()), put=put))
    assert "".join(seen) == mended("".join(halves))
    "".join(seen).encode("utf-8")


@pytest.mark.parametrize("piece", [None, 5, b"x", ["x"]])
def test_a_piece_that_is_no_text_is_a_model_error(app: App, piece: Any) -> None:
    with pytest.raises(ModelError, match="gave what is no text"):
        streamed(app, piece)


ANY_TEXT = st.text(st.characters(codec=None, categories=None))
VALUES = st.recursive(
    st.none() | st.integers() | ANY_TEXT, lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner)
)


@given(VALUES)
def test_what_is_mended_can_be_sent(value: Any) -> None:
    made = mended(value)
    json.dumps(made, ensure_ascii=False).encode("utf-8")
    assert mended(made) is made


def test_a_conversation_holds_no_half_characters(app: App) -> None:
    memory, store = ShortTermMemory(), InMemoryConversationStore()
    model = ScriptedModel(ToolCall("1", "wipe", '{"path": "\\udc00"}'), "\ud800")
    runner = AgentRunner(app.table, model_client=model)
    options: list[dict[str, Any]] = [{"memory": memory}, {"conversation_store": store, "conversation_id": "c"}]
    asyncio.run(runner.run(app.Everything, "go \ud800", **options[0]))
    for message in memory.messages():
        json.dumps(message.to_json(), ensure_ascii=False).encode("utf-8")
    store.save("c", [Message.user("old \ud800").to_json(), Message.assistant("x").to_json()])
    model = ScriptedModel("done")
    asyncio.run(AgentRunner(app.table, model_client=model).run(app.Everything, "go", **options[1]))
    assert model.requests[0].messages[0].text == "old \ufffd"


def test_a_reply_is_the_models(app: App) -> None:
    class Model:
        target = "anthropic"

        async def complete(self, request: ModelRequest) -> ModelReply:
            return ModelReply(Message.user("I am you"))

    with pytest.raises(ModelError, match="its message is of the role 'user'"):
        asyncio.run(AgentRunner(app.table, model_client=Model()).run(app.Everything, "go"))


def test_ids_that_begin_anew_in_each_reply_are_told_apart(app: App) -> None:
    """An approval is of one call: the next with its id is asked about, and is run."""
    same = [ToolCall("call_0", "pay", {"amount": amount}) for amount in (1, 1, 2)]
    client = AgentClient(app.table, *same, "done")
    client.run(app.Everything, "go", conversation_id="c", approve=lambda signal: True)
    assert app.RAN == [("pay", 1), ("pay", 1), ("pay", 2)]
    [history] = [each.messages for each in client.model.requests[-1:]]
    ids = [use["id"] for message in history for use in message.calls]
    assert ids == ["call_0", "call_0-2", "call_0-3"]
    assert [
        each["tool_use_id"] for message in history for each in message.content if each["type"] == "tool_result"
    ] == ids


def test_ids_that_the_next_run_of_a_conversation_begins_anew(app: App) -> None:
    store = InMemoryConversationStore()
    for _ in range(2):
        model = ScriptedModel([ToolCall("0", "add", {"a": 1}), ToolCall("0-2", "add", {"a": 2})], "done")
        runner = AgentRunner(app.table, model_client=model, conversation_store=store)
        asyncio.run(runner.run(app.Everything, "go", conversation_id="c"))
    ids = [use["id"] for each in store.load("c") for use in each["content"] if use["type"] == "tool_use"]
    assert len(set(ids)) == 4


def test_messages_in_a_providers_own_form_keep_their_ids() -> None:
    message = Message.assistant("", [ToolCall("1", "add", {})], Native("anthropic", [{"id": "1"}]))
    assert told_apart(message, {"1"}) is message
