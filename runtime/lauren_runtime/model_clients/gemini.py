"""Google's Gemini API. https://ai.google.dev/gemini-api/docs/function-calling, and …/thought-signatures"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from itertools import groupby
from json import dumps
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ..agents.messages import Block, Message, Native, TokenUsage
from ..agents.model_client import ModelReply, ModelRequest, StopReason, TextDelta
from ..results import ToolCall
from .content import (
    Rules,
    arguments_object,
    image_of,
    images_of,
    inner,
    inner_list,
    plain_text,
    text_of,
    with_options,
)
from .failures import incomplete, installed, reported

if TYPE_CHECKING:
    from google import genai

FORM = "gemini"
_OURS = "lauren-"
"""What ids begin with that were made here: the API may leave them out, and then does not want any back."""
_STOPS: dict[str, StopReason] = {
    "STOP": "end_turn",
    "MAX_TOKENS": "max_tokens",
    **dict.fromkeys(("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"), "refusal"),
}
_RULES = Rules(r"A-Za-z0-9_.:-", 64)
_CUT = ("max_tokens", "refusal")
_PLAIN = {"text", "functionCall"}


class GeminiModelClient:
    """Asks through `google.genai.Client` (default: one made from the environment)."""

    def __init__(self, client: genai.Client | None = None, *, target: str = "gemini") -> None:
        with installed("google-genai", "gemini"):
            from google import genai

        self.target = target
        self._client: Any = genai.Client() if client is None else client
        self._types: Any = genai.types

    async def complete(self, request: ModelRequest) -> ModelReply:
        """See ModelClient."""
        whole = _Whole()
        fields = self._fields(request)
        with reported(FORM):
            whole.take(_dumped(await self._client.aio.models.generate_content(**fields)))
            return whole.reply()

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | ModelReply]:
        """See StreamingModelClient."""
        whole = _Whole()
        fields = self._fields(request)
        with reported(FORM):
            chunks = await self._client.aio.models.generate_content_stream(**fields)
            async with aclosing(chunks):
                async for chunk in chunks:
                    text = whole.take(_dumped(chunk))
                    if text:
                        yield TextDelta(text)
            reply = whole.reply()
        yield reply

    async def aclose(self) -> None:
        """Close the package's client."""
        await self._client.aio.aclose()
        self._client.close()

    def _fields(self, request: ModelRequest) -> dict[str, Any]:
        config = {
            "system_instruction": request.system or None,
            "tools": request.tools.entries or None,
            "max_output_tokens": request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
            "automatic_function_calling": {"disable": True},  # the runner makes the calls
        }
        contents = [self._types.Content.model_validate_json(dumps(each)) for each in _contents(request.messages)]
        return {"model": request.model, "contents": contents, "config": with_options(config, request.options)}


class _Whole:
    """Puts a reply together from chunks; a reply that is not streamed is one chunk."""

    def __init__(self) -> None:
        self._parts: list[Block] = []
        self._usage: dict[str, Any] = {}
        self._model = ""
        self._stop: str | None = None

    def take(self, chunk: dict[str, Any]) -> str:
        """Take a chunk; the text that it adds."""
        self._usage = chunk.get("usageMetadata") or self._usage
        self._model = chunk.get("modelVersion") or self._model
        blocked = inner(chunk, "promptFeedback").get("blockReason")
        self._stop = "SAFETY" if blocked else self._stop
        added = ""
        for candidate in inner_list(chunk, "candidates")[:1]:
            parts = inner_list(inner(candidate, "content"), "parts")
            self._parts += parts
            added = _text(parts)
            self._stop = candidate.get("finishReason") or self._stop
        return added

    def reply(self) -> ModelReply:
        """The whole. Raises ModelError if its end did not come."""
        if self._stop is None:
            raise incomplete(FORM)
        parts = _joined(self._parts)
        made = [part["functionCall"] for part in parts if "functionCall" in part]
        calls = [ToolCall(each.get("id") or _new_id(), each.get("name") or "", inner(each, "args")) for each in made]
        # Of a reply that was cut off in its last part nothing tells whether that part is whole.
        stop = _STOPS.get(self._stop, "other")
        is_cut = stop in _CUT and calls and "functionCall" in parts[-1]
        native = None if all(part.keys() <= _PLAIN for part in parts) else Native(FORM, parts)
        message = Message.assistant(_text(parts), calls, native, truncated=calls[-1].tool_use_id if is_cut else None)
        return ModelReply(message, stop, _usage(self._usage), self._model, self._stop)


def _joined(parts: Sequence[Block]) -> list[Block]:
    """With pieces of a text in one, so that what goes back is as short as it can be."""
    made: list[Block] = []
    for is_text, run in groupby(parts, lambda part: part.keys() == {"text"}):
        found = list(run)
        made += [{"text": "".join(part["text"] for part in found)}] if is_text else found
    return made


def _text(parts: Sequence[Block]) -> str:
    return "".join(part["text"] for part in parts if part.get("text") and not part.get("thought"))


def _new_id() -> str:
    return f"{_OURS}{uuid4().hex}"


def _dumped(response: Any) -> dict[str, Any]:
    found: dict[str, Any] = response.model_dump(mode="json", by_alias=True, exclude_none=True, warnings=False)
    return found


def _usage(figures: dict[str, Any]) -> TokenUsage:
    written = (figures.get("candidatesTokenCount") or 0) + (figures.get("thoughtsTokenCount") or 0)
    read, cached = figures.get("promptTokenCount") or 0, figures.get("cachedContentTokenCount") or 0
    return TokenUsage(read, written, cached, figures)


def _contents(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The conversation as the API has it. Results go by the name of the tool, too."""
    names = {call["id"]: _named(call["name"]) for message in messages for call in message.calls}
    made: list[dict[str, Any]] = []
    for message in messages:
        if message.native is not None and message.native.form == FORM:
            parts = [_taken_back(part) for part in message.native.value]
        else:
            parts = [part for block in message.content for part in _parts(block, names)]
        if parts:
            made.append({"role": "model" if message.role == "assistant" else "user", "parts": parts})
    return made


def _parts(block: Block, names: dict[str, str]) -> list[Block]:
    if block["type"] == "tool_use":
        return [{"functionCall": {**_id(block["id"]), "name": _named(block["name"]), "args": arguments_object(block)}}]
    if block["type"] == "tool_result":
        told = plain_text(block["content"])
        response = {"error": told} if block["is_error"] else {"output": told}
        about = {**_id(block["tool_use_id"]), "name": names.get(block["tool_use_id"], ""), "response": response}
        pictures = [_picture(each.media_type, each.data) for each in images_of(block["content"])]
        return [{"functionResponse": about}, *pictures]
    image = image_of(block)
    return [{"text": text_of(block)} if image is None else _picture(image.media_type, image.data)]


def _taken_back(part: Block) -> Block:
    call = part.get("functionCall")
    return {**part, "functionCall": {**call, "name": _named(call.get("name") or "")}} if call else part


def _named(name: str) -> str:
    """The API wants a letter first, or `_`."""
    made = _RULES.named(name)
    return made if made[0].isalpha() or made[0] == "_" else f"_{made}"[: _RULES.longest_name]


def _id(tool_use_id: str) -> dict[str, str]:
    return {} if tool_use_id.startswith(_OURS) else {"id": tool_use_id}


def _picture(media_type: str, data: str) -> Block:
    return {"inlineData": {"mimeType": media_type, "data": data}}
