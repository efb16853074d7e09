"""Tool classes: one object per executor, or the container's; and what the error names."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from harness.hand_build import Build, run
from lauren_runtime import ToolCall, ToolExecutionError, ToolSetupError

SOURCE = """
MADE = []

@tool()
class Counter:
    def __init__(self):
        MADE.append(self)
        self.n = 0

    async def run(self):
        self.n += 1
        return self.n

@tool()
@injectable(scope=Scope.TRANSIENT)
class Fresh(Counter.__base__):
    def __init__(self):
        self.n = 0

    async def run(self, by: int = 1):
        self.n += by
        return self.n

@tool()
class Search:
    def __init__(self, db, *args, limit=3, **kw):
        self.db = db

    def run(self, q: str):
        return f"{q} in {self.db}"

@tool()
class Broken:
    def __init__(self):
        raise TypeError("bad config")

    async def run(self):
        return "never"

@tool()
class Static:
    @staticmethod
    def run(q: str):
        return q

@tool()
class OfClass:
    @classmethod
    def run(cls, q: str):
        return cls.__name__ + q
"""


def entry(name: str, **more: Any) -> dict[str, Any]:
    return {"form": "class", "qualname": name, **more}


Q = {"arguments": {"q": "str"}}
TOOLS = {
    "counter": entry("Counter", is_async=True),
    "fresh": entry("Fresh", is_async=True, arguments={"by": "int"}, needed=[]),
    "search": entry("Search", **Q),
    "broken": entry("Broken", is_async=True),
    "static": entry("Static", **Q),
    "of_class": entry("OfClass", **Q),
}


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


def test_a_singleton_is_built_once_per_executor(build: Build) -> None:
    one, two = build.executor(), build.executor()
    assert [run(one, "counter").content for _ in range(3)] == ["1", "2", "3"]
    assert run(two, "counter").content == "1"
    assert len(build.tools.MADE) == 2


def test_another_scope_gets_a_new_object_for_each_call(build: Build) -> None:
    executor = build.executor()
    assert [run(executor, "fresh", {"by": 2}).content for _ in range(3)] == ["2", "2", "2"]


def test_static_and_class_methods_can_be_run(build: Build) -> None:
    assert build.run("static", {"q": "x"}).content == "x"
    assert build.run("of_class", {"q": "x"}).content == "OfClassx"


def test_a_constructor_that_needs_something_is_explained(build: Build) -> None:
    result = build.run("search", {"q": "x"})
    assert isinstance(result.exception, ToolExecutionError)
    assert isinstance(result.exception.original, ToolSetupError)
    for part in ("`db`", "TABLE.bind(Search(...))", "container"):
        assert part in result.content
    assert "limit" not in result.content


def test_a_constructors_own_error_is_reported_as_it_is(build: Build) -> None:
    result = build.run("broken", error_detail=True)
    assert isinstance(result.exception, ToolExecutionError)
    assert type(result.exception.original) is TypeError
    assert result.content == "Tool 'broken' failed: TypeError: bad config"


class Container:
    def __init__(self) -> None:
        self.asked: list[str] = []

    def resolve(self, token: Any) -> Any:
        self.asked.append(token.__name__)
        return token("plain")


class AsyncContainer(Container):
    async def resolve(self, token: Any) -> Any:
        self.asked.append(token.__name__)
        await asyncio.sleep(0.01)
        return token("async")


@pytest.mark.parametrize(("container", "word"), [(Container(), "plain"), (AsyncContainer(), "async")])
def test_the_container_is_asked_once_even_by_calls_at_once(build: Build, container: Container, word: str) -> None:
    executor = build.executor(container=container)

    async def go() -> list[Any]:
        return await asyncio.gather(*[executor.execute(ToolCall(str(i), "search", {"q": "x"})) for i in range(5)])

    assert {result.content for result in asyncio.run(go())} == {f"x in {word}"}
    assert run(executor, "search", {"q": "y"}).content == f"y in {word}"
    assert container.asked == ["Search"]


def test_what_the_container_raises_is_the_tools_failure(build: Build) -> None:
    class Empty:
        def resolve(self, token: Any) -> Any:
            raise LookupError(token)

    result = build.run("search", {"q": "x"}, container=Empty())
    assert isinstance(result.exception, ToolExecutionError)
    assert type(result.exception.original) is LookupError
