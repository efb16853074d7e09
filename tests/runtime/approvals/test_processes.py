"""Runners that are killed at each step, and deciders in other processes: nothing is lost, and nothing runs twice."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import lauren_runtime
import pytest
from harness.hand_build import Build
from harness.quick_folder import quick_folder
from lauren_runtime import Approvals, RedisApprovalStore, SQLiteApprovalStore

pytestmark = pytest.mark.one_python

PROCESS = Path(__file__).parent / "process.py"
RUNTIME = str(Path(lauren_runtime.__file__).parent.parent)
SOURCE = """
from pathlib import Path

@tool(requires_confirmation=True)
async def pay(amount: int):
    with open(Path(__file__).with_name("effects"), "a") as file:
        file.write(f"{amount}\\n")
    return amount
"""
TOOLS = {"pay": {"arguments": {"amount": "int"}, "is_async": True, "requires_confirmation": True}}
INTERRUPTED = (
    "Tool 'pay' was started for this call, and its runner stopped before the end. "
    "Whether it took effect is not known; it was not run again."
)


class Office:
    """A store that several processes share, and these processes."""

    def __init__(self, folder: Path, where: str) -> None:
        self.folder = folder
        self.where = where
        self.build = Build(folder, SOURCE, TOOLS)
        self.started: list[subprocess.Popen[str]] = []
        url, _, prefix = where.partition("#")
        self.store = RedisApprovalStore.from_url(url, prefix) if prefix else SQLiteApprovalStore(where)
        self.approvals = Approvals(self.store)

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        code = f"import runpy, sys; sys.path.append({RUNTIME!r}); runpy.run_path({str(PROCESS)!r}, run_name='__main__')"
        process = subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True)
        self.started.append(process)
        return process

    def runner(self, stop: str = "") -> subprocess.Popen[str]:
        return self.start("run", str(self.folder), self.build.package, self.where, stop)

    def killed_at(self, stop: str, meanwhile: Callable[[], object] = lambda: None) -> None:
        """A runner that gets to a step, and is killed there."""
        runner = self.runner(stop)
        meanwhile()
        assert runner.stdout is not None
        assert runner.stdout.readline() == "stopped\n"
        runner.kill()
        runner.wait()

    def result(self, runner: subprocess.Popen[str]) -> list[str]:
        out, _ = runner.communicate(timeout=60)
        found: list[str] = json.loads(out)
        return found

    def decide(self, verdict: str = "approved", by: str = "ann") -> str:
        out, _ = self.start("decide", self.where, verdict, by).communicate(timeout=60)
        return out.strip()

    def until(self, state: str) -> Any:
        """The call's record, once it is in that state."""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            found = self.approvals.get("r1", "c1")
            if found is not None and found.state == state:
                return found
            time.sleep(0.02)
        raise AssertionError(f"never {state}: {self.approvals.get('r1', 'c1')}")

    @property
    def effects(self) -> list[str]:
        file = self.folder / "effects"
        return file.read_text().split() if file.exists() else []


@pytest.fixture
def database_folder() -> Iterator[Path]:
    with quick_folder() as folder:
        yield folder


@pytest.fixture(params=["sqlite", "redis"])
def office(request: pytest.FixtureRequest, tmp_path: Path, database_folder: Path) -> Iterator[Office]:
    where = str(database_folder / "approvals.db")
    if request.param == "redis":
        where = f"{request.getfixturevalue('redis_socket')}#{tmp_path}"
    office = Office(tmp_path, where)
    yield office
    for process in office.started:
        process.kill()
        process.communicate()
    office.store.close()


def test_another_process_decides(office: Office) -> None:
    runner = office.runner()
    asked = office.until("pending")
    assert (asked.tool_name, asked.arguments, asked.agent_id) == ("pay", {"amount": 5}, "clerk")
    assert office.decide() == "taken"
    assert office.result(runner) == ["5", "executed"]
    assert office.decide("rejected", by="bob") == "repeated"
    record = office.until("finished")
    assert [each.what for each in record.history] == ["asked", "approved", "claimed", "finished"]
    assert (record.decision.by, record.decision.reason) == ("ann", "looked at it")
    assert (record.decision.tool_digest, record.decision.arguments_digest) == ("t-pay", record.arguments_digest)


