"""A thousand calls at once: approved, rejected, cancelled, left alone, over a store that fails now and then."""

from __future__ import annotations

import asyncio
import gc
import json
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import lauren_runtime
import pytest
from harness.approving import Failing
from harness.hand_build import Build
from harness.quick_folder import quick_folder
from lauren_runtime import (
    Approval,
    Approvals,
    ApprovalStore,
    InMemoryApprovalStore,
    RedisApprovalStore,
    SQLiteApprovalStore,
    ToolCall,
    ToolExecutor,
    ToolResult,
)

from .conftest import Opener

pytestmark = pytest.mark.one_python

COUNT = 1000
FATES = ("approve", "approve", "approve", "edit", "reject", "leave", "cancel")
STATUS = {"approve": "executed", "edit": "executed", "reject": "rejected"}


@pytest.fixture
def database_folder() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


class Crowd:
    """Calls, each with a fate of its own that `seed` draws, and what became of each."""

    def __init__(self, build: Build, approvals: Approvals, seed: int) -> None:
        chance = random.Random(seed)
        self.fates = [chance.choice(FATES) for _ in range(COUNT)]
        self.approvals = approvals
        self.executor = ToolExecutor(build.table)
        self.pool = ThreadPoolExecutor(4)
        self.tasks: dict[int, asyncio.Task[ToolResult]] = {}
        self.taken: dict[int, bool] = {}
        self.seed = seed

    async def run(self) -> list[ToolResult | BaseException]:
        for number in range(COUNT):
            self.tasks[number] = asyncio.ensure_future(self.one(number))
        results = await asyncio.gather(*self.tasks.values(), return_exceptions=True)
        self.pool.shutdown()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return results

    async def one(self, number: int) -> ToolResult:
        run = f"r{self.seed}-{number}"
        await self.approvals.begin_run(run)
        call = ToolCall("c1", "pay", {"amount": number})
        try:
            return await self.approvals.execute(
                self.executor, call, agent_run_id=run, notify=lambda each: self.decide(number, each)
            )
        finally:
            await self.approvals.end_run(run)

    def decide(self, number: int, approval: Approval) -> None:
        fate = self.fates[number]
        if fate == "cancel":
            self.tasks[number].cancel()
        elif fate != "leave":
            self.pool.submit(self.answer, number, fate, approval)

    def answer(self, number: int, fate: str, approval: Approval) -> None:
        """A human's answer, who tries again where the store fails."""
        edited = {"amount": number + COUNT} if fate == "edit" else None
        while True:
            try:
                if fate == "reject":
                    answer = self.approvals.reject_tool(*approval.key, reason="no")
                else:
                    answer = self.approvals.approve_tool(*approval.key, arguments=edited)
            except OSError:
                continue
            self.taken[number] = self.taken.get(number, False) or bool(answer)
            return


def test_every_call_has_one_result_and_runs_once_at_most(build: Build, opener: Opener) -> None:
    store = opener()
    chance = random.Random(0)
    fails = cast(ApprovalStore, Failing(store, lambda _: chance.random() < 0.02))
    approvals = Approvals(fails, table=build.table, time_limit=2.0, on_cancel="withdraw")
    for seed in range(2):
        build.tools.RUNS.clear()
        crowd = Crowd(build, approvals, seed)
        results = asyncio.run(crowd.run())
        runs = Counter(build.tools.RUNS)
        assert max(runs.values()) == 1
        executed = 0
        for number, (fate, result) in enumerate(zip(crowd.fates, results, strict=True)):
            amount = number + COUNT * (fate == "edit")
            if isinstance(result, BaseException):
                assert isinstance(result, asyncio.CancelledError)
                assert fate == "cancel"
            else:
                status = STATUS[fate] if crowd.taken.get(number) else "expired"
                assert (result.status, result.tool_use_id) == (status, "c1")
                executed += status == "executed"
                assert runs[amount] == (status == "executed")
        assert executed == sum(runs.values())
        assert store.records() == []
        assert {each.state for each in store.records(closed=True)} <= {"finished", "rejected", "expired", "withdrawn"}


def test_memory_and_threads_return(build: Build) -> None:
    store = InMemoryApprovalStore(max_closed=10)
    approvals = Approvals(store, table=build.table, time_limit=1.0)
    asyncio.run(Crowd(build, approvals, 0).run())
    objects, threads = settled_count(), threading.active_count()
    for seed in (1, 2):
        asyncio.run(Crowd(build, approvals, seed).run())
    assert settled_count() - objects < COUNT / 4, "objects stayed behind for each call"
    assert threading.active_count() == threads
    assert len(store.records(closed=True)) == 10


def settled_count() -> int:
    gc.collect()
    return len(gc.get_objects())


RACER = """
import asyncio, importlib, json, sys
sys.path[:0] = [{folder!r}, {runtime!r}]
from lauren_runtime import Approvals, RedisApprovalStore, SQLiteApprovalStore, ToolCall, ToolExecutor

async def main():
    where = {where!r}
    url, _, prefix = where.partition("#")
    store = RedisApprovalStore.from_url(url, prefix, poll=0.05) if prefix else SQLiteApprovalStore(where, poll=0.05)
    approvals = Approvals(store, time_limit=None)
    executor = ToolExecutor(importlib.import_module({package!r} + ".dispatch").TABLE)
    calls = [ToolCall(f"c{{n}}", "pay", {{"amount": n}}) for n in range(100)]
    results = await asyncio.gather(*(approvals.execute(executor, call, agent_run_id="r1") for call in calls))
    runs = importlib.import_module({tools!r}).RUNS
    print(json.dumps([[each.content for each in results], runs]))

asyncio.run(main())
"""


@pytest.mark.parametrize("kind", ["sqlite", "redis"])
def test_two_runners_race_for_a_hundred_calls(
    build: Build, kind: str, tmp_path: Path, database_folder: Path, request: pytest.FixtureRequest
) -> None:
    where, store = str(database_folder / "approvals.db"), cast(Any, None)
    if kind == "redis":
        url = request.getfixturevalue("redis_socket")
        where, store = f"{url}#{tmp_path}", RedisApprovalStore.from_url(url, str(tmp_path))
    else:
        store = SQLiteApprovalStore(where)
    runtime = str(Path(lauren_runtime.__file__).parent.parent)
    code = RACER.format(
        folder=str(tmp_path), runtime=runtime, where=where, package=build.package, tools=build.tools.__name__
    )
    racers = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    approvals = Approvals(store)
    decided: set[str] = set()
    while len(decided) < 100:
        for each in approvals.pending():
            if approvals.approve_tool(*each.key):
                decided.add(each.tool_use_id)
    answers = [json.loads(each.communicate(timeout=120)[0]) for each in racers]
    store.close()
    contents = [str(number) for number in range(100)]
    assert [each[0] for each in answers] == [contents, contents]
    assert sorted(answers[0][1] + answers[1][1]) == list(range(100))
