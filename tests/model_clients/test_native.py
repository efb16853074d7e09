"""What a provider wants back as it came: thoughts with their signatures, reasoning in whatever form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .conftest import Shop, run
from .server import Answer, Server, sse
from .wires import WIRES, AnthropicWire, BedrockWire, Call, GeminiWire, OpenAIResponsesWire, event_stream_message

THOUGHTS: dict[str, Any] = {
    "anthropic": {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
    "openai-responses": {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "ZW5j"},
    "gemini": {"functionCall": {"name": "wipe", "args": {"path": "/a"}}, "thoughtSignature": "c2lnbmF0dXJl"},
    "bedrock": {"reasoningContent": {"redactedContent": "cmVk"}},
}
CALL = [Call("c1", "wipe", '{"path": "/a"}')]


def whole(name: str) -> Answer:
    """A reply that thinks, then calls."""
    body = WIRES[name].answer("", CALL, "calls")
    if name == "anthropic":
        body["content"].insert(0, THOUGHTS[name])
    elif name == "openai-responses":
        body["output"].insert(0, THOUGHTS[name])
    elif name == "gemini":
        body["candidates"][0]["content"]["parts"] = [THOUGHTS[name]]
    else:
        body["output"]["message"]["content"].insert(0, THOUGHTS[name])
    return Answer(json.dumps(body).encode())


def streamed(name: str) -> Answer:
    """The same in events."""
    if name == "gemini":
        return Answer(sse(json.loads(whole(name).body)), GeminiWire.stream_type)
    if name == "openai-responses":
        ended = {"type": "response.completed", "sequence_number": 1, "response": json.loads(whole(name).body)}
        return Answer(sse(ended, named=True), OpenAIResponsesWire.stream_type)
    if name == "bedrock":
        delta = {"contentBlockIndex": 0, "delta": {"reasoningContent": {"redactedContent": "cmVk"}}}
        body = event_stream_message("contentBlockDelta", delta)
        return Answer(body + WIRES[name].events("", CALL, "calls"), BedrockWire.stream_type)
    lines = WIRES[name].events("", CALL, "calls").decode().splitlines()
    events = [json.loads(line[6:]) for line in lines if line[:5] == "data:"]
    deltas: list[Any] = [
        {"type": "thinking_delta", "thinking": "Hm."},
        {"type": "signature_delta", "signature": "c2ln"},
    ]
    block = {"type": "thinking", "thinking": "", "signature": ""}
    thought: list[Any] = [{"type": "content_block_start", "index": 0, "content_block": block}]
    thought += [{"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas]
    moved = [{**each, "index": each["index"] + 1} if "index" in each else each for each in events]
    return Answer(sse(moved[0], *thought, *moved[1:], named=True), AnthropicWire.stream_type)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("name", sorted(THOUGHTS))
def test_thoughts_go_back_as_they_came_after_they_were_kept(
    shop: Shop, server: Server, name: str, stream: bool
) -> None:
    wire = WIRES[name]
    first = (streamed if stream else whole)(name)
    rest = [wire.reply(stream, "Done."), wire.reply(stream, "Yes.")]
    run(shop, server, wire, stream, first, *rest, messages=("go", "on"), conversation_id="c")
    assert shop.module.RAN == ["/a"]
    for asked in server.asked[1:]:
        assert contains(asked.body, THOUGHTS[name])


def contains(value: Any, wanted: Any) -> bool:
    """Whether a JSON value is, or holds somewhere, all that `wanted` does."""
    if isinstance(value, dict):
        if isinstance(wanted, dict) and all(contains_key(value, key, each) for key, each in wanted.items()):
            return True
        return any(contains(each, wanted) for each in value.values())
    if isinstance(value, list):
        return any(contains(each, wanted) for each in value)
    return bool(value == wanted)


def contains_key(value: dict[str, Any], key: str, wanted: Any) -> bool:
    """Keys are compared without regard to how Python or JSON spells them."""
    found = {name.replace("_", "").lower(): each for name, each in value.items()}.get(key.replace("_", "").lower())
    return found == wanted or (isinstance(wanted, dict) and isinstance(found, dict) and contains(found, wanted))
