"""OpenAI's Chat Completions API, and the many servers that speak it. https://platform.openai.com/docs/api-reference/chat"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

from ..agents.messages import Block, Message, TokenUsage
from ..agents.model_client import ModelReply, ModelRequest, StopReason, TextDelta
from ..results import ToolCall
from .content import (
    accepted,
    arguments_text,
    image_of,
    images_of,
    in_body,
    inner,
    inner_list,
    marked_text,
    text_of,
    with_options,
)
from .failures import incomplete, installed, reported

if TYPE_CHECKING:
    import openai

_NAME = "openai"
_STOPS: dict[str, StopReason] = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "function_call": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}


class OpenAIModelClient:
    """Asks through `openai.AsyncOpenAI` (default: one made from the environment), in Chat Completions.

    The API has no field for errors of tools: their results begin with `[error]`.
    """

    def __init__(self, client: openai.AsyncOpenAI | None = None, *, target: str = "openai") -> None:
        with installed("openai", "openai"):
            import openai

        self.target = target
        self._client: Any = openai.AsyncOpenAI() if client is None else client
        self._errors = openai.OpenAIError
        self._known = accepted(self._client.chat.completions.create)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """See ModelClient."""
        with reported(_NAME, self._errors):
            found = await self._client.chat.completions.create(**self._fields(request))
        whole = _Whole()
        whole.take(found.model_dump(mode="json"), "message")
        return whole.reply()

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | ModelReply]:
        """See StreamingModelClient."""
        whole = _Whole()
        asked = {"stream": True, "stream_options": {"include_usage": True}}
        with reported(_NAME, self._errors):
            async with await self._client.chat.completions.create(**{**asked, **self._fields(request)}) as chunks:
                async for chunk in chunks:
                    text = whole.take(chunk.model_dump(mode="json"), "delta")
                    if text:
                        yield TextDelta(text)
        yield whole.reply()

    def _fields(self, request: ModelRequest) -> dict[str, Any]:
        return in_body(_fields(request), self._known)

    async def aclose(self) -> None:
        """Close the package's client."""
        await self._client.close()


class _Whole:
    """Puts a reply together from chunks; a reply that is not streamed is one chunk."""

    def __init__(self) -> None:
        self._text = ""
        self._calls: dict[int, dict[str, str]] = {}
        self._usage: dict[str, Any] = {}
        self._model = ""
        self._stop: str | None = None

    def take(self, chunk: dict[str, Any], part: str) -> str:
        """Take a chunk; the text that it adds."""
        self._model = chunk.get("model") or self._model
        self._usage = chunk.get("usage") or self._usage
        added = ""
        for choice in inner_list(chunk, "choices"):
            said = inner(choice, part)
            added += (said.get("content") or "") + (said.get("refusal") or "")
            for number, call in enumerate(inner_list(said, "tool_calls")):
                self._add(call.get("index", number), call)
            self._stop = choice.get("finish_reason") or self._stop
        self._text += added
        return added

    def reply(self) -> ModelReply:
        """The whole. Raises ModelError if its end did not come."""
        if self._stop is None:
            raise incomplete(_NAME)
        calls = [ToolCall(each["id"], each["name"], each["arguments"] or "{}") for each in self._calls.values()]
        cut = None
        if self._stop == "length" and calls:
            last = list(self._calls.values())[-1]
            cut = None if last["arguments"] else last["id"]
        message = Message.assistant(self._text, calls, truncated=cut)
        return ModelReply(message, _STOPS.get(self._stop, "other"), _usage(self._usage), self._model, self._stop)

    def _add(self, number: int, call: dict[str, Any]) -> None:
        known = self._calls.setdefault(number, {"id": "", "name": "", "arguments": ""})
        about = call.get("function") or inner(call, "custom")
        known["id"] = known["id"] or call.get("id") or ""
        known["name"] += about.get("name") or ""
        known["arguments"] += about.get("arguments") or about.get("input") or ""


def _usage(figures: dict[str, Any]) -> TokenUsage:
    details = inner(figures, "prompt_tokens_details")
    read, written = figures.get("prompt_tokens") or 0, figures.get("completion_tokens") or 0
    return TokenUsage(read, written, details.get("cached_tokens") or 0, figures)


def _fields(request: ModelRequest) -> dict[str, Any]:
    system = [{"role": "system", "content": request.system}] if request.system else []
    return with_options(
        {
            "model": request.model,
            "messages": [*system, *(made for each in request.messages for made in _messages(each))],
            "tools": request.tools.entries or None,
            "max_completion_tokens": request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
        },
        request.options,
    )


def _messages(message: Message) -> Iterator[dict[str, Any]]:
    """A message as the API has it: each result is one of its own, and pictures are the user's."""
    if message.role == "assistant":
        if message.content:
            yield _assistant(message)
        return
    parts: list[Block] = []
    for block in message.content:
        if block["type"] == "tool_result":
            yield {"role": "tool", "tool_call_id": block["tool_use_id"], "content": marked_text(block)}
            parts += [_picture(each.url) for each in images_of(block["content"])]
        else:
            image = image_of(block)
            parts.append({"type": "text", "text": text_of(block)} if image is None else _picture(image.url))
    if parts:
        only = parts[0]["text"] if len(parts) == 1 and parts[0]["type"] == "text" else parts
        yield {"role": "user", "content": only}


def _assistant(message: Message) -> dict[str, Any]:
    made: dict[str, Any] = {"role": "assistant", "content": message.text or None}
    if message.calls:
        made["tool_calls"] = [
            {"id": each["id"], "type": "function", "function": _function(each)} for each in message.calls
        ]
    return made


def _function(use: Block) -> dict[str, str]:
    return {"name": use["name"], "arguments": arguments_text(use)}


def _picture(url: str) -> Block:
    return {"type": "image_url", "image_url": {"url": url}}
