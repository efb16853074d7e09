"""A call: look-up, errors, sync and async tools, time limits, cancellation, generators, many at once."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import logging
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from harness.call_tools import ASYNC, SOURCE, TOOLS, W
from harness.hand_build import Build, run
from lauren_runtime import (
    LaurenToolError,
    ToolCall,
    ToolContext,
    ToolExecutionError,
    ToolExecutor,
    ToolInputError,
    ToolNotFoundError,
    ToolPendingApprovalSignal,
    ToolResult,
    ToolTimeoutError,
)


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


# Look-up, decoding, results


@pytest.mark.parametrize("name", ["add", "sync_add"])
@pytest.mark.parametrize("arguments", [{"a": 1}, '{"a": 1}', b'{"a": 1}', {"a": 1.0}])
def test_a_call_gives_its_result(build: Build, name: str, arguments: Any) -> None:
    assert build.run(name, arguments) == ToolResult("t1", "3")


def test_wire_names_and_python_names_are_different_columns(build: Build) -> None:
    assert build.run("named", {"by-wire": 4}).content == "4"
    assert build.run("named", {"by_wire": 4}).is_error


def test_an_unknown_tool_is_an_error_result_with_the_nearest_name(build: Build) -> None:
    result = build.run("sync_ad")
    assert isinstance(result.exception, ToolNotFoundError)
    assert result.is_error
    assert result.content == "There is no tool named 'sync_ad'. Did you mean 'sync_add'?"


def test_all_argument_errors_come_in_one_reply_and_the_tool_does_not_run(build: Build) -> None:
    result = build.run("add", {"b": "x", "c": 1})
    assert isinstance(result.exception, ToolInputError)
    assert [error.path for error in result.exception.errors] == ["b", "c", "a"]
    assert result.content == (
        "Invalid arguments for tool 'add':\n- b: expected an integer, got 'x'\n"
        "- c: expected no argument of this name\n- a: expected a value"
    )
    assert (result.exception.tool_name, result.exception.tool_use_id) == ("add", "t1")


def test_repairs_are_recorded_or_turned_off(build: Build) -> None:
    result = build.run("add", {"a": "5"})
    assert (result.content, [repair.path for repair in result.repairs]) == ("7", [("a",)])
    assert build.run("add", {"a": "5"}, repair=False).is_error


def test_arguments_that_are_not_watched_are_not_copied(build: Build, tmp_path: Path) -> None:
    given = {"what": [1, {"x": 2}]}
    source = "SEEN = []\n@tool()\nasync def keep(what):\n    SEEN.append(what)\n"
    plain = Build(tmp_path, source, {"keep": {**W, **ASYNC}})
    plain.run("keep", given)
    assert plain.tools.SEEN[0] is given["what"]


# Failures


@pytest.mark.parametrize("name", ["boom", "sync_boom"])
def test_the_model_sees_the_kind_and_only_by_option_the_text(
    build: Build, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    result = build.run(name)
    assert result.content == f"Tool {name!r} failed with ValueError. It gave no result."
    assert isinstance(result.exception, ToolExecutionError)
    assert (result.exception.tool_name, result.exception.tool_use_id) == (name, "t1")
    assert type(result.exception.original) is ValueError
    assert result.exception.__cause__ is result.exception.original
    assert "hunter2" in caplog.text  # the developer sees it
    assert (
        build.run(name, error_detail=True).content == f"Tool {name!r} failed: ValueError: postgres://admin:hunter2@db"
    )


def test_on_error_raises_or_skips(build: Build) -> None:
    with pytest.raises(ToolExecutionError) as caught:
        build.run("boom", on_error="raise")
    assert caught.value.__cause__ is caught.value.original
    for name, kind in (("nope", ToolNotFoundError), ("add", ToolInputError), ("slow", ToolTimeoutError)):
        with pytest.raises(kind):
            build.run(name, on_error="raise")
        skipped = build.run(name, on_error="skip")
        assert (skipped.content, skipped.is_error, skipped.status) == ("", False, "skipped")
        assert isinstance(skipped.exception, kind)


def test_every_failure_has_one_base_and_the_signal_is_none(build: Build) -> None:
    for kind in (ToolNotFoundError, ToolInputError, ToolExecutionError, ToolTimeoutError):
        assert issubclass(kind, LaurenToolError)
    assert not issubclass(ToolPendingApprovalSignal, LaurenToolError)


def test_a_sync_tool_that_raises_stop_iteration_fails_at_once(build: Build) -> None:
    result = build.run("stops")
    assert isinstance(result.exception, ToolExecutionError)
    assert type(result.exception.original) is StopIteration


def test_an_async_tool_that_raises_stop_async_iteration_fails(build: Build) -> None:
    assert isinstance(build.run("astops").exception, ToolExecutionError)


def test_an_exception_group_is_a_failure_that_names_its_members(build: Build) -> None:
    result = build.run("groups")
    assert (
        result.content
        == "Tool 'groups' failed with ExceptionGroup (ExceptionGroup (KeyError), ValueError). It gave no result."
    )


@pytest.mark.parametrize("name", ["raises", "sync_raises"])
@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("policy", ["return", "raise", "skip"])
def test_what_ends_the_program_passes_through(build: Build, name: str, kind: type[BaseException], policy: Any) -> None:
    executor = build.executor(on_error=policy)
    with pytest.raises(kind):
        run(executor, name, _Hidden({"what": kind()}))


class _Hidden(dict[str, Any]):
    """Arguments that hold a Python object: only these hand-written decoders let it pass."""


@pytest.mark.parametrize("kind", [asyncio.CancelledError, GeneratorExit])
def test_cancellation_from_inside_passes_through(build: Build, kind: type[BaseException]) -> None:
    with pytest.raises(kind):
        run(build.executor(), "raises", _Hidden({"what": kind()}))


def test_a_signal_from_a_nested_call_passes_through(build: Build) -> None:
    with pytest.raises(ToolPendingApprovalSignal) as caught:
        run(build.executor(), "nests", _Hidden({"signal": ToolPendingApprovalSignal("inner", "i", {})}))
    assert caught.value.tool_name == "inner"


# Sync and async


def test_context_variables_reach_both_kinds(build: Build) -> None:
    executor = build.executor()

    async def go() -> list[Any]:
        build.tools.WORD.set("ada")
        return [(await executor.execute(ToolCall("t", name, {}))).content for name in ("awho", "who")]

    assert asyncio.run(go()) == ["ada", "ada False"]


@pytest.mark.parametrize(
    ("name", "content"), [("looks_sync", "2"), ("hidden_items", "[0, 1]"), ("hidden_aitems", "[0, 1]")]
)
def test_what_a_wrapper_hides_is_found_out(build: Build, name: str, content: str) -> None:
    assert build.run(name, {"a": 2}).content == content


def test_sync_tools_use_the_pool_they_are_given(build: Build) -> None:
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        executor = build.executor(pool=pool)

        async def go() -> list[Any]:
            build.tools.WORD.set("bob")
            calls = [executor.execute(ToolCall(str(i), "sync_add", {"a": i})) for i in range(20)]
            return [await executor.execute(ToolCall("w", "who", {})), *await asyncio.gather(*calls)]

        first, *others = asyncio.run(go())
    assert first.content == "bob False"
    assert [(each.tool_use_id, each.content) for each in others] == [(str(i), str(i + 2)) for i in range(20)]


class Foreign(concurrent.futures.Executor):
    """A pool that is no thread pool: it takes only what can be pickled."""

    def submit(self, function: Any, /, *args: Any, **keywords: Any) -> Any:
        import pickle

        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        function, args, keywords = pickle.loads(pickle.dumps((function, args, keywords)))
        threading.Thread(target=lambda: future.set_result(function(*args, **keywords))).start()
        return future


def test_other_pools_get_the_function_and_its_arguments_alone(build: Build) -> None:
    executor = build.executor(pool=Foreign())
    assert run(executor, "sync_add", {"a": 1}).content == "3"
    assert run(executor, "items", {"n": 2}).content == '[{"i": 0}, {"i": 1}]'
    assert [each.status for each in stream(executor, "items", {"n": 2})] == ["partial", "partial", "executed"]
    stopped = run(executor, "stops")
    assert isinstance(stopped.exception, ToolExecutionError)
    assert type(stopped.exception.original) is StopIteration


# Time and cancellation


def test_a_tool_that_takes_too_long_is_ended(build: Build) -> None:
    result = build.run("slow")
    assert isinstance(result.exception, ToolTimeoutError)
    assert (result.status, result.content) == ("timed_out", "Tool 'slow' did not finish within 0.05 seconds.")
    assert build.tools.LOG == ["slow closed"]


def test_the_executors_limit_holds_where_the_tool_sets_none(build: Build) -> None:
    assert build.run("waits", {"n": 6}, timeout=0.001).status == "timed_out"
    assert build.run("waits", {"n": 6}, timeout=5).content == "6"
    assert build.run("slow", timeout=5).status == "timed_out"


def test_a_thread_is_told_that_its_time_is_over(build: Build) -> None:
    began = time.monotonic()
    assert isinstance(build.run("sync_slow").exception, ToolTimeoutError)
    assert build.tools.LOG == ["told"]  # asyncio.run has waited for the thread
    assert time.monotonic() - began < 1.5


def test_a_timeout_of_the_tools_own_is_its_failure(build: Build) -> None:
    result = build.run("own_timeout")
    assert isinstance(result.exception, ToolExecutionError)
    assert type(result.exception.original) is TimeoutError


@pytest.mark.parametrize(
    ("name", "arguments", "log"),
    [("slow", {}, ["slow closed"]), ("slow_items", {"n": 100}, ["slow items closed"]), ("sync_slow", {}, ["told"])],
)
def test_cancelling_a_call_leaves_nothing_running(build: Build, name: str, arguments: Any, log: list[str]) -> None:
    executor = build.executor(on_error="skip")

    async def go() -> None:
        task = asyncio.create_task(executor.execute(ToolCall("t", name, arguments)))
        await asyncio.sleep(0.02)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(go())
    assert log == build.tools.LOG


# Generators


@pytest.mark.parametrize(
    ("name", "content", "log"),
    [("texts", "012", ["texts closed"]), ("items", '[{"i": 0}, {"i": 1}, {"i": 2}]', ["items closed"])],
)
def test_generators_are_drained(build: Build, name: str, content: str, log: list[str]) -> None:
    assert build.run(name, {"n": 3}).content == content
    assert log == build.tools.LOG


def test_an_empty_generator_gives_an_empty_text_only_if_its_items_are_texts(build: Build, tmp_path: Path) -> None:
    assert build.run("nothing", {"n": 0}).content == "[]"
    joined = Build(tmp_path, SOURCE, {"nothing": {**TOOLS["nothing"], "joined": True}})
    assert joined.run("nothing", {"n": 0}).content == ""


@pytest.mark.parametrize("name", ["breaks", "strange_items"])
def test_a_generator_that_fails_fails_the_call(build: Build, name: str) -> None:
    assert isinstance(build.run(name, {"n": 1}).exception, ToolExecutionError)


def stream(executor: ToolExecutor, name: str, arguments: Any, context: ToolContext | None = None) -> list[ToolResult]:
    async def go() -> list[ToolResult]:
        return [each async for each in executor.execute_stream(ToolCall("t", name, arguments), context)]

    return asyncio.run(go())


@pytest.mark.parametrize(
    ("name", "parts", "whole"),
    [
        ("texts", ["0", "1"], "01"),
        ("items", ['{"i": 0}', '{"i": 1}'], '[{"i": 0}, {"i": 1}]'),
        ("hidden_items", ["0", "1"], "[0, 1]"),
        ("add", [], "3"),
    ],
)
def test_a_stream_gives_items_and_then_the_whole(build: Build, name: str, parts: list[str], whole: str) -> None:
    arguments = {"a": 1} if name == "add" else {"a": 2} if name == "hidden_items" else {"n": 2}
    *partial, last = stream(build.executor(), name, arguments)
    assert [(each.content, each.status) for each in partial] == [(part, "partial") for part in parts]
    assert (last.content, last.status) == (whole, "executed")


def test_a_stream_ends_with_the_failure(build: Build) -> None:
    first, last = stream(build.executor(), "breaks", {"n": 1})
    assert (first.content, last.is_error) == ("1", True)
    with pytest.raises(ToolExecutionError):
        stream(build.executor(on_error="raise"), "breaks", {"n": 1})
    with pytest.raises(ToolPendingApprovalSignal):
        stream(build.executor(), "approve", {"a": 1})


@pytest.mark.parametrize(("name", "log"), [("texts", ["texts closed"]), ("slow_items", ["slow items closed"])])
def test_closing_a_stream_early_closes_the_generator(build: Build, name: str, log: list[str]) -> None:
    executor = build.executor()

    async def go() -> None:
        results = executor.execute_stream(ToolCall("t", name, {"n": 1000}))
        async for _ in results:
            break
        await results.aclose()

    asyncio.run(go())
    assert log == build.tools.LOG


# Many


def test_a_thousand_calls_at_once_give_each_its_own_result(build: Build) -> None:
    executor = build.executor()

    async def go() -> list[ToolResult]:
        return await asyncio.gather(*[executor.execute(ToolCall(str(n), "waits", {"n": n})) for n in range(1000)])

    logging.getLogger("lauren_runtime").setLevel(logging.CRITICAL)
    try:
        results = asyncio.run(go())
    finally:
        logging.getLogger("lauren_runtime").setLevel(logging.NOTSET)
    for n, result in enumerate(results):
        assert (result.tool_use_id, result.is_error) == (str(n), n % 5 == 0)
        assert n % 5 == 0 or result.content == str(n)


def test_one_executor_serves_successive_event_loops(build: Build) -> None:
    executor = build.executor()
    for n in range(5):
        assert run(executor, "add", {"a": n}).content == str(n + 2)
        assert run(executor, "sync_add", {"a": n}).content == str(n + 2)


def test_one_executor_serves_the_loops_of_several_threads(build: Build) -> None:
    executor = build.executor()

    def many(start: int) -> list[str]:
        async def go() -> list[Any]:
            calls = [executor.execute(ToolCall(str(n), "add", {"a": n})) for n in range(start, start + 50)]
            return [result.content for result in await asyncio.gather(*calls)]

        return asyncio.run(go())

    with concurrent.futures.ThreadPoolExecutor(4) as threads:
        found = list(threads.map(many, range(0, 200, 50)))
    assert found == [[str(n + 2) for n in range(start, start + 50)] for start in range(0, 200, 50)]


def test_a_context_variable_set_by_one_call_does_not_reach_a_thread_of_another(build: Build) -> None:
    assert contextvars.copy_context().get(build.tools.WORD) is None
    assert build.run("who").content == "nobody False"