def test_killed_before_it_registered(office: Office) -> None:
    office.killed_at("before pending")
    assert office.decide() == "unknown"
    runner = office.runner()
    office.until("pending")
    assert office.decide() == "taken"
    assert office.result(runner) == ["5", "executed"]
    assert office.effects == ["5"]


@pytest.mark.parametrize("decided", ["while nobody runs", "after the restart"])
def test_killed_while_it_waited(office: Office, decided: str) -> None:
    office.killed_at("after pending")
    office.until("pending")
    if decided == "while nobody runs":
        assert office.decide() == "taken"
        runner = office.runner()
    else:
        runner = office.runner()
        assert office.decide() == "taken"
    assert office.result(runner) == ["5", "executed"]
    assert office.effects == ["5"]
    assert office.until("finished").history[0].what == "asked"


def test_a_rejection_while_nobody_runs_is_remembered(office: Office) -> None:
    office.killed_at("after pending")
    assert office.decide("rejected") == "taken"
    assert office.result(office.runner()) == ["The user denied permission to run 'pay': looked at it", "rejected"]
    assert office.effects == []


@pytest.mark.parametrize("stop", ["seen approved", "before running"])
def test_killed_between_decision_and_claim(office: Office, stop: str) -> None:
    office.killed_at(stop, lambda: (office.until("pending"), office.decide()))
    assert office.until("approved").decision.by == "ann"
    assert office.result(office.runner()) == ["5", "executed"]
    assert office.effects == ["5"]


@pytest.mark.parametrize(("stop", "effects"), [("after running", []), ("before finished", ["5"])])
def test_killed_in_the_middle_is_not_run_again(office: Office, stop: str, effects: list[str]) -> None:
    office.killed_at(stop, lambda: (office.until("pending"), office.decide()))
    assert office.effects == effects
    assert office.result(office.runner()) == [INTERRUPTED, "interrupted"]
    assert office.decide() == "repeated"
    assert office.effects == effects
    record = office.until("interrupted")
    assert [each.what for each in record.history] == ["asked", "approved", "claimed", "interrupted"]
    assert [each.key for each in office.approvals.interrupted()] == [("r1", "c1")]


def test_an_interrupted_call_runs_again_when_it_is_released(office: Office) -> None:
    office.killed_at("after running", lambda: (office.until("pending"), office.decide()))
    office.until("interrupted")
    assert office.approvals.release("r1", "c1", by="ops", reason="no payment was made")
    assert office.result(office.runner()) == ["5", "executed"]
    assert office.effects == ["5"]
    record = office.until("finished")
    assert record.claim.fence == 2
    assert [(each.what, each.by) for each in record.history if each.by in ("ann", "ops")] == [
        ("approved", "ann"),
        ("released", "ops"),
    ]


def test_killed_after_the_end_its_result_is_kept(office: Office) -> None:
    office.killed_at("after finished", lambda: (office.until("pending"), office.decide()))
    assert office.result(office.runner()) == ["5", "executed"]
    assert office.effects == ["5"]


def test_a_second_runner_waits_for_the_result_of_the_first(office: Office) -> None:
    runners = [office.runner(), office.runner()]
    office.until("pending")
    assert office.decide() == "taken"
    assert [office.result(each) for each in runners] == [["5", "executed"]] * 2
    assert office.effects == ["5"]


def test_of_many_deciders_one_is_heard(office: Office) -> None:
    runner = office.runner()
    office.until("pending")
    deciders = [office.start("decide", office.where, "approved", f"{number}") for number in range(4)]
    outcomes = [each.communicate(timeout=60)[0].strip() for each in deciders]
    assert sorted(outcomes) == ["repeated", "repeated", "repeated", "taken"]
    assert office.result(runner) == ["5", "executed"]
    assert office.until("finished").decision.by == str(outcomes.index("taken"))
