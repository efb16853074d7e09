"""For tests of your own tools: calls in one line, hooks and caches that record, and what a model sees.

client = ToolClient(TABLE)
assert client.call("get_weather", city="Paris").content == "sunny"
client.refuses("get_weather", {"city": 1}, match="city: expected a string")
"""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar, cast

from .approval import ToolPendingApprovalSignal
from .context import ToolCallContext, ToolContext
from .executor import ToolExecutor
from .hooks import AfterToolHookDecision, BeforeToolHookDecision, ErrorToolHookDecision, ToolHook
from .results import ToolCall, ToolResult
from .table import Table

_T = TypeVar("_T")
Approve = bool | Callable[[ToolPendingApprovalSignal], bool | dict[str, Any]]


class ToolClient:
    """Calls the tools of a table as an agent would; `options` are those of `ToolExecutor`.

    `context` is given to every call that brings none. One client is one executor: caches, hook objects and tool classes
    live as long as it does.
    """

    def __init__(self, table: Table, *, context: ToolContext | None = None, **options: Any) -> None:
        self.executor = ToolExecutor(table, **options)
        self._context = context
        self._numbers = itertools.count(1)

    def call(
        self,
        tool: Any,
        input: Any = None,
        /,
        *,
        context: ToolContext | None = None,
        approve: Approve | None = None,
        **arguments: Any,
    ) -> ToolResult:
        """The result of one call, in an event loop of its own.

        `tool` is a name, or the tool's object. The arguments are JSON values, by keyword; or `input`: a dict, or the
        text that a model would send. `approve` answers for the human: True, False, or a function of the signal that
        may give edited arguments; without it a call that needs approval raises ToolPendingApprovalSignal.
        Raises RuntimeError inside a running event loop (use `acall`), TypeError for both ways of arguments at once, and
        for any other answer: None approves nothing.
        """
        return _run(lambda: self.acall(tool, input, context=context, approve=approve, **arguments))

    async def acall(
        self,
        tool: Any,
        input: Any = None,
        /,
        *,
        context: ToolContext | None = None,
        approve: Approve | None = None,
        **arguments: Any,
    ) -> ToolResult:
        """`call`, awaited."""
        call = self._call(tool, input, arguments)
        given = context if context is not None else self._context
        try:
            return await self.executor.execute(call, given)
        except ToolPendingApprovalSignal as signal:
            if approve is None:
                raise
            answer = cast(object, approve(signal) if callable(approve) else approve)
            if answer is False:
                return ToolResult.error("a human rejected the call", call.tool_use_id)
            if answer is not True and not isinstance(answer, dict):
                raise TypeError(
                    f"`approve` answers True, False or a dict of edited arguments, not {answer!r}"
                ) from None
            edited = signal.tool_input if answer is True else cast("dict[str, Any]", answer)
            return await self.executor.execute_approved(call, given, edited)

    def stream(
        self, tool: Any, input: Any = None, /, *, context: ToolContext | None = None, **arguments: Any
    ) -> list[ToolResult]:
        """The partial results of a generator tool, and the whole one last."""
        call = self._call(tool, input, arguments)
        given = context if context is not None else self._context

        async def collected() -> list[ToolResult]:
            return [result async for result in self.executor.execute_stream(call, given)]

        return _run(collected)

    def refuses(self, tool: Any, input: Any = None, /, *, match: str = "", **arguments: Any) -> str:
        """Assert that a call is an error, whose text the regular expression `match` is found in; returns that text.

        Raises AssertionError, with the text that the model would see.
        """
        result = self.call(tool, input, **arguments)
        told = seen_by_model(result)
        if not result.is_error:
            raise AssertionError(f"the call is no error: {told!r}")
        if re.search(match, told) is None:
            raise AssertionError(f"{match!r} is not in what the model sees: {told!r}")
        return told

    def _call(self, tool: Any, input: Any, arguments: dict[str, Any]) -> ToolCall:
        if input is not None and arguments:
            raise TypeError("give the arguments by keyword, or as one object, not both")
        name = tool if isinstance(tool, str) else self.executor.table.select(tool).names[0]
        return ToolCall(f"call_{next(self._numbers)}", name, arguments if input is None else input)


def seen_by_model(result: ToolResult) -> str:
    """The text of a result; of content blocks, those that are text, and the kinds of the others in brackets."""
    if isinstance(result.content, str):
        return result.content
    return "\n".join(
        str(block["text"]) if block.get("type") == "text" else f"[{block.get('type')}]" for block in result.content
    )


class RecordingHook(ToolHook):
    """A hook that keeps what it is told, and decides as it was told to.

    `before` has a copy of the JSON arguments of each call, `after` the results, `errors` the exceptions.
    """

    def __init__(
        self,
        before: BeforeToolHookDecision | None = None,
        after: AfterToolHookDecision | None = None,
        on_error: ErrorToolHookDecision | None = None,
    ) -> None:
        self.before: list[tuple[str, dict[str, Any]]] = []
        self.after: list[tuple[str, Any]] = []
        self.errors: list[tuple[str, Exception]] = []
        self._decisions = (before, after, on_error)

    def before_tool_call(self, ctx: ToolCallContext) -> BeforeToolHookDecision | None:
        self.before.append((ctx.tool_name, dict(ctx.tool_input)))
        return self._decisions[0]

    def after_tool_call(self, result: Any, ctx: ToolCallContext) -> AfterToolHookDecision | None:
        self.after.append((ctx.tool_name, result))
        return self._decisions[1]

    def on_tool_error(self, error: Exception, ctx: ToolCallContext) -> ErrorToolHookDecision | None:
        self.errors.append((ctx.tool_name, error))
        return self._decisions[2]


class FakeCache:
    """A cache backend in a dict, with a clock that only `advance` moves. `failing` names methods that raise."""

    def __init__(self, failing: tuple[str, ...] = ()) -> None:
        self.kept: dict[str, str] = {}
        self.asked: list[tuple[str, str]] = []
        self.failing = set(failing)
        self._until: dict[str, float] = {}
        self._now = 0.0

    def advance(self, seconds: float) -> None:
        """Let time pass; what it is over for is forgotten."""
        self._now += seconds
        for key in [key for key, until in self._until.items() if until <= self._now]:
            del self.kept[key], self._until[key]

    def get(self, key: str) -> str | None:
        self._note("get", key)
        return self.kept.get(key)

    def set(self, key: str, value: str, *, ttl: float) -> None:
        self._note("set", key)
        self.kept[key], self._until[key] = value, self._now + ttl

    def delete(self, key: str) -> None:
        self._note("delete", key)
        self.kept.pop(key, None)
        self._until.pop(key, None)

    def _note(self, method: str, key: str) -> None:
        self.asked.append((method, key))
        if method in self.failing:
            raise ConnectionError(f"this cache fails at `{method}`")


def _run(make: Callable[[], Coroutine[Any, Any, _T] | Awaitable[_T]]) -> _T:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_awaited(make()))
    raise RuntimeError("an event loop is running here: await `acall` instead of `call`")


async def _awaited(work: Awaitable[_T]) -> _T:
    return await work
