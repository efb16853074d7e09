"""Hooks: order, decisions, failing closed, and what they see of the arguments."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from harness.hand_build import Build, run
from lauren_runtime import (
    AfterToolHookDecision,
    BeforeToolHookDecision,
    ErrorToolHookDecision,
    InMemoryCacheBackend,
    ToolCall,
    ToolCallContext,
    ToolContext,
    ToolExecutionError,
    ToolExecutor,
    ToolHook,
    ToolInputError,
    ToolResult,
)

SOURCE = """
LOG = []

def note(word):
    def plain(subject, ctx):
        LOG.append(word)
    return plain

class Async:
    def __init__(self, word):
        self.word = word
    async def __call__(self, subject, ctx):
        await asyncio.sleep(0)
        LOG.append(self.word)

class Own(ToolHook):
    async def before_tool_call(self, ctx):
        LOG.append("own before")
    def after_tool_call(self, result, ctx):
        LOG.append("own after")
    async def on_tool_error(self, error, ctx):
        LOG.append("own error " + type(error).__name__)

@tool(pre_hook=note("pre"), post_hook=Async("post"), error_hook=note("error"), cache_ttl=60)
@use_hooks(Own)
async def work(a: int):
    LOG.append("run")
    if a == 0:
        raise ValueError("zero")
    return {"a": a}

def refuse(call, ctx):
    raise PermissionError("not you")

@tool(pre_hook=refuse, error_hook=note("error"), post_hook=note("post"))
async def guarded():
    LOG.append("run")

def change(call, ctx):
    call.input["a"] = 99
    ctx.tool_input["a"] = 98
    LOG.append([call.tool_use_id, call.name])

@tool(pre_hook=change)
async def observed(a: int):
    return a

def fail(subject, ctx):
    raise RuntimeError("hook")

@tool(post_hook=fail, error_hook=fail)
async def unlucky(a: int):
    if a == 0:
        raise ValueError("zero")
    return a

def stamp(result, ctx):
    result.content += "!"

@tool(post_hook=stamp)
async def stamped():
    return "done"

@tool()
async def plain(items, word="x"):
    return [items, word]

@tool()
async def made(n, by_wire):
    return [by_wire, n]
