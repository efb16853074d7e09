"""OpenAI's Responses API. https://platform.openai.com/docs/api-reference/responses"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any

from ..agents.messages import Block, Message, Native, TokenUsage
from ..agents.model_client import ModelError, ModelReply, ModelRequest, StopReason, TextDelta
from ..results import ToolCall
from .content import (
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

FORM = "openai-responses"
_RULES = Rules(r"A-Za-z0-9_-", 64, r"\s\S", 64)
_INCOMPLETE: dict[str, StopReason] = {"max_output_tokens": "max_tokens", "content_filter": "refusal"}
_DUMPED: dict[str, Any] = {"mode": "json", "exclude_unset": True, "warnings": False}
_ENDS = ("response.completed", "response.incomplete", "response.failed")


class OpenAIResponsesModelClient:
    """Asks through `openai.AsyncOpenAI` (default: one made from the environment), in Responses.

    What the model thought goes back to it as it came; for requests that OpenAI does not store, ask for it with
    `request_options={"store": False, "include": ["reasoning.encrypted_content"]}`. The API has no field for errors of
    tools: their results begin with `[error]`.
    """

    def __init__(self, client: openai.AsyncOpenAI | None = None, *, target: str = "openai-responses") -> None:
        with installed("openai", "openai"):
            import openai

        self.target = target
        self._client: Any = openai.AsyncOpenAI() if client is None else client
        self._known = accepted(self._client.responses.create)

    async def complete(self, request: ModelRequest) -> ModelReply:
        """See ModelClient."""
        fields = self._fields(request)
        with reported(FORM):
            found = await self._client.responses.create(**fields)
            return _reply(found.model_dump(**_DUMPED))

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | ModelReply]:
        """See StreamingModelClient."""
        whole: dict[str, Any] | None = None
        fields = self._fields(request)
        with reported(FORM):
            async with await self._client.responses.create(**fields, stream=True) as events:
                async for event in events:
                    if event.type in ("response.output_text.delta", "response.refusal.delta"):
                        yield TextDelta(event.delta)
                    elif event.type in _ENDS:
                        whole = event.response.model_dump(**_DUMPED)
                    elif event.type == "error":
                        raise ModelError(f"{FORM}: {event.message}")
            if whole is None:
                raise incomplete(FORM)
            reply = _reply(whole)
        yield reply

    def _fields(self, request: ModelRequest) -> dict[str, Any]:
        return in_body(_fields(request), self._known)

    async def aclose(self) -> None:
        """Close the package's client."""
        await self._client.close()


def _reply(response: dict[str, Any]) -> ModelReply:
    status = response.get("status")
    if status == "failed" or response.get("error"):
        raise refused(FORM, response.get("error"))
    if status not in ("completed", "incomplete"):  # it goes on, or was cancelled
        raise incomplete(FORM)
    items: list[Block] = inner_list(response, "output")
    made = [each for each in items if each["type"] == "function_call"]
    calls = [ToolCall(each.get("call_id") or "", each["name"], each.get("arguments") or "{}") for each in made]
    why = str(inner(response, "incomplete_details").get("reason") or "")
    stop: StopReason = "tool_use" if calls else "refusal" if _refuses(items) else "end_turn"
    cut = [each.get("call_id") or "" for each in made if each.get("status") == "incomplete"]
    if status == "incomplete":
        stop = _INCOMPLETE.get(why, "other")
        cut += [each.get("call_id") or "" for each in made if not each.get("arguments")]
    ours = all(each["type"] in ("message", "function_call") for each in items)
    message = Message.assistant(_said(items), calls, None if ours else Native(FORM, items), truncated=cut)
    detail = why or str(status)
    return ModelReply(message, stop, _usage(inner(response, "usage")), response.get("model") or "", detail)


def _said(items: list[Block]) -> str:
    return "".join(part.get("text") or part.get("refusal") or "" for part in _parts(items))


def _refuses(items: list[Block]) -> bool:
    return any(part.get("refusal") for part in _parts(items))


def _parts(items: list[Block]) -> list[Block]:
    return [part for each in items if each["type"] == "message" for part in inner_list(each, "content")]


def _usage(figures: dict[str, Any]) -> TokenUsage:
    details = inner(figures, "input_tokens_details")
    read, written = figures.get("input_tokens") or 0, figures.get("output_tokens") or 0
    return TokenUsage(read, written, details.get("cached_tokens") or 0, figures)


def _fields(request: ModelRequest) -> dict[str, Any]:
    return with_options(
        {
            "model": request.model,
            "instructions": request.system or None,
            "input": [item for each in request.messages for item in _items(each)],
            "tools": request.tools.entries or None,
            "max_output_tokens": request.max_tokens,
            "temperature": request.temperature,
            "top_p": request.top_p,
        },
        request.options,
    )


def _items(message: Message) -> Iterator[Block]:
    """A message as the API has it: items of a list, of which calls and results are each one."""
    if message.native is not None and message.native.form == FORM:
        yield from (_named(each) for each in message.native.value)
    elif message.role == "assistant":
        if message.text:
            yield {"role": "assistant", "content": message.text}
        for each in message.calls:
            call = {"type": "function_call", "call_id": each["id"], "name": each["name"]}
            yield _named({**call, "arguments": arguments_text(each)})
    else:
        results = [each for each in message.content if each["type"] == "tool_result"]
        yield from ({"type": "function_call_output", **_output(each)} for each in results)
        said = [_part(each) for each in message.content if each["type"] != "tool_result"]
        if said:
            yield {"role": "user", "content": said}


def _named(item: Block) -> Block:
    if item["type"] != "function_call":
        return item
    return {**item, "call_id": _RULES.identified(item["call_id"]), "name": _RULES.named(item["name"])}


def _output(result: Block) -> Block:
    pictures = [_picture(each.url) for each in images_of(result["content"])]
    text = marked_text(result)
    output = [{"type": "input_text", "text": text}, *pictures] if pictures else text
    return {"call_id": _RULES.identified(result["tool_use_id"]), "output": output}


def _part(block: Block) -> Block:
    image = image_of(block)
    return {"type": "input_text", "text": text_of(block)} if image is None else _picture(image.url)


def _picture(url: str) -> Block:
    return {"type": "input_image", "image_url": url, "detail": "auto"}
