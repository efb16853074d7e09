"""Servers that speak OpenAI's Chat Completions in ways of their own."""

from __future__ import annotations

from typing import Any

import pytest

from .conftest import Shop, run
from .server import Answer, Server, sse
from .wires import WIRES

WIRE = WIRES["openai"]
BASE = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "x"}


def chunk(delta: Any, reason: str | None = None, index: int = 0) -> dict[str, Any]:
    return {**BASE, "choices": [{"index": index, "delta": delta, "finish_reason": reason}]}


def piece(arguments: Any, **more: Any) -> dict[str, Any]:
    """A piece of a call; the name comes with the id."""
    function = {"arguments": arguments, **({"name": "wipe"} if "id" in more else {})}
    return {"tool_calls": [{"type": "function", "function": function, **more}]}


A, B = '{"path": "/a"}', '{"path": "/b"}'


@pytest.mark.parametrize(
    "deltas",
    [
        [piece(A[:5], id="a", index=0), piece(B[:5], id="b", index=1), piece(A[5:], index=0), piece(B[5:], index=1)],
        [piece(A, id="a"), piece(B, id="b")],
        [piece(A[:5], id="a"), piece(A[5:]), piece(B[:5], id="b"), piece(B[5:])],
        [piece(A, id="a", index=None), piece(B, id="b", index=None)],
        [piece(A, id="a", index=0), piece(B, id="b", index=0)],
        [piece(A[:5], id="a", index=0), piece(A[5:], index=0), piece(B[:5], id="b", index=0), piece(B[5:], index=0)],
        [piece({"path": "/a"}, id="a", index=0), piece({"path": "/b"}, id="b", index=1)],
        [piece(A[:5], id="a", index=0), {"tool_calls": [{"id": "a", "index": 0, "function": {"arguments": A[5:]}}]},
         piece(B, id="b", index=1)],
    ],
    ids=["interleaved", "not counted", "not counted, in pieces", "counted as null", "all of one number",
         "all of one number, in pieces", "objects", "id again"],
)  # fmt: skip
def test_two_calls_however_they_are_counted(shop: Shop, server: Server, deltas: list[Any]) -> None:
    body = sse(*map(chunk, deltas), chunk({}, "tool_calls"), done=True)
    run(shop, server, WIRE, True, Answer(body, WIRE.stream_type), WIRE.reply(True, "Done."))
    assert shop.module.RAN == ["/a", "/b"]
    assert [each.id for each in WIRE.results(server.asked[1])] == ["a", "b"]


def test_of_several_replies_the_first_counts(shop: Shop, server: Server) -> None:
    events = [chunk({"content": "A"}), chunk({"content": "B"}, index=1), chunk({}, "stop"), chunk({}, "length", 1)]
    response, text = run(shop, server, WIRE, True, Answer(sse(*events, done=True), WIRE.stream_type))
    assert (response.content, response.stop_reason, text) == ("A", "end_turn", "A")


def test_a_text_in_parts(shop: Shop, server: Server) -> None:
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "A"}, {"type": "text", "text": "B"}]
    body = sse(chunk({"content": parts}), chunk({"content": None}, "stop"), done=True)
    response, _ = run(shop, server, WIRE, True, Answer(body, WIRE.stream_type))
    assert response.content == "AB"
