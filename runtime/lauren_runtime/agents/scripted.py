"""A model that says what a test tells it to. Reached as `lauren_runtime.testing`."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias, cast

from ..results import ToolCall
from .messages import Block, Message, TokenUsage
from .model_client import ModelError, ModelReply, ModelRequest, StopReason, TextDelta

Line: TypeAlias = "str | ToolCall | Sequence[ToolCall] | ModelReply | BaseException | Callable[[ModelRequest], Line]"
"""One reply of a script: text; a call, or several; a whole reply; what is raised; a function of these."""

_numbers = itertools.count(1)


def asks(tool: str, /, **arguments: Any) -> ToolCall:
    """A call as a model makes it, under an id of its own."""
    return ToolCall(f"toolu_{next(_numbers)}", tool, arguments)


def reply(
    text: str = "",
    *calls: ToolCall,
    stop_reason: StopReason | None = None,
    usage: TokenUsage | None = None,
    truncated: str | None = None,
) -> ModelReply:
    """A whole reply. `truncated` is the id of a call whose arguments were cut off."""
    return ModelReply(
        Message.assistant(text, calls, truncated=truncated),
        stop_reason or ("tool_use" if calls else "end_turn"),
        usage or TokenUsage(1, 1),
    )


class ScriptedModel:
    """A model client that gives the replies of a script, one after the other, whoever asks.

    `requests` are what it was asked. Streamed, a text comes word by word. `target` is one of the build's.
    Raises TypeError for what is no reply, and AssertionError when it is asked more often than its script has replies.
    """

    def __init__(self, *script: Line, target: str = "anthropic") -> None:
        self.target = target
        self.requests: list[ModelRequest] = []
        for line in script:
            _check(line)
        self._script = list(script)
        self._length = len(script)

    @property
    def results(self) -> list[Block]:
        """The results of calls in the last message that the model was told."""
        return [each for each in self.requests[-1].messages[-1].content if each["type"] == "tool_result"]

    @property
    def is_done(self) -> bool:
        """Whether all replies were given."""
        return not self._script

    async def complete(self, request: ModelRequest) -> ModelReply:
        """The next reply of the script."""
        return self._next(request)

    async def stream(self, request: ModelRequest) -> AsyncIterator[TextDelta | ModelReply]:
        """The next reply, its text word by word; a reply whose `stop_detail` is "disconnect" breaks off after it."""
        found = self._next(request)
        for word in found.message.text.replace(" ", " \0").split("\0"):
            yield TextDelta(word)
        if found.stop_detail == "disconnect":
            raise ModelError("the connection broke")
        yield found

    def _next(self, request: ModelRequest) -> ModelReply:
        self.requests.append(replace(request, messages=list(request.messages)))
        if not self._script:
            told = "1 reply" if self._length == 1 else f"{self._length} replies"
            raise AssertionError(f"the model is asked once more, but its script has {told}")
        return _said(self._script.pop(0), request)


def disconnected(text: str = "") -> ModelReply:
    """A streamed reply that breaks off after this text."""
    return replace(reply(text), stop_detail="disconnect")


def _said(line: Line, request: ModelRequest) -> ModelReply:
    while callable(line):
        line = line(request)
        _check(line)
    if isinstance(line, BaseException):
        raise line
    if isinstance(line, ModelReply):
        return line
    if isinstance(line, str):
        return reply(line)
    return reply("", *([line] if isinstance(line, ToolCall) else line))


def _check(line: object) -> None:
    """Raise TypeError for what no model says."""
    if isinstance(line, (list, tuple)):
        fits = all(isinstance(each, ToolCall) for each in cast("Sequence[object]", line))
    else:
        fits = callable(line) or isinstance(line, (str, ToolCall, ModelReply, BaseException))
    if not fits:
        raise TypeError(f"a script has texts, calls, replies, exceptions and functions of a request; not {line!r}")
