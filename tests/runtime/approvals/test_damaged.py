"""One record that can't be read hides no other, and is named."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lauren_runtime import Approval, Approvals, ApprovalStore, InMemoryApprovalStore, SQLiteApprovalStore
from lauren_runtime.approvals.reading import read
from lauren_runtime.approvals.records import Claim, Decision, Event

from .conftest import Opener

RUN = "r1"
WHOLE = Approval(
    agent_run_id=RUN,
    tool_use_id="bad",
    state="pending",
    tool_name="pay",
    arguments_json='{"amount": 1}',
    arguments_digest="d",
    asked_at=2.0,
    expires_at=None,
    decision=Decision(agent_run_id=RUN, tool_use_id="bad", tool_name="pay", verdict="approved", at=1.0),
    claim=Claim(runner="x", token="t", fence=1, at=1.0, until=2.0),
    history=(Event(what="asked", at=1.0),),
)


def waiting(call: str, at: float) -> Approval:
    return Approval(agent_run_id=RUN, tool_use_id=call, state="pending", tool_name="pay", asked_at=at)


def with_changed(*path: Any, to: Any) -> str:
    form = json.loads(WHOLE.to_json())
    inner = form
    for each in path[:-1]:
        inner = inner[each]
    inner[path[-1]] = to
    return json.dumps(form)


DAMAGES: list[tuple[Any, str]] = [
    ("", "no approval"),
    ("{", "no approval"),
    ("null", "no approval"),
    ("[]", "no approval"),
    ("[" * 100_000, "no approval"),
    (b"\xff\xfe{", "no approval"),
    (WHOLE.to_json()[:-20], "no approval"),
    (with_changed("format", to=99), "newer runtime"),
    (with_changed("state", to="lost"), "no approval"),
    (with_changed("asked_at", to="soon"), "no approval"),
    (with_changed("expires_at", to=[]), "no approval"),
    (with_changed("claim", "until", to=None), "no approval"),
    (with_changed("decision", "verdict", to="maybe"), "no approval"),
    (with_changed("history", 0, "at", to={}), "no approval"),
    (with_changed("arguments_json", to="[1]"), "no approval"),
    (with_changed("arguments_json", to='{"a"'), "no approval"),
    (with_changed("tool_name", to=5), "no approval"),
    (with_changed("more", to=5), "no approval"),
    (with_changed("tool_use_id", to="other"), "another call"),
]


def damage(store: ApprovalStore, path: Path, text: Any) -> None:
    """Write what somebody else would, past the store."""
    if isinstance(store, SQLiteApprovalStore):
        with sqlite3.connect(path / "approvals.db") as connection:
            value = f"CAST(x'{text.hex()}' AS TEXT)" if isinstance(text, bytes) else "?"
            values = () if isinstance(text, bytes) else (text,)
            connection.execute(f"UPDATE approvals SET record = {value} WHERE tool_use_id = 'bad'", values)
        connection.close()
    else:
        client, prefix = vars(store)["_client"], vars(store)["_prefix"]
        client.hset(prefix + "records", json.dumps([RUN, "bad"]), text)


@pytest.mark.parametrize(("text", "why"), DAMAGES)
def test_the_others_are_shown_and_the_damaged_one_is_named(
    opener: Opener, tmp_path: Path, text: Any, why: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = opener()
    if isinstance(store, InMemoryApprovalStore):
        assert Approvals(store).damaged() == []  # nobody else writes there
        return
    approvals = Approvals(store, time_limit=None)
    for number, name in enumerate(("first", "bad", "last")):
        assert store.swap((RUN, name), None, waiting(name, float(number)))
    damage(store, tmp_path, text)
    for _ in range(2):
        assert [each.tool_use_id for each in approvals.pending()] == ["first", "last"]
        assert approvals.interrupted() == []
    [damaged] = approvals.damaged()
    assert (damaged.agent_run_id, damaged.tool_use_id) == (RUN, "bad")
    assert why in damaged.why
    assert [
        each.getMessage().startswith("the approval of call 'bad' of run 'r1' is left out: ") for each in caplog.records
    ] == [True]
    with pytest.raises(ValueError, match=why):
        approvals.get(RUN, "bad")
    assert approvals.approve_tool(RUN, "first").outcome == "taken"
    assert approvals.reject_tool(RUN, "last").outcome == "taken"
    assert approvals.pending() == []


@pytest.mark.parametrize("ended", [False, True])
def test_a_run_with_a_damaged_call_ends(opener: Opener, tmp_path: Path, ended: bool) -> None:
    import asyncio

    store = opener()
    approvals = Approvals(store, time_limit=None, on_cancel="keep")
    for number, name in enumerate(("first", "bad")):
        assert store.swap((RUN, name), None, waiting(name, float(number)))
    if not isinstance(store, InMemoryApprovalStore):
        damage(store, tmp_path, "{")
    asyncio.run(approvals.end_run(RUN, cancelled=not ended))
    found = approvals.get(RUN, "first")
    assert found is not None
    assert found.state == ("withdrawn" if ended else "pending")
    assert store.purge(1e12) == (2 if ended and isinstance(store, InMemoryApprovalStore) else ended)


def test_a_store_that_cannot_tell_has_none() -> None:
    class Old:
        def __getattr__(self, name: str) -> Any:
            if name == "damaged":
                raise AttributeError(name)
            return getattr(kept, name)

    kept = InMemoryApprovalStore()
    make: Callable[[], Any] = Old
    assert Approvals(make()).damaged() == []


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=3), st.data()
)
def test_any_damage_is_told_or_is_none(value: Any, data: st.DataObject) -> None:
    """What is read can be settled, sorted and shown; what cannot is told."""
    from lauren_runtime.approvals.transitions import settled

    form = json.loads(WHOLE.to_json())
    place = data.draw(st.sampled_from([form, form["decision"], form["claim"], form["history"][0]]))
    place[data.draw(st.sampled_from(sorted(place)))] = value
    found, damaged = read([((RUN, "bad"), json.dumps(form))])
    assert len(found) + len(damaged) == 1
    for each in found:
        assert isinstance(settled(each, 5.0).arguments, dict)
        assert sorted([(each.asked_at, each.key), (1.0, each.key)])
        assert Approval.from_json(each.to_json()).key == each.key
