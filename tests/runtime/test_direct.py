"""Calls around which nothing happens: the tool is called by its decoder, once, and all else is as with any call."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest
from harness.compiling import write_build
from lauren_runtime import ToolCall, ToolExecutionError, ToolExecutor, ToolInputError, ToolResult
from lauren_runtime.direct import direct_of
from lauren_runtime.loading import load_build
from lauren_runtime.results import executed
from lauren_runtime.table import Table

SOURCE = """
import functools
from collections.abc import Iterator
from lauren_runtime import tool

CALLS = []

def around(function):
    @functools.wraps(function)
    def inner(*args, **keywords):
        CALLS.append(keywords)
        if keywords["n"] < 0:
            raise ValueError("not now")
        return function(*args, **keywords)
    return inner

@tool()
async def add(n: int, more: int = 1) -> str:
    '''Adds.'''
    CALLS.append((n, more))
    return str(n + more)

@tool()
@around
async def wrapped(n: int) -> str:
    '''Adds, in a wrapper that is no coroutine function.'''
    return str(n)

@tool()
async def fails(n: int) -> str:
    '''Raises what a doubt may look like.'''
    CALLS.append(n)
    raise KeyError(n)

@tool()
def plain(n: int) -> list[int]:
    '''A function that is not async.'''
    CALLS.append(n)
    if n < 0:
        raise IndexError(n)
    return [n]

@tool()
def stops(n: int) -> str:
    '''Raises what no future can hold.'''
    raise StopIteration(n)

@tool()
def lazy(n: int) -> Iterator[str]:
    '''Gives a generator without being one.'''
    return (str(number) for number in range(n))

@tool()
def later(n: int):
    '''Gives something to be awaited.'''
    return add(n)

@tool()
class Keeper:
    '''Keeps nothing.'''
    async def run(self, n: int) -> str:
        return str(n)

@tool()
async def positional(n: int, /, m: int = 2, *, k: int = 3, last: int = 4) -> str:
    '''Every kind of parameter.'''
    return f"{n} {m} {k} {last}"
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder = tmp_path_factory.mktemp("direct")
    write_build(SOURCE, folder, "direct_tools")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        built = load_build(str(folder / "lauren_build"))
        run(ToolExecutor(built), "add", {"n": 1})  # the module is loaded while it can be found
        return built


@pytest.fixture
def calls(table: Table) -> list[Any]:
    found: list[Any] = sys.modules["direct_tools"].CALLS
    found.clear()
    return found


def run(executor: ToolExecutor, name: str, given: Any) -> ToolResult:
    async def twice() -> ToolResult:
        """The first call loads the tool, the second is direct."""
        first = await executor.execute(ToolCall("t", name, given))
        second = await executor.execute(ToolCall("t", name, given))
        assert first == second
        assert type(first.exception) is type(second.exception)
        assert first.repairs == second.repairs
        return second

    return asyncio.run(twice())


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize(
    ("name", "given", "content"),
    [
        ("add", {"n": 1}, "2"),
        ("add", {"n": 1, "more": 2**70}, str(1 + 2**70)),
        ("add", {"n": "1", "more": 2.0}, "3"),
        ("wrapped", {"n": 5}, "5"),
        ("plain", {"n": 5}, "[5]"),
        ("plain", {"n": "5"}, "[5]"),
        ("lazy", {"n": 3}, "012"),
        ("lazy", {"n": 0}, "[]"),
        ("later", {"n": 3}, "4"),
        ("keeper", {"n": 3}, "3"),
        ("positional", {"n": 1}, "1 2 3 4"),
        ("positional", {"n": 1, "last": 0, "m": 0}, "1 0 3 0"),
        ("positional", {"n": 1, "k": "7"}, "1 2 7 4"),
    ],
)
def test_what_comes_of_a_call(table: Table, name: str, given: dict[str, Any], content: str, as_text: bool) -> None:
    result = run(ToolExecutor(table), name, json.dumps(given) if as_text else given)
    assert (result.content, result.status, result.is_error) == (content, "executed", False)
    assert bool(result.repairs) == any(type(value) is str for value in given.values())


@pytest.mark.parametrize(
    ("name", "given", "kind"),
    [
        ("add", {"n": "x"}, ToolInputError),
        ("add", {}, ToolInputError),
        ("add", {"n": 1, "zz": 2}, ToolInputError),
        ("plain", {"n": []}, ToolInputError),
        ("fails", {"n": 1}, KeyError),
        ("plain", {"n": -1}, IndexError),
        ("stops", {"n": 1}, StopIteration),
        ("wrapped", {"n": -1}, ValueError),
    ],
)
def test_what_fails(table: Table, calls: list[Any], name: str, given: dict[str, Any], kind: type[Exception]) -> None:
    result = run(ToolExecutor(table), name, given)
    assert result.is_error
    error = result.exception
    assert type(error.original if isinstance(error, ToolExecutionError) else error) is kind
    assert len(calls) == (0 if kind is ToolInputError or name == "stops" else 2)


def test_a_tool_is_called_once_however_its_arguments_came(table: Table, calls: list[Any]) -> None:
    run(ToolExecutor(table), "add", {"n": 1})
    run(ToolExecutor(table), "add", {"n": "1"})
    assert calls == [(1, 1)] * 4


def test_which_tools_are_called_directly(table: Table) -> None:
    def kept(**options: Any) -> set[str]:
        executor = ToolExecutor(table, **options)
        for name in table:
            run(executor, name, {"n": 1})
        return set(executor._direct)

    everything = {*table}
    assert kept() == everything - {"wrapped"}
    with ThreadPoolExecutor(1) as pool:
        assert kept(pool=pool) == everything - {"wrapped"}
    assert kept(timeout=5.0) == kept(max_result_length=99) == kept(check_output="log") == set()


def test_only_coroutine_functions_are_called_by_decoders() -> None:
    class Called:
        async def __call__(self) -> None: ...

    class Plan:
        is_alone = True
        decode = entry = type("_", (), {"is_async": True, "joined": False, "quick": None, "check": None})
        function: Callable[..., Awaitable[Any]]

    async def right() -> None: ...

    for function, taken in ((right, True), (Called(), False), (lambda: right(), False)):
        plan: Any = Plan()
        plan.function = function
        assert (direct_of(plan, None) is not None) is taken


def test_a_quick_result_is_what_the_class_makes() -> None:
    quick, made = executed("t", "text"), ToolResult("t", "text")
    assert all(getattr(quick, name) == getattr(made, name) for name in ToolResult.__slots__)


def test_doubtful_text_is_parsed_again_by_the_standard_library(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever reads 64 bits only, a tool gets the integer that was sent."""
    loads = json.loads
    short = SimpleNamespace(loads=lambda text: loads(text, parse_int=float))
    monkeypatch.setitem(sys.modules, "orjson", short)
    assert run(ToolExecutor(table), "add", '{"n": 100000000000000000001}').content == "100000000000000000002"
    assert (
        run(ToolExecutor(table), "add", '{"n": "1", "more": 100000000000000000001}').content == "100000000000000000002"
    )
