"""OpenAI's Chat Completions API, and the many servers that speak it. https://platform.openai.com/docs/api-reference/chat"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from json import dumps
from typing import TYPE_CHECKING, Any

from ..agents.messages import Block, Message, TokenUsage
from ..agents.model_client import ModelReply, ModelRequest, StopReason, TextDelta
from ..results import ToolCall
from .content import (
    Growing,
    Rules,
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
from .failures import incomplete, installed, refused, reported

if TYPE_CHECKING:
    import openai

_NAME = "openai"
_RULES = Rules(r"A-Za-z0-9_-", 64)  # ids go back to the server that made them, as they came
_CUT = ("length", "content_filter")
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
        self._known = accepted(self._client.chat.completions.create)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """See ModelClient."""
        whole = _Whole()
        fields = self._fields(request)
        with reported(_NAME):
            found = await self._client.chat.completions.create(**fields)
            whole.take(found.model_dump(mode="json", warnings=False), "message")
            return whole.reply()

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | ModelReply]:
        """See StreamingModelClient."""
        whole = _Whole()
        fields = {"stream": True, "stream_options": {"include_usage": True}, **self._fields(request)}
        with reported(_NAME):
            async with await self._client.chat.completions.create(**fields) as chunks:
                async for chunk in chunks:
                    text = whole.take(chunk.model_dump(mode="json", warnings=False), "delta")
                    if text:
                        yield TextDelta(text)
            reply = whole.reply()
        yield reply

    def _fields(self, request: ModelRequest) -> dict[str, Any]:
        return in_body(_fields(request), self._known)

    async def aclose(self) -> None:
        """Close the package's client."""
        await self._client.close()


class _Call:
    """A call that comes in pieces."""

    def __init__(self) -> None:
        self.id = ""
        self.name = Growing()
        self.arguments = Growing()

    def add(self, piece: dict[str, Any]) -> None:
        """Take a piece."""
        about = piece.get("function") or inner(piece, "custom")
        self.id = self.id or piece.get("id") or ""
        self.name.add(about.get("name") or "")
        given = about.get("arguments") or about.get("input") or ""
        self.arguments.add(given if isinstance(given, str) else dumps(given))


class _Whole:
    """Puts a reply together from chunks; a reply that is not streamed is one chunk."""

    def __init__(self) -> None:
        self._text = Growing()
        self._refused = False
        self._calls: list[_Call] = []
        self._at: dict[int, _Call] = {}
        self._usage: dict[str, Any] = {}
        self._model = ""
        self._stop: str | None = None

    def take(self, chunk: dict[str, Any], part: str) -> str:
        """Take a chunk; the text that it adds. Raises ModelError for one that tells of a failure."""
        if chunk.get("error"):
            raise refused(_NAME, chunk["error"])
        self._model = chunk.get("model") or self._model
        self._usage = chunk.get("usage") or self._usage
        added = ""
        for choice in inner_list(chunk, "choices"):
            if choice.get("index"):  # another reply to the same, where several were asked for
                continue
            said = inner(choice, part)
            added += _text_of(said.get("content")) + (said.get("refusal") or "")
            self._refused = self._refused or bool(said.get("refusal"))
            for call in inner_list(said, "tool_calls"):
                self._call(call, is_whole=part == "message").add(call)
            self._stop = choice.get("finish_reason") or self._stop
        self._text.add(added)
        return added

    def reply(self) -> ModelReply:
        """The whole. Raises ModelError if its end did not come."""
        if self._stop is None:
            raise incomplete(_NAME)
        calls = [ToolCall(each.id, each.name.text, each.arguments.text) for each in self._calls]
        cut = [each.tool_use_id for each in calls if not each.input] if self._stop in _CUT else ()
        calls = [each if each.input else ToolCall(each.tool_use_id, each.name, "{}") for each in calls]
        message = Message.assistant(self._text.text, calls, truncated=cut)
        stop = _STOPS.get(self._stop, "other")
        stop = "refusal" if self._refused and stop == "end_turn" else stop
        return ModelReply(message, stop, _usage(self._usage), self._model, self._stop)

    def _call(self, piece: dict[str, Any], *, is_whole: bool) -> _Call:
        """The call that a piece belongs to. Servers are known that count none, or give all of them one number."""
        number, name = piece.get("index"), piece.get("id")
        known: _Call | None = None
        if number is not None and not is_whole:
            known = self._at.get(number)
        elif self._calls and not is_whole:
            known = self._calls[-1]
        if known is not None and name and known.id and known.id != name:
            known = next((each for each in self._calls if each.id == name), None)
        if known is None:
            known = _Call()
            self._calls.append(known)
        if number is not None:
            self._at[number] = known
        return known


def _text_of(content: str | Sequence[Block] | None) -> str:
    """The text of a reply, which some servers give in parts."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(each["text"] for each in content if each.get("type") == "text")


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
    return {"name": _RULES.named(use["name"]), "arguments": arguments_text(use)}


def _picture(url: str) -> Block:
    return {"type": "image_url", "image_url": {"url": url}}
