"""`MockTransport`: a model that says what was queued, under the names that lauren-ai's tests have for it."""

from __future__ import annotations

import itertools
import json
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ..agents.messages import Message, TokenUsage
from ..agents.model_client import ModelReply, ModelRequest, StopReason, TextDelta
from ..errors import LaurenToolError
from ..results import ToolCall


class EmptyQueueError(LaurenToolError):
    """The model is asked, and nothing is queued."""


@dataclass
class Completion:
    """A whole reply."""

    id: str
    model: str
    content: str
    tool_calls: list[ToolCall]
    stop_reason: str
    usage: TokenUsage


@dataclass
class ToolCallDelta:
    """A piece of a call: `name` comes with the first, `input_delta` are the pieces of its arguments' JSON text."""

    tool_use_id: str
    name: str | None
    input_delta: str


@dataclass
class CompletionChunk:
    """A piece of a reply that is streamed; the last one has `stop_reason` and `usage`."""

    delta: str = ""
    tool_call_delta: ToolCallDelta | None = None
    stop_reason: str | None = None
    usage: TokenUsage | None = None


@dataclass
class CompletionCall:
    """What the model was asked. `messages` are dicts of `role` and `content`."""

    messages: list[dict[str, Any]]
    model: str
    system: str | None = None
    tools: list[Any] | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    stream: bool = False


@dataclass
class MockTransport:
    """Gives what was queued, one reply a request; `calls` are the requests."""

    calls: list[CompletionCall] = field(default_factory=list[CompletionCall])
    _queue: deque[Completion | list[CompletionChunk]] = field(default_factory=deque[Any])
    _numbers: Any = field(default_factory=lambda: itertools.count(1))

    def queue_response(self, completion: Completion) -> None:
        """Queue a whole reply."""
        self._queue.append(completion)

    def queue_stream(self, chunks: Sequence[CompletionChunk]) -> None:
        """Queue a reply in pieces. Raises ValueError if there are none."""
        if not chunks:
            raise ValueError("a stream has at least one chunk")
        self._queue.append(list(chunks))

    def queue_tool_use(
        self,
        tool_name: str,
        tool_input: dict[str, Any],
        *,
        tool_use_id: str | None = None,
        model: str = "mock-model",
        content: str = "",
    ) -> None:
        """Queue a reply with one call."""
        number = f"toolu_{next(self._numbers)}"
        call = ToolCall(tool_use_id or number, tool_name, tool_input)
        self._queue.append(Completion(f"msg_{number}", model, content, [call], "tool_use", TokenUsage(50, 20)))

    def reset(self) -> None:
        """Forget what was queued, and what was asked."""
        self._queue.clear()
        self.calls.clear()

    def taken(self, call: CompletionCall) -> Completion | list[CompletionChunk]:
        """The next reply. Raises EmptyQueueError if there is none."""
        if not self._queue:
            raise EmptyQueueError(
                f"the model is asked once more (request {len(self.calls) + 1}), and nothing is queued"
            )
        self.calls.append(call)
        return self._queue.popleft()


class MockModel:
    """The model client that a MockTransport is to agents."""

    target = "anthropic"

    def __init__(self, transport: MockTransport, model: str) -> None:
        self._transport = transport
        self.default_model = model

    async def complete(self, request: ModelRequest) -> ModelReply:
        """See ModelClient."""
        return _reply(self._transport.taken(_call(request, stream=False)))

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | ModelReply]:
        """See StreamingModelClient."""
        queued = self._transport.taken(_call(request, stream=True))
        texts = [queued.content] if isinstance(queued, Completion) else [chunk.delta for chunk in queued]
        for text in texts:
            if text:
                yield TextDelta(text)
        yield _reply(queued)


def _call(request: ModelRequest, *, stream: bool) -> CompletionCall:
    return CompletionCall(
        [each.to_json() for each in request.messages],
        request.model,
        request.system,
        list(request.tools.entries) or None,
        request.max_tokens,
        request.temperature,
        stream,
    )


def _reply(queued: Completion | list[CompletionChunk]) -> ModelReply:
    whole = queued if isinstance(queued, Completion) else _whole(queued)
    message = Message.assistant(whole.content, whole.tool_calls)
    return ModelReply(message, cast(StopReason, whole.stop_reason), whole.usage, whole.model)


def _whole(chunks: Sequence[CompletionChunk]) -> Completion:
    """The reply that chunks are the pieces of."""
    names: dict[str, str] = {}
    arguments: dict[str, str] = {}
    for each in chunks:
        delta = each.tool_call_delta
        if delta is not None:
            names.setdefault(delta.tool_use_id, delta.name or "")
            arguments[delta.tool_use_id] = arguments.get(delta.tool_use_id, "") + delta.input_delta
    calls = [ToolCall(number, name, json.loads(arguments[number] or "{}")) for number, name in names.items()]
    stop = next((each.stop_reason for each in chunks if each.stop_reason), "tool_use" if calls else "end_turn")
    usage = next((each.usage for each in reversed(chunks) if each.usage), TokenUsage())
    return Completion("msg_stream", "mock-model", "".join(each.delta for each in chunks), calls, stop, usage)
