"""Stores that fail, before or after they did what they were asked."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from harness import requires
from harness.approving import Failing, acall, call, until
from harness.hand_build import Build
from lauren_runtime import (
    Approval,
    Approvals,
    ApprovalStore,
    InMemoryApprovalStore,
    RedisApprovalStore,
    SQLiteApprovalStore,
)

KEY = ("r1", "c1")


def failing(store: ApprovalStore, fails: Callable[[str], bool], *, too_late: bool = False) -> Any:
    return cast(ApprovalStore, Failing(store, fails, too_late=too_late))


@pytest.mark.parametrize("too_late", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_a_store_that_fails_now_and_then_is_not_noticed(build: Build, seed: int, too_late: bool) -> None:
    chance = random.Random(seed)
    store = InMemoryApprovalStore()
    approvals = Approvals(failing(store, lambda _: chance.random() < 0.1, too_late=too_late), time_limit=None)

    async def story() -> Any:
        waiting = asyncio.ensure_future(acall(approvals, build))
        await until(store, KEY, "pending")
        Approvals(store).approve_tool(*KEY)
        return await waiting

    result = asyncio.run(story())
    assert result.content == "5"
    assert build.tools.RUNS == [5]
    assert [each.what for each in history(store)] == ["asked", "approved", "claimed", "finished"]


def history(store: ApprovalStore) -> Any:
    found = store.get(KEY)
    assert found is not None
    return found.history


def test_a_call_that_cannot_be_asked_about_does_not_run(build: Build) -> None:
    approvals = Approvals(failing(InMemoryApprovalStore(), lambda method: method == "swap"))
    result = call(approvals, build)
    assert (result.is_error, result.content) == (True, "Tool 'pay' failed: the store of approvals failed: OSError")
    assert build.tools.RUNS == []


def test_a_call_that_cannot_be_claimed_does_not_run(build: Build) -> None:
    away = [False]
    store = InMemoryApprovalStore()
    approvals = Approvals(failing(store, lambda method: away[0] and method == "swap"))

    def notify(each: Approval) -> None:
        approvals.approve_tool(*each.key)
        away[0] = True

    assert call(approvals, build, notify).content == "Tool 'pay' failed: the store of approvals failed: OSError"
    assert build.tools.RUNS == []
    away[0] = False
    assert call(approvals, build).content == "5"


def test_a_call_whose_end_cannot_be_noted_has_its_result_and_looks_interrupted(build: Build) -> None:
    now = [1000.0]
    store = InMemoryApprovalStore(clock=lambda: now[0])
    approvals = Approvals(failing(store, lambda method: method == "swap" and bool(build.tools.RUNS)))
    result = call(approvals, build, lambda each: Approvals(store).approve_tool(*each.key))
    assert result.content == "5"
    now[0] += 30
    assert [each.key for each in Approvals(store).interrupted()] == [KEY]
    assert call(Approvals(store), build).status == "interrupted"
    assert build.tools.RUNS == [5]


def test_a_wait_outlasts_a_store_that_is_away_for_a_while(build: Build, caplog: pytest.LogCaptureFixture) -> None:
    looks = [0]

    def fails(method: str) -> bool:
        looks[0] += method == "get"
        return method == "get" and 3 <= looks[0] <= 6

    store = InMemoryApprovalStore()
    away = failing(store, fails)
    away.poll = 0.05

    async def story() -> Any:
        waiting = asyncio.ensure_future(acall(Approvals(away, time_limit=None), build))
        while looks[0] < 7:
            await asyncio.sleep(0.01)
        Approvals(store).approve_tool(*KEY)
        return await waiting

    assert asyncio.run(story()).content == "5"
    assert len([each for each in caplog.records if "waits on" in each.message]) == 1


@pytest.mark.parametrize("looks", [0, 2])
def test_no_wait_outlasts_its_time_limit(build: Build, looks: int) -> None:
    asked: list[Approval] = []
    left = [looks]

    def fails(method: str) -> bool:
        left[0] -= bool(asked) and method == "get"
        return bool(asked) and left[0] < 0

    away = failing(InMemoryApprovalStore(), fails)
    away.poll = 0.05
    result = call(Approvals(away, time_limit=0.3), build, asked.append)
    assert (result.status, result.content) == ("error", "Tool 'pay' failed: the store of approvals failed: OSError")


# --- Files and servers that are not what they should be ---


def test_a_database_of_something_else_is_left_alone(build: Build, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "shop.db")
    connection.execute("CREATE TABLE orders (id INTEGER)")
    connection.close()
    before = (tmp_path / "shop.db").read_bytes()
    with SQLiteApprovalStore(tmp_path / "shop.db") as store:
        with pytest.raises(ValueError, match="something else"):
            store.get(KEY)
        assert call(Approvals(store), build).content == "Tool 'pay' failed: the store of approvals failed: ValueError"
    assert (tmp_path / "shop.db").read_bytes() == before


def test_the_file_is_its_owners_only(tmp_path: Path) -> None:
    with SQLiteApprovalStore(tmp_path / "approvals.db") as store:
        store.begin_run("r1")
    assert (tmp_path / "approvals.db").stat().st_mode & 0o777 == 0o600


def test_a_record_of_a_newer_runtime_is_refused() -> None:
    record = Approval(agent_run_id="r1", tool_use_id="c1", state="pending")
    text = record.to_json()
    assert Approval.from_json(text) == record
    with pytest.raises(ValueError, match="upgrade"):
        Approval.from_json(text.replace('"format":1', '"format":2'))


def test_without_the_client_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "redis", None)
    with pytest.raises(ImportError, match=r"lauren-compile\[redis\]"):
        RedisApprovalStore.from_url("redis://localhost")


def test_a_server_that_is_not_there_runs_nothing(build: Build, tmp_path: Path) -> None:
    requires.package("redis", "lauren-compile[redis]")
    store = RedisApprovalStore.from_url(f"unix://{tmp_path}/nobody")
    assert "the store of approvals failed: ConnectionError" in str(call(Approvals(store), build).content)
    assert build.tools.RUNS == []


def test_a_call_that_somebody_removes_while_it_waits_is_gone_though_decided_again(build: Build) -> None:
    store = InMemoryApprovalStore()

    async def story() -> Any:
        store.begin_run(KEY[0])
        waiting = asyncio.ensure_future(acall(Approvals(store, time_limit=None), build))
        assert store.swap(KEY, await until(store, KEY, "pending"), None)
        assert Approvals(store).approve_tool(*KEY).outcome == "early"
        async with asyncio.timeout(30):
            return await waiting

    result = asyncio.run(story())
    assert "is gone from the store" in result.content


@pytest.mark.parametrize("text", ["garbage", "null", "[]", "5", "{}", '{"format":1}', '{"format":1,"x":2}', b"\xff"])
def test_what_is_no_record_is_said_to_be_none(text: Any) -> None:
    with pytest.raises(ValueError, match="what is stored is no approval"):
        Approval.from_json(text)
