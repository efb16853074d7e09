"""What runs is what the decorator marked: a name that was bound to something else is an error, even if it would fit."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from harness.compiling import write_build
from harness.hand_build import Build, run
from lauren_runtime import BuildMismatchError, Table, ToolExecutor, load_build

SOURCE = """
import functools

def other(x: int) -> int:
    return -x

@tool()
def function(x: int) -> int:
    return x

def function(x: int) -> int:
    return -x

@tool()
class Class:
    async def run(self, x: int) -> int:
        return x

class Class:
    async def run(self, x: int) -> int:
        return -x

@tool()
async def later(x: int) -> int:
    return x

later = other

def opaque(function):
    return lambda x: -function(x)

@opaque
@tool()
def hidden(x: int) -> int:
    return x

def wrapping(function):
    @functools.wraps(function)
    def wrapper(*args, **keywords):
        return function(*args, **keywords) + 1
    return wrapper

@wrapping
@tool()
def wrapped(x: int) -> int:
    return x

@tool()
@wrapping
def inside(x: int) -> int:
    return x

class By:
    def __init__(self, function):
        self.__wrapped__ = function

    def __call__(self, x):
        return self.__wrapped__(x) + 1

@By
@tool()
def by_object(x: int) -> int:
    return x

def own(**options):
    return lambda function: tool(**options)(function)

@own(name="own")
def by_own_decorator(x: int) -> int:
    return x + 1

made = tool(name="made")(functools.partial(wrapping(other), x=-1))

class Holder:
    @tool()
    @staticmethod
    def static(x: int) -> int:
        return x + 1

    @staticmethod
    @tool()
    def static_too(x: int) -> int:
        return x + 1

@tool()
class Base:
    async def run(self, x: int) -> int:
        return x + 1
"""
REBOUND = ("function", "Class", "later", "hidden")
MARKED = ("wrapped", "inside", "by_object", "by_own_decorator", "made", "Holder.static", "Holder.static_too", "Base")
CLASSES = ("Class", "Base")


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    tools = {
        name.replace(".", "_"): {
            "arguments": {} if name == "made" else {"x": "int"},
            "qualname": name,
            "form": "class" if name in CLASSES else "function",
            "is_async": name in CLASSES,
        }
        for name in (*REBOUND, *MARKED)
    }
    return Build(tmp_path_factory.mktemp("rebound"), SOURCE, tools)


@pytest.mark.parametrize("name", REBOUND)
def test_what_the_decorator_never_saw_does_not_run(build: Build, name: str) -> None:
    result = build.run(name, {"x": 1})
    assert result.is_error
    assert isinstance(result.exception.__cause__, BuildMismatchError)  # type: ignore[union-attr]
    assert "was bound to something else after the decorator" in str(result.content)


@pytest.mark.parametrize("name", MARKED)
def test_what_it_marked_runs(build: Build, name: str) -> None:
    assert build.run(name.replace(".", "_"), {} if name == "made" else {"x": 1}).content == "2"


COMPILED = """
from lauren_runtime import tool

def body(x: int) -> int:
    '''Adds.'''
    return x + 1

five = tool(name="five")(body)

@tool()
def double(x: int) -> int:
    '''Doubles.'''
    return 2 * x
"""


def test_tools_that_are_made_by_a_call_and_sources_that_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "shop", raising=False)
    write_build(COMPILED, tmp_path)
    table: Table = load_build(str(tmp_path / "lauren_build"))
    assert run(ToolExecutor(table), "five", {"x": 4}).content == "5"
    monkeypatch.delitem(sys.modules, "shop")
    (tmp_path / "shop.py").write_text(COMPILED.replace("@tool()", ""), encoding="utf-8")
    assert "no mark of `tool()`" in str(run(ToolExecutor(table), "double", {"x": 4}).content)
