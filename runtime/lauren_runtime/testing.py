"""For tests of your own tools and agents: calls in one line, hooks and caches that record, and what a model sees.

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

from .agents.context import AgentResponse
from .agents.messages import Block
from .agents.runner import AgentRunner
from .agents.scripted import Line as Line
from .agents.scripted import ScriptedModel as ScriptedModel
from .agents.scripted import asks as asks
from .agents.scripted import disconnected as disconnected
from .agents.scripted import reply as reply
from .agents.signals import Signal, ToolPendingApproval
from .approval import ToolPendingApprovalSignal
from .approvals.approvals import Approvals
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
        return _run(lambda: self.acall(tool, input, context=context, approve=approve, **arguments), "call")

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
            answer = _answered(approve, signal)
            if answer is False:
                return ToolResult.error("a human rejected the call", call.tool_use_id)
            edited = signal.tool_input if answer is True else answer
            return await self.executor.execute_approved(call, given, edited)

    def stream(
        self, tool: Any, input: Any = None, /, *, context: ToolContext | None = None, **arguments: Any
    ) -> list[ToolResult]:
        """The partial results of a generator tool, and the whole one last."""
        call = self._call(tool, input, arguments)
        given = context if context is not None else self._context

        async def collected() -> list[ToolResult]:
            return [result async for result in self.executor.execute_stream(call, given)]

        return _run(collected, "call")

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


class AgentClient:
    """Runs agents against a script of what the model says; `options` are those of `AgentRunner`.

    client = AgentClient(TABLE, asks("get_weather", city="Paris"), "It is sunny.")
    assert client.run(WeatherAgent, "Paris?").content == "It is sunny."
    assert client.told(0) == "sunny"
    """

    def __init__(self, table: Table, *script: Line, target: str = "anthropic", **options: Any) -> None:
        self.model = ScriptedModel(*script, target=target)
        self.signals: list[Signal] = []
        # Then nobody else is told of calls that ask for a human.
        self._is_alone = options.get("approvals") is None and not options.get("event_sinks")
        options.setdefault("approvals", Approvals(table=table))
        self.runner = AgentRunner(table, model_client=self.model, **options)

    def run(
        self, agent: Any, message: str | list[Block], *, approve: Approve | None = None, **options: Any
    ) -> AgentResponse:
        """What an agent answers, in an event loop of its own. `approve` answers for the human, as in `ToolClient.call`.

        Raises ToolPendingApprovalSignal for a call that asks for a human if there is none: neither `approve` nor
        approvals or sinks of the test's own; RuntimeError inside a running event loop (use `arun`); and what
        `AgentRunner.run` raises.
        """
        if approve is None and self._is_alone and not options.get("event_sinks"):
            return _run(lambda: self._unanswered(agent, message, options), "run")
        return _run(lambda: self.arun(agent, message, approve=approve, **options), "run")

    async def arun(
        self, agent: Any, message: str | list[Block], *, approve: Approve | None = None, **options: Any
    ) -> AgentResponse:
        """`run`, awaited."""

        def watch(signal: Signal) -> None:
            self.signals.append(signal)
            if isinstance(signal, ToolPendingApproval) and approve is not None:
                self._answer(signal, approve)

        sinks = [watch, *options.pop("event_sinks", ())]
        return await self.runner.run(agent, message, event_sinks=sinks, **options)

    async def _unanswered(self, agent: Any, message: str | list[Block], options: dict[str, Any]) -> AgentResponse:
        """`arun` where nobody answers: the first call that asks ends the run, which would wait for minutes."""
        asked: list[ToolPendingApproval] = []

        def end(signal: Signal) -> None:
            if isinstance(signal, ToolPendingApproval):
                asked.append(signal)
                running.cancel()

        others = {name: value for name, value in options.items() if name != "event_sinks"}  # there are none
        running = asyncio.ensure_future(self.arun(agent, message, event_sinks=[end], **others))
        try:
            return await running
        except asyncio.CancelledError:
            if not asked:
                raise
            error = ToolPendingApprovalSignal(asked[0].tool_name, asked[0].tool_use_id, asked[0].input)
            error.add_note("nobody answers for the human: say `approve=` to `run`")
            raise error from None

    def told(self, number: int) -> str:
        """What the model was told of a call in its last request, as text; the first is 0."""
        found = self.model.results[number]
        return seen_by_model(ToolResult(found["tool_use_id"], found["content"], found["is_error"]))

    def signals_of(self, *kinds: type[Signal]) -> list[Signal]:
        """The signals of these kinds, in order."""
        return [each for each in self.signals if isinstance(each, kinds)]

    def _answer(self, signal: ToolPendingApproval, approve: Approve) -> None:
        asked = ToolPendingApprovalSignal(signal.tool_name, signal.tool_use_id, signal.input)
        answer = _answered(approve, asked)
        run, call = signal.agent_run_id, signal.tool_use_id
        if answer is False:
            self.runner.reject_tool(run, call)
        else:
            self.runner.approve_tool(run, call, arguments=None if answer is True else answer)


def _answered(approve: Approve, signal: ToolPendingApprovalSignal) -> bool | dict[str, Any]:
    """What the human says. Raises TypeError for what is no answer: None approves nothing."""
    answer = cast(object, approve(signal) if callable(approve) else approve)
    if isinstance(answer, (bool, dict)):
        return cast("bool | dict[str, Any]", answer)
    raise TypeError(f"`approve` answers True, False or a dict of edited arguments, not {answer!r}")


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


def _run(make: Callable[[], Coroutine[Any, Any, _T] | Awaitable[_T]], name: str) -> _T:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(_awaited(make()))
    raise RuntimeError(f"an event loop is running here: await `a{name}` instead of `{name}`")


async def _awaited(work: Awaitable[_T]) -> _T:
    return await work
