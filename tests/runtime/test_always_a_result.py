"""`execute` gives a result for whatever a model asks for and a tool raises, but for what ends more than a call."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from harness.hand_build import Build, run
from lauren_runtime import (
    InMemoryCacheBackend,
    ToolCall,
    ToolExecutionError,
    ToolExecutor,
    ToolHook,
    ToolNotFoundError,
    ToolPendingApprovalSignal,
)

SOURCE = """
class Quit(BaseException):
    pass

class Loud(ToolHook):
    def on_tool_error(self, error, ctx):
        return ErrorToolHookDecision.suppress_with(f"hook saw {type(error).__name__}")

@tool()
async def raises(what):
    raise what

@tool()
def sync_raises(what):
    raise what

@tool()
@use_hooks(Loud)
async def watched(what):
    raise what

@tool()
async def gives(what):
    return what() if callable(what) else what

@tool()
async def stream(what):
    yield "a"
    raise what
"""
NAMES = ("raises", "sync_raises", "watched", "gives", "stream")
TOOLS: dict[str, dict[str, Any]] = {
    name: {"arguments": {"what": "any"}, "is_async": name != "sync_raises", "is_generator": name == "stream"}
    for name in NAMES
}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build(tmp_path_factory.mktemp("always"), SOURCE, TOOLS)


@pytest.mark.parametrize("name", [None, 5, [], {}, ["raises"], b"raises", "", "x" * 100_000, 10**50])
def test_names_that_are_none(build: Build, name: Any) -> None:
    result = asyncio.run(ToolExecutor(build.table).execute(ToolCall("t", name, {})))
    assert result.is_error
    assert isinstance(result.exception, ToolNotFoundError)
    assert len(str(result.content)) < 300
    with pytest.raises(ToolNotFoundError):
        asyncio.run(ToolExecutor(build.table, on_error="raise").execute(ToolCall("t", name, {})))


def outcome(build: Build, name: str, error: BaseException, **options: Any) -> Any:
    return run(ToolExecutor(build.table, **options), name, {"what": error})


@pytest.mark.parametrize("name", ["raises", "sync_raises", "stream"])
@pytest.mark.parametrize(
    "options", [{}, {"timeout": 5}, {"global_hooks": [ToolHook()]}], ids=["plain", "timeout", "hooks"]
)
def test_exceptions_of_any_kind_are_error_results(build: Build, name: str, options: dict[str, Any]) -> None:
    for error in (build.tools.Quit("now"), BaseExceptionGroup("both", [build.tools.Quit(), ValueError()])):
        result = outcome(build, name, error, **options)
        assert result.is_error
        assert isinstance(result.exception, ToolExecutionError)
        assert result.exception.original is error


def test_error_hooks_are_asked_about_them(build: Build) -> None:
    assert outcome(build, "watched", build.tools.Quit()).content == "hook saw Quit"


@pytest.mark.parametrize("name", ["raises", "sync_raises", "watched"])
@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError])
def test_what_ends_more_than_a_call_is_raised(build: Build, name: str, kind: type[BaseException]) -> None:
    with pytest.raises(kind):
        outcome(build, name, kind())
    with pytest.raises(BaseExceptionGroup):
        outcome(build, name, BaseExceptionGroup("one of them", [ValueError(), kind()]))


def test_the_signal_is_raised(build: Build) -> None:
    with pytest.raises(ToolPendingApprovalSignal):
        outcome(build, "raises", ToolPendingApprovalSignal("raises", "t", {}))


@pytest.mark.parametrize("method", ["before_tool_call", "after_tool_call", "on_tool_error"])
def test_hooks_that_raise_such_exceptions_end_the_call_with_an_error(build: Build, method: str) -> None:
    async def hook(*_: Any) -> None:
        raise build.tools.Quit

    made = type("Hook", (ToolHook,), {method: hook})()
    executor = ToolExecutor(build.table, global_hooks=[made], cache_backend=InMemoryCacheBackend())
    result = run(executor, "raises", {"what": ValueError("no")})
    assert result.is_error
    assert isinstance(result.exception, ToolExecutionError)


def test_such_exceptions_of_hooks_that_only_look_are_logged(build: Build, caplog: pytest.LogCaptureFixture) -> None:
    async def hook(*_: Any) -> None:
        raise build.tools.Quit

    made = type("Hook", (ToolHook,), {"after_tool_call": hook, "on_tool_error": hook})()
    executor = ToolExecutor(build.table, global_hooks=[made])
    assert run(executor, "gives", {"what": 1}).content == "1"
    failed = run(executor, "raises", {"what": ValueError("no")})
    assert str(failed.exception) == "Tool 'raises' failed: ValueError: no"
    logged = [record.getMessage() for record in caplog.records]
    assert "an after-hook of tool 'gives' failed" in logged
    assert "an error hook of tool 'raises' failed" in logged


@pytest.mark.parametrize("base", [Exception, BaseException])
@pytest.mark.parametrize("detail", [False, True])
def test_exceptions_that_have_no_text(build: Build, base: type[BaseException], detail: bool) -> None:
    def fails(self: object) -> str:
        raise RuntimeError("secret")

    error = type("Mute", (base,), {"__str__": fails})()
    result = outcome(build, "raises", error, error_detail=detail)
    assert result.is_error
    assert "Mute" in result.content
    assert "secret" not in result.content
    with pytest.raises(ToolExecutionError, match="its text can't be had: RuntimeError"):
        outcome(build, "raises", error, on_error="raise")


def test_the_way_to_what_is_no_json_is_cut(build: Build) -> None:
    itself: list[Any] = []
    itself.append(itself)
    for value in (itself, {"key" * 5000: object()}, [{"a" * 100: {"b" * 100: {1, object}}}]):
        result = run(ToolExecutor(build.table), "gives", {"what": lambda value=value: value})
        assert result.is_error
        assert 100 < len(result.content) < 400


def test_modules_that_raise_such_exceptions(tmp_path: Path) -> None:
    broken = Build(tmp_path, "class Quit(BaseException): pass\nraise Quit", {"f": {"arguments": {}}})
    result = run(ToolExecutor(broken.table), "f", {})
    assert result.is_error
    assert type(result.exception.__cause__).__name__ == "Quit"


@pytest.mark.parametrize(
    ("given", "shown"), [("gives", "got 'gives'"), (None, "got None"), ({"name": "gives"}, "got an object of dict")]
)
def test_what_is_no_call_is_a_mistake_of_the_caller(build: Build, given: Any, shown: str) -> None:
    async def streamed(executor: ToolExecutor) -> None:
        async for _ in executor.execute_stream(given):
            pass

    for attempt in (ToolExecutor.execute, ToolExecutor.execute_approved):
        with pytest.raises(TypeError, match=f"a ToolCall is needed, {shown}"):
            asyncio.run(attempt(ToolExecutor(build.table), given))
    with pytest.raises(TypeError, match="a ToolCall is needed"):
        asyncio.run(streamed(ToolExecutor(build.table)))


def test_whatever_has_the_attributes_of_a_call_is_one(build: Build) -> None:
    like = type("Like", (), {"tool_use_id": "1", "name": "gives", "input": {"what": "x"}})()
    assert asyncio.run(ToolExecutor(build.table).execute(like)).content == "x"
