"""What stands between an agent and its model: one request, one reply. Docs: writing-a-model-client.md."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from json import loads
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from ..errors import LaurenToolError
from .messages import Message, TokenUsage

StopReason: TypeAlias = Literal["end_turn", "tool_use", "max_tokens", "stop_sequence", "refusal", "pause", "other"]
"""Why a reply ended. "pause": the provider wants the same conversation again; "other": a reason we do not know."""


class ToolList:
    """The tools of one agent as one provider takes them: the compiled bytes, and what they hold, parsed once."""

    def __init__(self, json: bytes) -> None:
        self.json = json

    @cached_property
    def entries(self) -> list[Any]:
        """What goes into the request's `tools`. It is shared: do not change it."""
        found: list[Any] = loads(self.json)
        return found

    def __bool__(self) -> bool:
        return bool(self.entries)


@dataclass(frozen=True)
class ModelRequest:
    """One question to the model.

    tools: in the form of the client's `target`. temperature, top_p: None is the provider's default. options: further
    fields of the request, as the provider names them; they win over what the client would set.
    """

    model: str
    messages: Sequence[Message]
    system: str | None = None
    tools: ToolList = field(default_factory=lambda: ToolList(b"[]"))
    max_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class ModelReply:
    """The model's answer, whole.

    Arguments of calls stay the text that came: the executor reads it, and says to the model what is wrong with it.
    `stop_detail` is the provider's own word for `stop_reason`.
    """

    message: Message
    stop_reason: StopReason = "end_turn"
    usage: TokenUsage = field(default_factory=TokenUsage)
    model: str = ""
    stop_detail: str = ""


@dataclass(frozen=True)
class TextDelta:
    """A piece of a reply's text."""

    text: str


class ModelClient(Protocol):
    """Asks a model. `target` is the provider whose compiled tool lists it sends, a target of the build."""

    target: str

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The reply to a request. Raises ModelError if there is none."""
        ...


@runtime_checkable
class StreamingModelClient(Protocol):
    """A ModelClient that gives its replies in pieces, too."""

    target: str

    async def complete(self, request: ModelRequest) -> ModelReply:
        """As ModelClient."""
        ...

    def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | ModelReply]:
        """The reply in pieces, and the whole of it last. Raises ModelError, also where the connection breaks."""
        ...


class ModelError(LaurenToolError):
    """The model gave no reply. `status` is the HTTP status, `retry_after` the seconds the provider asked to wait."""

    def __init__(self, message: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after
