"""Amazon Bedrock's Converse API. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html"""

from __future__ import annotations

import asyncio
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Sequence
from importlib import import_module
from typing import Any, cast

from ..agents.messages import Block, Message, Native, TokenUsage
from ..agents.model_client import ModelError, ModelReply, ModelRequest, StopReason, TextDelta
from ..results import ToolCall
from .bedrock_streams import Opening
from .content import Growing, Rules, arguments_object, image_of, inner, is_blank, parts_of, text_of, with_options
from .failures import incomplete, installed, reported

FORM = "bedrock"
_RULES = Rules(r"A-Za-z0-9_-", 64, r"A-Za-z0-9_-", 64)
_CUT = ("max_tokens", "model_context_window_exceeded", "guardrail_intervened", "content_filtered")
_NOTHING = "(nothing)"
"""What stands for a text of spaces alone, which the API does not take, where there has to be one."""
_STOPS: dict[str, StopReason] = {
    "end_turn": "end_turn",
    "tool_use": "tool_use",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "stop_sequence": "stop_sequence",
    "guardrail_intervened": "refusal",
    "content_filtered": "refusal",
}
_BYTES = "__bytes__"
"""The key under which bytes stand in a message's native form, which JSON can hold."""


class BedrockModelClient:
    """Asks through the client that `boto3.client("bedrock-runtime")` makes, in threads, as that client is a plain one.

    Without one, `boto3` makes it from the environment.
    """

    def __init__(self, client: Any = None, *, target: str = "bedrock") -> None:
        self.target = target
        if client is None:
            with installed("boto3", "bedrock"):
                boto3: Any = import_module("boto3")
            client = boto3.client("bedrock-runtime")
        self._client: Any = client

    async def complete(self, request: ModelRequest) -> ModelReply:
        """See ModelClient."""
        fields = _fields(request)
        with reported(FORM):
            found = await asyncio.to_thread(self._client.converse, **fields)
            if "output" not in found:  # a body that breaks off is read as one with nothing in it
                raise incomplete(FORM)
            content = found["output"]["message"]["content"]
            stop = found.get("stopReason")
            # Of a reply that was cut off in its last block nothing tells whether that block is whole.
            cut = content[-1].get("toolUse", {}).get("toolUseId") if stop in _CUT and content else None
            return _reply(content, stop, inner(found, "usage"), request.model, cut)

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | ModelReply]:
        """See StreamingModelClient."""
        whole = _Whole()
        fields = _fields(request)
        with reported(FORM):
            opening = Opening(lambda: self._client.converse_stream(**fields)["stream"])
            try:
                await asyncio.to_thread(opening.open)
                while (event := await asyncio.to_thread(opening.following)) is not None:
                    text = whole.take(event)
                    if text:
                        yield TextDelta(text)
            finally:
                await asyncio.to_thread(opening.leave)
            reply = whole.reply(request.model)
        yield reply

    async def aclose(self) -> None:
        """Close the package's client."""
        self._client.close()


class _Whole:
    """Puts a reply together from its events."""

    def __init__(self) -> None:
        self._blocks: dict[int, Block] = {}
        self._arguments: dict[int, Growing] = {}
        self._texts: dict[int, Growing] = {}
        self._usage: dict[str, Any] = {}
        self._stop: str | None = None

    def take(self, event: dict[str, Any]) -> str:
        """Take an event; the text that it adds. Raises ModelError for one that tells of a failure."""
        ((kind, about),) = event.items()
        if kind.endswith("Exception"):
            raise ModelError(f"{FORM}: {kind}: {about.get('message', '')}")
        if kind == "contentBlockStart":
            start = {name: dict(value) for name, value in about["start"].items()}
            self._blocks[about["contentBlockIndex"]] = start
        elif kind == "contentBlockDelta":
            return self._add(about["contentBlockIndex"], about["delta"])
        elif kind == "messageStop":
            self._stop = about["stopReason"]
        elif kind == "metadata":
            self._usage = inner(about, "usage")
        return ""

    def reply(self, model: str) -> ModelReply:
        """The whole. Raises ModelError if its end did not come."""
        if self._stop is None:
            raise incomplete(FORM)
        cut = None
        for number, growing in self._texts.items():
            self._blocks[number]["text"] = growing.text
        for number, block in self._blocks.items():
            if "toolUse" in block:
                text = self._arguments[number].text if number in self._arguments else ""
                block["toolUse"]["input"] = text or {}
                cut = block["toolUse"].get("toolUseId") if not text and self._stop in _CUT else cut
        return _reply([self._blocks[number] for number in sorted(self._blocks)], self._stop, self._usage, model, cut)

    def _add(self, number: int, delta: dict[str, Any]) -> str:
        block = self._blocks.setdefault(number, {})
        if "toolUse" in delta:
            self._arguments.setdefault(number, Growing()).add(delta["toolUse"].get("input", ""))
        elif "reasoningContent" in delta:
            _add_reasoning(block.setdefault("reasoningContent", {}), delta["reasoningContent"])
        elif "text" in delta:
            self._texts.setdefault(number, Growing()).add(delta["text"])
            return str(delta["text"])
        return ""


