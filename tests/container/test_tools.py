"""Tool classes from a container: how long each lives, and when it ends."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest
from harness.hand_build import Build
from lauren_runtime import (
    LaurenApp,
    LaurenFactory,
    ToolCall,
    ToolContext,
    ToolExecutionError,
    ToolSetupError,
)

SOURCE = """
LOG = []

@injectable()
class Database: ...

@injectable(scope=Scope.REQUEST)
class Session:
    def __init__(self, db: Database):
        self.db = db

    @pre_destruct
    async def close(self):
        LOG.append("session closed")

class Counting:
    def __init__(self, session: Session):
        self.session = session
        self.calls = 0

    async def run(self):
        self.calls += 1
        LOG.append(self)
        return self.calls

@tool()
@injectable(scope=Scope.REQUEST)
class PerRun(Counting): ...

@tool()
@injectable(scope=Scope.TRANSIENT)
class PerCall(Counting): ...

@tool()
class Shared:
    def __init__(self, db: Database):
        self.db = db
        self.calls = 0

    async def run(self):
        self.calls += 1
        return self.calls

@tool()
class Plain:
    @post_construct
    def up(self):
        LOG.append("up")

    async def run(self):
        return "plain"

@tool()
@injectable(scope=Scope.REQUEST)
class Alone:
    def __init__(self):
        self.calls = 0

    def run(self):
        self.calls += 1
        return self.calls

class Guard(ToolHook):
    def __init__(self, db: Database):
        LOG.append("guard")

    async def before_tool_call(self, ctx):
        return BeforeToolHookDecision.abort("guarded")

@tool()
@use_hooks(Guard)
class Guarded:
    async def run(self):
        return "never"

@module(providers=[PerRun, PerCall, Shared, Plain, Session, Database, Guard, Guarded])
class App: ...
"""
NAMES = {"guarded": "Guarded", "per_run": "PerRun", "per_call": "PerCall", "shared": "Shared", "plain": "Plain"}
TOOLS: dict[str, dict[str, Any]] = {
    **{name: {"form": "class", "qualname": qualname, "is_async": True} for name, qualname in NAMES.items()},
    "alone": {"form": "class", "qualname": "Alone"},
}


class Run:
    """An agent context: any object will do."""


@pytest.fixture
def build(tmp_path: Path) -> Build:
    return Build(tmp_path, SOURCE, TOOLS)


def created(build: Build) -> LaurenApp:
    return LaurenFactory.create(build.tools.App)


async def ask(executor: Any, name: str, run: Any = None) -> str:
    context = None if run is None else ToolContext(agent_context=run)
    content = (await executor.execute(ToolCall("t", name, {}), context)).content
    assert isinstance(content, str)
    return content


def test_a_request_tool_lives_for_one_run(build: Build) -> None:
    async def go() -> None:
        executor = build.executor(container=created(build).container)
        one, other = Run(), Run()
        assert [await ask(executor, "per_run", one) for _ in range(3)] == ["1", "2", "3"]
        assert await ask(executor, "per_run", other) == "1"
        assert "session closed" not in build.tools.LOG
        await executor.end_run(one)
        assert build.tools.LOG.count("session closed") == 1
        assert await ask(executor, "per_run", one) == "1"
        await executor.end_run(one)
        await executor.end_run(one)
        assert build.tools.LOG.count("session closed") == 2

    asyncio.run(go())


def test_calls_of_one_run_at_once_share_the_object(build: Build) -> None:
    async def go() -> None:
        executor = build.executor(container=created(build).container)
        run = Run()
        results = await asyncio.gather(*[ask(executor, "per_run", run) for _ in range(4)])
        assert sorted(results) == ["1", "2", "3", "4"]

    asyncio.run(go())


def test_without_a_run_it_lives_for_one_call_and_ends_with_it(build: Build) -> None:
    async def go() -> None:
        executor = build.executor(container=created(build).container)
        assert [await ask(executor, "per_run") for _ in range(2)] == ["1", "1"]
        assert [type(each).__name__ for each in build.tools.LOG] == ["PerRun", "str", "PerRun", "str"]

    asyncio.run(go())


def test_a_transient_tool_is_new_for_each_call_and_shares_the_runs_objects(build: Build) -> None:
    async def go() -> None:
        executor = build.executor(container=created(build).container)
        run = Run()
        assert [await ask(executor, "per_call", run) for _ in range(2)] == ["1", "1"]
        await ask(executor, "per_run", run)
        one, two, three = build.tools.LOG
        assert one is not two
        assert one.session is two.session is three.session

    asyncio.run(go())


def test_a_singleton_is_the_containers_own_also_where_it_needs_nothing(build: Build) -> None:
    async def go() -> None:
        app = created(build)
        one, two = build.executor(container=app.container), build.executor(container=app.container)
        assert [await ask(one, "shared"), await ask(two, "shared")] == ["1", "2"]
        assert (await app.resolve(build.tools.Shared)).calls == 2
        assert await ask(one, "plain") == await ask(two, "plain") == "plain"
        assert build.tools.LOG == ["up"]

    asyncio.run(go())


def test_what_the_container_does_not_know_is_built_if_it_needs_nothing(build: Build) -> None:
    async def go() -> None:
        run = Run()
        for options in ({}, {"container": created(build).container}):
            executor = build.executor(**options)
            assert [await ask(executor, "alone", run) for _ in range(2)] == ["1", "2"]
            assert [await ask(executor, "alone") for _ in range(2)] == ["1", "1"]

    asyncio.run(go())


def test_hooks_come_from_the_container_too(build: Build) -> None:
    async def go() -> None:
        container = created(build).container
        for executor in (build.executor(container=container), build.executor(container=container)):
            assert await ask(executor, "guarded") == "guarded"
        assert build.tools.LOG == ["guard"]

    asyncio.run(go())


def test_without_a_container_what_is_missing_is_named(build: Build) -> None:
    async def go() -> None:
        result = await build.executor().execute(ToolCall("t", "per_run", {}))
        assert isinstance(result.exception, ToolExecutionError)
        assert isinstance(result.exception.original, ToolSetupError)
        assert "`session`" in result.content

    asyncio.run(go())


def test_a_failure_at_the_end_of_a_call_is_logged(build: Build, caplog: pytest.LogCaptureFixture) -> None:
    async def go() -> None:
        app = created(build)

        async def close(self: Any) -> None:
            raise OSError("gone")

        build.tools.Session.close = close
        result = await build.executor(container=app.container).execute(ToolCall("t", "per_run", {}))
        assert not result.is_error

    with caplog.at_level(logging.WARNING, "lauren_runtime"):
        asyncio.run(go())
    assert "at the end of a run: Session.close failed: OSError: gone" in caplog.text


def test_a_container_of_another_library_may_keep_a_runs_objects(build: Build) -> None:
    class Foreign:
        def resolve(self, token: Any, *, request_cache: dict[Any, Any]) -> Any:
            request_cache["seen"] = request_cache.get("seen", 0) + 1
            return token(session=request_cache["seen"])

    async def go() -> None:
        executor = build.executor(container=Foreign())
        run = Run()
        for name in ("per_call", "per_call", "per_run", "per_run"):
            await ask(executor, name, run)
        assert [each.session for each in build.tools.LOG] == [1, 2, 3, 3]

    asyncio.run(go())
