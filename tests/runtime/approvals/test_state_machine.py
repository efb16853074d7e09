"""Whatever happens to approvals in whatever order, every store does what one small model says.

The model knows no records and no transitions: it keeps a few words for each call, and says what each step must answer.
Each step goes through one of two openings of the store, as two processes would have them.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from harness.quick_folder import quick_folder
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from lauren_runtime import Approval, ApprovalStore, InMemoryApprovalStore, RedisApprovalStore, SQLiteApprovalStore
from lauren_runtime.approvals import deciding, transitions
from lauren_runtime.approvals.records import Key, frozen
from lauren_runtime.approvals.store import change
from lauren_runtime.approvals.transitions import Refused, Ruling

pytestmark = pytest.mark.one_python

LEASE = 10.0
RUNS = ("r1", "r2")
KEYS = st.sampled_from([("r1", "c1"), ("r1", "c1"), ("r1", "c9"), ("r2", "c1")])
ARGUMENTS = st.sampled_from([{"amount": 1}, {"amount": 2}])
LIMITS = st.sampled_from([None, 5.0, 20.0])
TOKENS = st.sampled_from(["runner-a", "runner-b"])
WHICH = st.integers(0, 1)
CLOSED = {"rejected", "expired", "withdrawn", "finished"}


class Call:
    """What the model knows of one call."""

    def __init__(self, state: str, now: float) -> None:
        self.state = state
        self.arguments: dict[str, Any] = {}
        self.ends: float | None = None
        self.holder = ""
        self.lease_ends = 0.0
        self.changed = now
        self.starts = 0
        self.allowances = 0

    def pass_time(self, now: float) -> None:
        if self.state == "pending" and self.ends is not None and self.ends <= now:
            self.move("expired", self.ends)
        if self.state == "running" and self.lease_ends <= now:
            self.move("interrupted", self.lease_ends)

    def move(self, state: str, now: float) -> None:
        self.state, self.changed = state, now


class Story(RuleBasedStateMachine):
    """Steps in any order. A subclass says how to open its store."""

    def open_two(self) -> tuple[ApprovalStore, ApprovalStore]:
        raise NotImplementedError

    @initialize()
    def begin(self) -> None:
        self.time = 1000.0
        self.stores = self.open_two()
        self.known: dict[str, float] = {}
        self.calls: dict[Key, Call] = {}
        self.numbers = itertools.count()

    # --- What the model says ---

    def at(self, key: Key) -> Call | None:
        found = self.calls.get(key)
        if found is not None:
            found.pass_time(self.time)
        return found

    def knows(self, run: str) -> bool:
        open_calls = [key for key, call in self.calls.items() if call.state.split()[0] not in {*CLOSED, "early"}]
        return run in self.known or any(key[0] == run for key in open_calls)

    def forget_early(self, run: str) -> None:
        self.calls = {k: c for k, c in self.calls.items() if not (k[0] == run and c.state.startswith("early"))}

    def note_time(self, which: int, keys: list[Key]) -> None:
        """Have the store note what time did, as it does where a call is next looked at."""
        for key in keys:
            self.at(key)
            change(self.stores[which], key, lambda old, now: transitions.settled(known(old), now))

    # --- Steps ---

    @rule(seconds=st.sampled_from([1.0, 6.0, 11.0]))
    def wait(self, seconds: float) -> None:
        self.time += seconds

    @rule(run=st.sampled_from(RUNS), which=WHICH)
    def begin_run(self, run: str, which: int) -> None:
        self.stores[which].begin_run(run)
        if run not in self.known:
            self.forget_early(run)
            self.known[run] = self.time

    @rule(run=st.sampled_from(RUNS), which=WHICH)
    def end_run(self, run: str, which: int) -> None:
        deciding.end_run(self.stores[which], run)
        self.known.pop(run, None)
        self.forget_early(run)
        for key in list(self.calls):
            call = self.at(key)
            if call is not None and key[0] == run and call.state in {"pending", "approved"}:
                call.move("withdrawn", self.time)

    @rule(key=KEYS, arguments=ARGUMENTS, limit=LIMITS, which=WHICH)
    def ask(self, key: Key, arguments: dict[str, Any], limit: float | None, which: int) -> None:
        store = self.stores[which]
        text, digest = frozen(arguments)

        def step(old: Approval | None, now: float) -> Approval:
            asked = Approval(
                agent_run_id=key[0],
                tool_use_id=key[1],
                state="pending",
                tool_name="pay",
                tool_digest="d",
                arguments_json=text,
                arguments_digest=digest,
                asked_at=now,
                expires_at=None if limit is None else now + limit,
            )
            return transitions.registered(old, asked)

        call = self.at(key)
        if call is not None and call.state not in {"withdrawn"} and not call.state.startswith("early"):
            if call.arguments != arguments:
                with pytest.raises(Refused, match="conflict"):
                    change(store, key, step)
                return
            assert change(store, key, step).state == call.state
            return
        record = change(store, key, step)
        state = call.state.removeprefix("early ") if call is not None and call.state != "withdrawn" else "pending"
        made = self.calls[key] = Call(state, self.time)
        made.arguments = arguments
        made.ends = None if limit is None else self.time + limit
        made.changed = record.changed_at
        made.allowances = state == "approved"
        assert record.state == state

    @rule(key=KEYS, verdict=st.sampled_from(["approved", "rejected"]), shown=st.none() | ARGUMENTS, which=WHICH)
    def decide(self, key: Key, verdict: Any, shown: dict[str, Any] | None, which: int) -> None:
        digest = None if shown is None else frozen(shown)[1]
        ruling = Ruling(verdict=verdict, shown=digest, id=str(next(self.numbers)))
        call = self.at(key)
        self.note_time(which, [each for each in self.calls if each[0] == key[0] and each != key])
        expected = self.expected(call, key, shown)
        assert deciding.decide(self.stores[which], key, ruling).outcome == expected
        if expected == "taken" and call is not None:
            call.move(verdict, self.time)
            call.allowances += verdict == "approved"
        elif expected == "early":
            self.calls[key] = Call(f"early {verdict}", self.time)

    def expected(self, call: Call | None, key: Key, shown: dict[str, Any] | None) -> str:
        if call is None:
            return "early" if self.knows(key[0]) and shown is None else "unknown"
        if call.state in {"expired", "withdrawn"}:
            return "late"
        if call.state != "pending":
            return "repeated"
        return "taken" if shown in (None, call.arguments) else "changed"

    @rule(key=KEYS, token=TOKENS, which=WHICH)
    def claim(self, key: Key, token: str, which: int) -> None:
        def step(old: Approval | None, now: float) -> Approval:
            return transitions.claimed(known(old), now, runner=token, token=token, lease=LEASE)

        call = self.at(key)
        if call is not None and call.state == "running" and call.holder == token:
            assert change(self.stores[which], key, step).state == "running"
        elif call is not None and call.state == "approved":
            record = change(self.stores[which], key, step)
            call.starts += 1
            call.holder, call.lease_ends = token, self.time + LEASE
            call.move("running", self.time)
            assert record.claim is not None
            assert (record.state, record.claim.token) == ("running", token)
        else:
            self.refused(which, key, step)

    @rule(key=KEYS, token=TOKENS, seconds=st.sampled_from([0.0, 11.0]), which=WHICH)
    def begin_to_run(self, key: Key, token: str, seconds: float, which: int) -> None:
        """The usual story in one step, so that what comes after it is tried often."""
        self.ask(key, {"amount": 1}, None, which)
        self.decide(key, "approved", None, which)
        self.claim(key, token, which)
        self.time += seconds

    @rule(key=KEYS, verdict=st.sampled_from(["approved", "rejected"]), which=WHICH)
    def decide_before_it_is_asked(self, key: Key, verdict: Any, which: int) -> None:
        self.begin_run(key[0], which)
        self.decide((key[0], "c9"), verdict, None, which)

    @rule(key=KEYS, which=WHICH)
    def ask_again_and_purge(self, key: Key, which: int) -> None:
        self.withdraw(key, which)
        self.ask(key, {"amount": 2}, None, which)
        self.time += 1
        self.purge(0.0, which)

    @rule(key=KEYS, which=WHICH)
    def swap_what_is_not_there(self, key: Key, which: int) -> None:
        store = self.stores[which]
        found = store.get(key)
        other = Approval(agent_run_id=key[0], tool_use_id=key[1], state="pending", tool_name="other")
        for old in {None, other} - {found}:
            assert not store.swap(key, old, other)
            assert not store.swap(key, other, None)
        assert store.get(key) == found

    @rule(key=KEYS, token=TOKENS, what=st.sampled_from(["renew", "return", "finish"]), which=WHICH)
    def hold(self, key: Key, token: str, what: str, which: int) -> None:
        def step(old: Approval | None, now: float) -> Approval:
            if what == "renew":
                return transitions.renewed(known(old), now, token, LEASE)
            if what == "return":
                return transitions.returned(known(old), now, token)
            return transitions.finished(known(old), now, token, "{}")

        call = self.at(key)
        if call is None or call.holder != token or call.state not in {"running", "interrupted"}:
            if not (call is not None and call.holder == token and call.state == "finished" and what == "finish"):
                self.refused(which, key, step)
            return
        resumed = call.state == "interrupted"
        change(self.stores[which], key, step)
        if what == "renew":
            call.lease_ends = self.time + LEASE
            call.state, call.changed = "running", self.time if resumed else call.changed
        else:
            call.move({"return": "approved", "finish": "finished"}[what], self.time)
            call.starts -= what == "return"

    @rule(key=KEYS, what=st.sampled_from(["release", "abandon"]), which=WHICH)
    def settle_interrupted(self, key: Key, what: str, which: int) -> None:
        act = deciding.release if what == "release" else deciding.abandon
        answer = act(self.stores[which], key, by="ops", reason="looked")
        call = self.at(key)
        assert bool(answer) == (call is not None and call.state == "interrupted")
        if call is not None and answer:
            call.move("approved" if what == "release" else "finished", self.time)
            call.holder = call.holder if what == "abandon" else ""
            call.allowances += what == "release"

    @rule(key=KEYS, which=WHICH)
    def withdraw(self, key: Key, which: int) -> None:
        deciding.withdraw(self.stores[which], key, "not wanted")
        call = self.at(key)
        if call is not None and call.state in {"pending", "approved"}:
            call.move("withdrawn", self.time)

    @rule(age=st.sampled_from([0.0, 15.0]), which=WHICH)
    def purge(self, age: float, which: int) -> None:
        before = self.time - age
        store = self.stores[which]
        self.note_time(which, list(self.calls))
        old = {k for k, c in self.calls.items() if c.changed < before and c.state.split()[0] in {*CLOSED, "early"}}
        assert store.purge(before) == len(old)
        self.calls = {key: call for key, call in self.calls.items() if key not in old}
        self.known = {run: begun for run, begun in self.known.items() if begun >= before}

    def refused(self, which: int, key: Key, step: Any) -> None:
        before = self.stores[which].get(key)
        with pytest.raises(Refused):
            change(self.stores[which], key, step)
        assert self.stores[which].get(key) == before

    # --- What always holds ---

    @invariant()
    def records_are_as_the_model_has_them(self) -> None:
        for store in self.stores:
            still_open = store.records()
            found = [*still_open, *store.records(closed=True)]
            states = {each.key: transitions.settled(each, self.time).state for each in found}
            assert states == {key: known_call(self.at(key)) for key in self.calls}
            assert len(found) == len(states)
            for run in RUNS:
                of_run = store.records(agent_run_id=run)
                if all(transitions.settled(each, self.time) == each for each in of_run):
                    assert store.knows_run(run) == self.knows(run)
                assert of_run == [each for each in still_open if each.agent_run_id == run]

    @invariant()
    def nothing_runs_more_often_than_humans_allowed(self) -> None:
        assert all(call.starts <= call.allowances for call in self.calls.values())

    @invariant()
    def records_have_a_json_form(self) -> None:
        for each in self.stores[0].records():
            assert Approval.from_json(each.to_json()) == each


def known(old: Approval | None) -> Approval:
    if old is None:
        raise Refused("unknown")
    return old


def known_call(call: Call | None) -> str:
    assert call is not None
    return call.state.split()[0]


RUNS_OF_MACHINE = settings(
    max_examples=100,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


def test_in_memory() -> None:
    class Memory(Story):
        def open_two(self) -> tuple[ApprovalStore, ApprovalStore]:
            store = InMemoryApprovalStore(clock=lambda: self.time)
            return store, store

    run_state_machine_as_test(Memory, settings=settings(RUNS_OF_MACHINE, max_examples=300))


def test_in_sqlite() -> None:
    class File(Story):
        def open_two(self) -> tuple[ApprovalStore, ApprovalStore]:
            self.folder = quick_folder()
            path = self.folder.__enter__() / "approvals.db"
            return tuple(SQLiteApprovalStore(path, clock=lambda: self.time) for _ in range(2))  # type: ignore[return-value]

        def teardown(self) -> None:
            for store in getattr(self, "stores", ()):
                store.close()
            if hasattr(self, "folder"):
                self.folder.__exit__(None, None, None)

    run_state_machine_as_test(File, settings=RUNS_OF_MACHINE)


def test_in_redis(redis_socket: str) -> None:
    prefixes = itertools.count()

    class Server(Story):
        def open_two(self) -> tuple[ApprovalStore, ApprovalStore]:
            prefix = f"story-{next(prefixes)}"
            story = self

            class Store(RedisApprovalStore):
                def now(self) -> float:
                    return story.time

            return Store.from_url(redis_socket, prefix), Store.from_url(redis_socket, prefix)

        def teardown(self) -> None:
            for store in getattr(self, "stores", ()):
                store.close()

    run_state_machine_as_test(Server, settings=RUNS_OF_MACHINE)