def _add_reasoning(block: Block, delta: dict[str, Any]) -> None:
    if "redactedContent" in delta:
        block["redactedContent"] = block.get("redactedContent", b"") + delta["redactedContent"]
    for name in ("text", "signature"):
        if name in delta:
            thought = block.setdefault("reasoningText", {})
            thought[name] = thought.get(name, "") + delta[name]


def _reply(
    content: Sequence[Block], stop: str | None, usage: dict[str, Any], model: str, cut: str | None
) -> ModelReply:
    content = [each for each in content if each.get("text") != ""]
    made = [each["toolUse"] for each in content if "toolUse" in each]
    calls = [ToolCall(each.get("toolUseId") or "", each["name"], each["input"]) for each in made]
    text = "".join(each["text"] for each in content if "text" in each)
    ours = all(each.keys() <= {"text", "toolUse"} for each in content)
    native = None if ours else Native(FORM, _as_json([_taken_back(each) for each in content]))
    message = Message.assistant(text, calls, native, truncated=cut)
    return ModelReply(message, _STOPS.get(stop or "", "other"), _usage(usage), model, stop or "")


def _taken_back(block: Block) -> Block:
    """A block as the API takes it in a request: arguments are an object there."""
    if "toolUse" not in block:
        return block
    return {"toolUse": {**block["toolUse"], "input": arguments_object(block["toolUse"])}}


def _usage(figures: dict[str, Any]) -> TokenUsage:
    cached = figures.get("cacheReadInputTokens") or 0
    read = (figures.get("inputTokens") or 0) + cached + (figures.get("cacheWriteInputTokens") or 0)
    return TokenUsage(read, figures.get("outputTokens") or 0, cached, figures)


def _fields(request: ModelRequest) -> dict[str, Any]:
    limits = {"maxTokens": request.max_tokens, "temperature": request.temperature, "topP": request.top_p}
    return with_options(
        {
            "modelId": request.model,
            "system": [{"text": request.system}] if request.system else None,
            "messages": _messages(request.messages),
            "toolConfig": {"tools": request.tools.entries} if request.tools.entries else None,
            "inferenceConfig": with_options(limits, {}),
        },
        request.options,
    )


def _messages(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The conversation as the API has it: user and assistant take turns."""
    made: list[dict[str, Any]] = []
    for message in messages:
        if message.native is not None and message.native.form == FORM:
            content: list[Block] = [_named(each) for each in _from_json(message.native.value)]
        else:
            content = [_block(each) for each in message.content]
        content = [each for each in content if not is_blank(each.get("text"))]
        if content and made and made[-1]["role"] == message.role:
            made[-1]["content"] += content
        elif content:
            made.append({"role": message.role, "content": content})
    return made


def _named(block: Block) -> Block:
    use = block.get("toolUse")
    if use is None:
        return block
    about = {"toolUseId": _RULES.identified(use["toolUseId"]), "name": _RULES.named(use["name"])}
    return {"toolUse": {**use, **about}}


def _block(block: Block) -> Block:
    if block["type"] == "tool_use":
        use = {"toolUseId": block["id"], "name": block["name"], "input": arguments_object(block)}
        return _named({"toolUse": use})
    if block["type"] == "tool_result":
        content = [each for each in map(_block, parts_of(block["content"])) if not is_blank(each.get("text"))]
        status = "error" if block["is_error"] else "success"
        about = {"toolUseId": _RULES.identified(block["tool_use_id"]), "content": content or [{"text": _NOTHING}]}
        return {"toolResult": {**about, "status": status}}
    image = image_of(block)
    if image is None:
        return {"text": text_of(block)}
    kind = image.media_type.rpartition("/")[2]
    return {"image": {"format": kind, "source": {"bytes": b64decode(image.data)}}}


def _as_json(value: Any) -> Any:
    if isinstance(value, bytes):
        return {_BYTES: b64encode(value).decode("ascii")}
    if isinstance(value, dict):
        return {name: _as_json(each) for name, each in cast("dict[str, Any]", value).items()}
    return [_as_json(each) for each in _items(value)] if isinstance(value, list) else value


def _from_json(value: Any) -> Any:
    if isinstance(value, dict):
        known = cast("dict[str, Any]", value)
        if known.keys() == {_BYTES}:
            return b64decode(known[_BYTES])
        return {name: _from_json(each) for name, each in known.items()}
    return [_from_json(each) for each in _items(value)] if isinstance(value, list) else value


def _items(value: Any) -> list[Any]:
    found: list[Any] = value
    return found
