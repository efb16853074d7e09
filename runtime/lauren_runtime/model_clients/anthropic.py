"""Anthropic's Messages API. https://docs.anthropic.com/en/api/messages, and …/messages-streaming for the events."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import TYPE_CHECKING, Any

from ..agents.messages import Block, Message, Native, TokenUsage
from ..agents.model_client import ModelReply, ModelRequest, StopReason, TextDelta
from ..results import ToolCall
from .content import (
    Growing,
    Rules,
    accepted,
    arguments_object,
    image_of,
    in_body,
    inner,
    is_blank,
    parts_of,
    text_of,
    with_options,
)
from .failures import incomplete, installed, refused, reported

if TYPE_CHECKING:
    import anthropic

FORM = "anthropic"
_RULES = Rules(r"A-Za-z0-9_-", 128, r"A-Za-z0-9_-", 256)
_CUT = ("max_tokens", "model_context_window_exceeded", "refusal")
_DUMPED: dict[str, Any] = {"mode": "json", "exclude_unset": True, "warnings": False}
_STOPS: dict[str, StopReason] = {
    "end_turn": "end_turn",
    "tool_use": "tool_use",
    "max_tokens": "max_tokens",
    "model_context_window_exceeded": "max_tokens",
    "stop_sequence": "stop_sequence",
    "refusal": "refusal",
    "pause_turn": "pause",
}


class AnthropicModelClient:
    """Asks Claude, through `anthropic.AsyncAnthropic` (default: one made from the environment)."""

    def __init__(self, client: anthropic.AsyncAnthropic | None = None, *, target: str = "anthropic") -> None:
        with installed("anthropic", "anthropic"):
            import anthropic

        self.target = target
        self._client: Any = anthropic.AsyncAnthropic() if client is None else client
        self._known = accepted(self._client.messages.create)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """See ModelClient."""
        fields = self._fields(request)
        with reported(FORM):
            found = (await self._client.messages.create(**fields)).model_dump(**_DUMPED)
            if found.get("type") == "error":
                raise refused(FORM, found.get("error"))
            content = found["content"]
            # Of a reply that was cut off in its last block nothing tells whether that block is whole.
            cut = content[-1].get("id") if found.get("stop_reason") in _CUT and content else None
            return _reply(content, found.get("stop_reason"), _usage(inner(found, "usage")), found.get("model"), cut)

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | ModelReply]:
        """See StreamingModelClient."""
        whole = _Whole()
        fields = self._fields(request)
        with reported(FORM):
            async with await self._client.messages.create(**fields, stream=True) as events:
                async for event in events:
                    text = whole.take(event.model_dump(**_DUMPED))
                    if text:
                        yield TextDelta(text)
            reply = whole.reply()
        yield reply

    def _fields(self, request: ModelRequest) -> dict[str, Any]:
        return in_body(_fields(request), self._known)

    async def aclose(self) -> None:
        """Close the package's client."""
        await self._client.close()


class _Whole:
    """Puts a reply together from its events."""

    def __init__(self) -> None:
        self._blocks: dict[int, Block] = {}
        self._arguments: dict[int, Growing] = {}
        self._texts: dict[tuple[int, str], Growing] = {}
        """Fields of blocks, by the block's number and their names."""
        self._usage: dict[str, Any] = {}
        self._model = ""
        self._stop: str | None = None
        self._is_over = False

    def take(self, event: dict[str, Any]) -> str:
        """Take an event; the text that it adds."""
        kind = event["type"]
        if kind == "message_start":
            self._model = event["message"].get("model", "")
            self._usage.update(event["message"].get("usage", {}))
        elif kind == "content_block_start":
            self._blocks[event["index"]] = dict(event["content_block"])
        elif kind == "content_block_delta":
            return self._add(event["index"], event["delta"])
        elif kind == "message_delta":
            self._stop = event["delta"].get("stop_reason")
            self._usage.update({name: value for name, value in event.get("usage", {}).items() if value is not None})
        elif kind == "message_stop":
            self._is_over = True
        return ""

    def reply(self) -> ModelReply:
        """The whole. Raises ModelError if its end did not come."""
        if not self._is_over:
            raise incomplete(FORM)
        cut = None
        for (number, name), growing in self._texts.items():
            self._blocks[number][name] = growing.text
        for number, block in self._blocks.items():
            text = self._arguments[number].text if number in self._arguments else ""
            if "input" in block:
                block["input"] = text or {}
                cut = block.get("id") if not text and self._stop in _CUT else cut
        content = [self._blocks[number] for number in sorted(self._blocks)]
        return _reply(content, self._stop, _usage(self._usage), self._model, cut)

    def _add(self, number: int, delta: dict[str, Any]) -> str:
        block = self._blocks[number]
        if delta["type"] == "input_json_delta":
            self._arguments.setdefault(number, Growing()).add(delta["partial_json"])
        elif delta["type"] == "citations_delta":
            block.setdefault("citations", []).append(delta["citation"])
        else:  # text_delta, thinking_delta, signature_delta: a field of the block's, by its own name
            for name, more in delta.items():
                if name != "type":
                    growing = self._texts.get((number, name))
                    if growing is None:
                        growing = self._texts[number, name] = Growing(block.get(name) or "")
                    growing.add(more)
        return delta.get("text", "") if delta["type"] == "text_delta" else ""