"""
TOOLS: dict[str, dict[str, Any]] = {
    "work": {"arguments": {"a": "int"}, "is_async": True, "cache_ttl": 60},
    "guarded": {"is_async": True},
    "observed": {"arguments": {"a": "int"}, "is_async": True},
    "unlucky": {"arguments": {"a": "int"}, "is_async": True},
    "stamped": {"is_async": True},
    "plain": {"arguments": {"items": "any", "word": "upper"}, "needed": ["items"], "is_async": True},
    "made": {
        "arguments": {"by-wire": "upper", "n": "int"},
        "wire": {"by-wire": "by_wire"},
        "positional": ("n",),
        "is_async": True,
    },
}


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


class Global(ToolHook):
    """Notes where it is asked."""

    def __init__(self, log: list[Any]) -> None:
        self.log = log

    def before_tool_call(self, ctx: ToolCallContext) -> None:
        self.log.append("global before")

    async def after_tool_call(self, result: Any, ctx: ToolCallContext) -> None:
        self.log.append("global after" + (" cached" if ctx.cached else ""))

    def on_tool_error(self, error: Exception, ctx: ToolCallContext) -> None:
        self.log.append("global error")


def hook(**methods: Any) -> ToolHook:
    """A hook object with these methods."""
    return type("Hook", (ToolHook,), {name: staticmethod(method) for name, method in methods.items()})()


def before(decide: Any) -> ToolHook:
    return hook(before_tool_call=decide)


def test_the_order_of_a_success(build: Build) -> None:
    log = build.tools.LOG
    assert build.run("work", {"a": 1}, global_hooks=[Global(log)]).content == '{"a": 1}'
    assert log == ["global before", "own before", "pre", "run", "own after", "global after", "post"]


def test_the_order_of_a_failure(build: Build) -> None:
    log = build.tools.LOG
    assert build.run("work", {"a": 0}, global_hooks=[Global(log)]).is_error
    assert log == ["global before", "own before", "pre", "run", "own error ValueError", "global error", "error"]


def test_a_cache_hit_asks_all_but_pre_hook(build: Build) -> None:
    log = build.tools.LOG
    executor = build.executor(global_hooks=[Global(log)], cache_backend=InMemoryCacheBackend())
    run(executor, "work", {"a": 1})
    log.clear()
    assert run(executor, "work", {"a": 1}).cached
    assert log == ["global before", "own before", "own after", "global after cached", "post"]


def test_argument_errors_ask_no_hook(build: Build) -> None:
    log = build.tools.LOG
    assert build.run("work", {"a": "x"}, global_hooks=[Global(log)]).is_error
    assert log == []


def test_a_pre_hook_that_raises_ends_the_call(build: Build) -> None:
    result = build.run("guarded")
    assert isinstance(result.exception, ToolExecutionError)
    assert type(result.exception.original) is PermissionError
    assert "not you" not in result.content
    assert build.tools.LOG == []  # neither tool nor error hook nor post_hook


def test_a_pre_hook_sees_copies(build: Build) -> None:
    given = {"a": 1}
    assert build.run("observed", given).content == "1"
    assert given == {"a": 1}
    assert build.tools.LOG == [["t1", "observed"]]


def test_post_and_error_hooks_that_fail_are_logged(build: Build, caplog: pytest.LogCaptureFixture) -> None:
    assert build.run("unlucky", {"a": 1}).content == "1"
    assert "post_hook of tool 'unlucky' failed" in caplog.text
    result = build.run("unlucky", {"a": 0})
    assert isinstance(result.exception, ToolExecutionError)
    assert type(result.exception.original) is ValueError
    assert "error_hook of tool 'unlucky' failed" in caplog.text


def test_a_post_hook_may_change_the_result(build: Build) -> None:
    assert build.run("stamped").content == "done!"


@pytest.mark.parametrize(
    "decide",
    [
        lambda ctx: 1 / 0,
        lambda ctx: "deny",
        lambda ctx: False,
        lambda ctx: BeforeToolHookDecision.modify(None),
        lambda ctx: BeforeToolHookDecision.modify({"items": object()}),
        lambda ctx: ctx.tool_input.update(items=object()),
    ],
    ids=range(6),
)
@pytest.mark.parametrize("as_async", [False, True])
def test_before_hooks_fail_closed(build: Build, decide: Any, as_async: bool) -> None:
    async def later(ctx: ToolCallContext) -> Any:
        return decide(ctx)

    asked: list[Any] = []
    hooks = [before(later if as_async else decide), before(asked.append)]
    result = build.run(
        "plain",
        {"items": [1]},
        global_hooks=[*hooks, hook(on_tool_error=lambda e, c: ErrorToolHookDecision.suppress_with("ok"))],
    )
    assert isinstance(result.exception, ToolExecutionError)
    assert result.is_error
    assert asked == []


@pytest.mark.parametrize("as_async", [False, True])
def test_abort_is_the_result(build: Build, as_async: bool) -> None:
    async def later(ctx: ToolCallContext) -> Any:
        return BeforeToolHookDecision.abort({"no": 1})

    log = build.tools.LOG
    deny = before(later if as_async else lambda ctx: BeforeToolHookDecision.abort({"no": 1}))
    result = build.run("work", {"a": 1}, global_hooks=[deny, Global(log)])
    assert (result.content, result.is_error, result.status) == ('{"no": 1}', False, "aborted")
    assert log == []
    error = before(lambda ctx: BeforeToolHookDecision.abort(ToolResult.error("denied")))
    result = build.run("work", {"a": 1}, global_hooks=[error])
    assert (result.content, result.is_error, result.tool_use_id) == ("denied", True, "t1")


def test_modified_arguments_are_validated_and_seen_by_later_hooks(build: Build) -> None:
    seen: list[Any] = []

    def look(ctx: ToolCallContext) -> None:
        seen.append((ctx.tool_input, dict(ctx.arguments), ctx.raw_input))

    change = before(lambda ctx: BeforeToolHookDecision.modify({**ctx.tool_input, "n": "7"}))
    result = build.run("made", '{"by-wire": "w", "n": 1}', global_hooks=[before(look), change, before(look)])
    assert result.content == '["W", 7]'
    raw = '{"by-wire": "w", "n": 1}'
    assert seen == [
        ({"by-wire": "w", "n": 1}, {"by_wire": "W", "n": 1}, raw),
        ({"by-wire": "w", "n": 7}, {"by_wire": "W", "n": 7}, raw),
    ]
    assert result.repairs == ()  # nothing of the model's was mended


def test_arguments_changed_in_place_count_too(build: Build) -> None:
    def redact(ctx: ToolCallContext) -> None:
        ctx.tool_input["items"][0] = "***"

    given = {"items": ["secret"]}
    assert build.run("plain", given, global_hooks=[before(redact)]).content == '[["***"], "x"]'
    assert given == {"items": ["secret"]}


def test_a_change_of_type_alone_is_a_change(build: Build) -> None:
    def to_true(ctx: ToolCallContext) -> None:
        ctx.tool_input["items"] = True

    assert build.run("plain", {"items": 1}, global_hooks=[before(to_true)]).content == '[true, "x"]'


def test_invalid_modified_arguments_are_an_argument_error(build: Build) -> None:
    bad = before(lambda ctx: BeforeToolHookDecision.modify({"a": "many"}))
    result = build.run("work", {"a": 1}, global_hooks=[bad])
    assert isinstance(result.exception, ToolInputError)
    assert build.tools.LOG == []


def test_what_hooks_hold_of_the_arguments_cannot_change_the_call(build: Build) -> None:
    kept: list[Any] = []

    def keep(ctx: ToolCallContext) -> None:
        kept.append(ctx.raw_input)

    def late(ctx: ToolCallContext) -> None:
        kept[0]["items"].append("smuggled")

    assert build.run("plain", {"items": [1]}, global_hooks=[before(keep), before(late)]).content == '[[1], "x"]'


def test_after_hooks_get_the_raw_result_and_may_replace_it(build: Build) -> None:
    seen: list[Any] = []

    def replace(result: Any, ctx: ToolCallContext) -> Any:
        seen.append(result)
        return AfterToolHookDecision.replace(None)

    look = hook(after_tool_call=lambda result, ctx: seen.append(result))
    assert build.run("plain", {"items": (1,)[0]}, global_hooks=[hook(after_tool_call=replace), look]).content == "null"
    assert seen == [[1, "x"], None]


def test_after_hooks_run_on_a_returned_error(build: Build) -> None:
    seen: list[Any] = []
    deny = hook(
        after_tool_call=lambda result, ctx: AfterToolHookDecision.replace(ToolResult.error("withheld", "other"))
    )
    result = build.run(
        "plain",
        {"items": 1},
        global_hooks=[deny, hook(after_tool_call=lambda result, ctx: seen.append(result.is_error))],
    )
    assert (result.content, result.is_error, result.tool_use_id, seen) == ("withheld", True, "t1", [True])


@pytest.mark.parametrize("bad", [lambda result, ctx: 1 / 0, lambda result, ctx: "x"])
def test_after_hooks_that_fail_are_logged(build: Build, bad: Any, caplog: pytest.LogCaptureFixture) -> None:
    assert build.run("plain", {"items": 1}, global_hooks=[hook(after_tool_call=bad)]).content == '[1, "x"]'
    assert "an after-hook of tool 'plain' failed" in caplog.text


def test_an_error_hook_may_suppress(build: Build) -> None:
    log = build.tools.LOG
    suppress = hook(on_tool_error=lambda error, ctx: ErrorToolHookDecision.suppress_with({"instead": str(error)}))
    result = build.run("work", {"a": 0}, global_hooks=[suppress, Global(log)])
    assert (json.loads(result.content), result.is_error, result.status) == ({"instead": "zero"}, False, "suppressed")
    assert log == ["global before", "own before", "pre", "run", "own error ValueError"]


def test_error_hooks_that_fail_or_decline_leave_the_error(build: Build, caplog: pytest.LogCaptureFixture) -> None:
    hooks = [
        hook(on_tool_error=lambda error, ctx: 1 / 0),
        hook(on_tool_error=lambda error, ctx: ErrorToolHookDecision.reraise()),
    ]
    result = build.run("work", {"a": 0}, global_hooks=hooks)
    assert isinstance(result.exception, ToolExecutionError)
    assert type(result.exception.original) is ValueError
    assert "an error hook of tool 'work' failed" in caplog.text


def test_suppressed_errors_and_replacements_are_not_cached(build: Build) -> None:
    backend = InMemoryCacheBackend()
    suppress = hook(on_tool_error=lambda error, ctx: ErrorToolHookDecision.suppress_with("x"))
    build.run("work", {"a": 0}, global_hooks=[suppress], cache_backend=backend)
    assert len(backend) == 0
    build.run(
        "work",
        {"a": 1},
        global_hooks=[hook(after_tool_call=lambda r, c: AfterToolHookDecision.replace("y"))],
        cache_backend=backend,
    )
    assert build.run("work", {"a": 1}, cache_backend=backend).content == '{"a": 1}'


def test_state_is_shared_by_the_hooks_of_a_call(build: Build) -> None:
    seen: list[Any] = []
    put = before(lambda ctx: ctx.state.update(x=1))
    get = hook(after_tool_call=lambda result, ctx: seen.append((ctx.state, ctx.tool_name, ctx.tool_use_id)))
    executor = build.executor(global_hooks=[put, get])
    for _ in range(2):
        run(executor, "plain", {"items": 1}, ToolContext(agent_context=None))
    assert seen == [({"x": 1}, "plain", "t1")] * 2


def test_hook_classes_are_built_once_per_executor_or_come_from_the_container(build: Build) -> None:
    made: list[Any] = []

    class Counting(ToolHook):
        def __init__(self) -> None:
            made.append(self)

        def before_tool_call(self, ctx: ToolCallContext) -> None: ...

    class Needy(ToolHook):
        def __init__(self, log: list[Any]) -> None:
            self.log = log

        def before_tool_call(self, ctx: ToolCallContext) -> None:
            self.log.append("asked")

    log: list[Any] = []
    container = SimpleNamespace(resolve=lambda cls: cls(log))
    executor = build.executor(global_hooks=[Counting, Needy], container=container)
    for name in ("plain", "observed", "plain"):
        run(executor, name, {"a": 1} if name == "observed" else {"items": 1})
    assert (len(made), log) == (1, ["asked"] * 3)


def test_hooks_belong_to_their_executor(build: Build) -> None:
    one: list[Any] = []
    two: list[Any] = []
    first, second = build.executor(global_hooks=[Global(one)]), build.executor(global_hooks=[Global(two)])
    run(first, "plain", {"items": 1})
    assert (len(one), len(two)) == (2, 0)
    run(second, "plain", {"items": 1})
    assert (len(one), len(two)) == (2, 2)


@pytest.mark.parametrize("stranger", [print, 5, object()])
def test_what_is_no_hook_is_refused(build: Build, stranger: Any) -> None:
    with pytest.raises(TypeError, match="global_hooks are ToolHook objects or classes"):
        build.executor(global_hooks=[stranger])


def test_decisions_of_lauren_ai_are_understood(build: Build) -> None:
    """Classes with its attribute names; the real ones are tested where they are installed."""
    nothing = object()
    stop = before(lambda ctx: SimpleNamespace(_aborted=True, _abort_result="no", _modified_input=None))
    assert build.run("plain", {"items": 1}, global_hooks=[stop]).content == "no"
    change = before(lambda ctx: SimpleNamespace(_aborted=False, _abort_result=None, _modified_input={"items": 2}))
    assert build.run("plain", {"items": 1}, global_hooks=[change]).content == '[2, "x"]'
    go = before(lambda ctx: SimpleNamespace(_aborted=False, _abort_result=None, _modified_input=None))
    assert build.run("plain", {"items": 1}, global_hooks=[go]).content == '[1, "x"]'
    for replacement, content in ((nothing, '[1, "x"]'), (False, "false"), (None, "null")):
        after = hook(after_tool_call=lambda r, c, value=replacement: SimpleNamespace(_replacement=value))
        assert build.run("plain", {"items": 1}, global_hooks=[after]).content == content
    for suppressed, is_error in ((True, False), (False, True)):
        error = hook(on_tool_error=lambda e, c, flag=suppressed: SimpleNamespace(_suppressed=flag, _fallback="f"))
        assert build.run("work", {"a": 0}, global_hooks=[error]).is_error is is_error


def test_hooks_of_many_calls_do_not_mix(build: Build) -> None:
    class Check(ToolHook):
        async def before_tool_call(self, ctx: ToolCallContext) -> BeforeToolHookDecision:
            await asyncio.sleep(0.001)
            return BeforeToolHookDecision.modify({"a": ctx.tool_input["a"] + 1})

    executor: ToolExecutor = build.executor(global_hooks=[Check()])

    async def go() -> list[ToolResult]:
        return await asyncio.gather(*[executor.execute(ToolCall(str(n), "work", {"a": n})) for n in range(200)])

    assert [(r.tool_use_id, r.content) for r in asyncio.run(go())] == [
        (str(n), f'{{"a": {n + 1}}}') for n in range(200)
    ]
