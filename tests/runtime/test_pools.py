"""Sync tools in other processes: a pool of them, and a Dask cluster through the same interface."""

from __future__ import annotations

import asyncio
import multiprocessing
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from harness import requires
from harness.hand_build import Build
from lauren_runtime import ToolCall, ToolExecutionError, ToolResult

SOURCE = """
import os
import sys
import time

@tool()
def double(n):
    return {"n": 2 * n, "pid": os.getpid()}

@tool()
def falls(n):
    raise ValueError(n)

@tool()
def items(n):
    for number in range(n):
        yield number

@tool()
def slow(n):
    time.sleep(n)
    return "slept"

@tool()
def odd(n):
    return lambda: n
"""
ARGUMENTS: dict[str, Any] = {"arguments": {"n": "any"}}
TOOLS: dict[str, dict[str, Any]] = dict.fromkeys(("double", "falls", "odd"), ARGUMENTS)
TOOLS["items"] = {**ARGUMENTS, "is_generator": True}
TOOLS["slow"] = {**ARGUMENTS, "timeout": 0.1}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build(tmp_path_factory.mktemp("pools"), SOURCE, TOOLS)


@contextmanager
def processes(paths: list[str]) -> Iterator[Executor]:
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, context, initializer=sys.path.extend, initargs=(paths,)) as pool:
        yield pool


@contextmanager
def dask(paths: list[str]) -> Iterator[Executor]:
    distributed: Any = requires.package("distributed", "distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": 50}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        client.run(sys.path.extend, paths)
        yield client.get_executor(pure=False)


@pytest.fixture(scope="module", params=[processes, dask], ids=["processes", "dask"])
def pool(request: pytest.FixtureRequest, build: Build) -> Iterator[Executor]:
    make: Callable[[list[str]], Any] = request.param
    with make([str(build.folder.parent)]) as made:
        yield made


def called(build: Build, pool: Executor, *calls: tuple[str, Any]) -> list[ToolResult]:
    """The results of calls that run at once."""

    async def together() -> list[ToolResult]:
        executor = build.executor(pool=pool)
        given = [ToolCall(f"t{index}", name, {"n": n}) for index, (name, n) in enumerate(calls)]
        return list(await asyncio.gather(*map(executor.execute, given)))

    return asyncio.run(together())


def test_tools_run_in_other_processes(build: Build, pool: Executor) -> None:
    results = called(build, pool, *(("double", number) for number in range(20)))
    found = [eval(str(result.content)) for result in results]
    assert [each["n"] for each in found] == [2 * number for number in range(20)]
    assert multiprocessing.current_process().pid not in {each["pid"] for each in found}


def test_generators_and_failures_come_back(build: Build, pool: Executor) -> None:
    items, failed = called(build, pool, ("items", 3), ("falls", 7))
    assert items.content == "[0, 1, 2]"
    assert isinstance(failed.exception, ToolExecutionError)
    assert repr(failed.exception.original) == "ValueError(7)"


def test_what_cannot_travel_is_an_error_result(build: Build, pool: Executor) -> None:
    (result,) = called(build, pool, ("odd", 1))
    assert result.is_error


def test_a_time_limit_holds_for_the_caller(build: Build, pool: Executor) -> None:
    (result,) = called(build, pool, ("slow", 0.5))
    assert result.status == "timed_out"