def _reply(content: list[Block], stop: str | None, usage: TokenUsage, model: str | None, cut: str | None) -> ModelReply:
    content = [each for each in content if each["type"] != "text" or each["text"]]
    calls = [
        ToolCall(each.get("id", ""), each["name"], each["input"]) for each in content if each["type"] == "tool_use"
    ]
    text = "".join(each["text"] for each in content if each["type"] == "text")
    ours = all(each["type"] in ("text", "tool_use") for each in content)
    native = None if ours else Native(FORM, [_taken_back(each) for each in content])
    message = Message.assistant(text, calls, native, truncated=cut)
    return ModelReply(message, _STOPS.get(stop or "", "other"), usage, model or "", stop or "")


def _taken_back(block: Block) -> Block:
    """A block as the API takes it in a request: arguments are an object there."""
    return {**block, "input": arguments_object(block)} if "input" in block else block


def _usage(figures: dict[str, Any]) -> TokenUsage:
    read, written = figures.get("cache_read_input_tokens") or 0, figures.get("cache_creation_input_tokens") or 0
    total = (figures.get("input_tokens") or 0) + read + written
    return TokenUsage(total, figures.get("output_tokens") or 0, read, figures)


def _fields(request: ModelRequest) -> dict[str, Any]:
    return with_options(
        {
            "model": request.model,
            "max_tokens": request.max_tokens or 4096,  # the API wants one
            "system": request.system or None,
            "messages": [made for each in request.messages if (made := _message(each))["content"]],
            "tools": request.tools.entries or None,
            "temperature": request.temperature,
            "top_p": request.top_p,
        },
        request.options,
    )


def _message(message: Message) -> dict[str, Any]:
    if message.native is not None and message.native.form == FORM:
        return {"role": message.role, "content": _shown([_named(each) for each in message.native.value])}
    return {"role": message.role, "content": _content(message.content)}


def _content(blocks: Sequence[Block]) -> list[Block]:
    return _shown([_block(each) for each in blocks])


def _shown(blocks: list[Block]) -> list[Block]:
    """Without texts of spaces alone, which the API does not take."""
    return [each for each in blocks if each["type"] != "text" or not is_blank(each["text"])]


def _named(use: Block) -> Block:
    if use["type"] != "tool_use":
        return use
    return {**use, "id": _RULES.identified(use["id"]), "name": _RULES.named(use["name"])}


def _block(block: Block) -> Block:
    if block["type"] == "tool_use":
        use = {"type": "tool_use", "id": block["id"], "name": block["name"], "input": arguments_object(block)}
        return _named(use)
    if block["type"] == "tool_result":
        made: Block = {"type": "tool_result", "tool_use_id": _RULES.identified(block["tool_use_id"])}
        content = _content(parts_of(block["content"]))
        if content:
            made["content"] = content
        return {**made, "is_error": True} if block["is_error"] else made
    if (image := image_of(block)) is not None:
        return {"type": "image", "source": {"type": "base64", "media_type": image.media_type, "data": image.data}}
    if block["type"] in ("document", "search_result") and "source" in block:
        return block  # in Anthropic's own form
    return {"type": "text", "text": text_of(block)}
