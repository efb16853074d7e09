"""A human's decision, from any thread, process or event loop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..decoding import apply_repairs
from ..errors import ArgumentError, ToolInputError
from ..json_text import arguments_of
from ..loading import decoder_of
from ..table import Table
from .answers import Answer, Outcome
from .records import Approval, Key, Verdict
from .store import ApprovalStore, change
from .transitions import Refused, abandoned, decided, decided_early, released, withdrawn


def decide(
    store: ApprovalStore,
    key: Key,
    verdict: Verdict,
    *,
    by: str | None,
    reason: str,
    arguments: dict[str, Any] | None = None,
    shown: str | None = None,
) -> Answer:
    """Decide a call. `arguments` (None: as they are) fit it; `shown` is the digest of those the human saw.

    Raises what the store raises.
    """

    def step(old: Approval | None, now: float) -> Approval:
        return decided(old, verdict, now, by=by, reason=reason, arguments=arguments, shown=shown)

    while True:
        answer = stepped(store, key, step)
        if answer.outcome != "unknown" or not store.knows_run(key[0]):
            return answer
        if arguments is not None or shown is not None:
            return answer
        early = decided_early(key, verdict, store.now(), by=by, reason=reason)
        if store.swap(key, None, early):
            return _kept(store, early)


def _kept(store: ApprovalStore, early: Approval) -> Answer:
    """The answer to a decision that was stored for later, unless its run ended meanwhile: nobody would take it away."""
    run, call = early.key
    if store.knows_run(run) and (store.get(early.key) is not None):
        return Answer("early", early)
    store.swap((run, call), early, None)
    return Answer("unknown")


def release(store: ApprovalStore, key: Key, *, by: str | None, reason: str) -> Answer:
    """Let an interrupted call run again."""
    return stepped(store, key, lambda old, now: released(old, now, by=by, reason=reason))


def abandon(store: ApprovalStore, key: Key, *, by: str | None, reason: str) -> Answer:
    """Close an interrupted call."""
    return stepped(store, key, lambda old, now: abandoned(old, now, by=by, reason=reason))


def withdraw(store: ApprovalStore, key: Key, reason: str) -> Answer:
    """Note that nobody wants the call any more, unless it runs or is over."""

    def step(old: Approval | None, now: float) -> Approval:
        if old is None:
            raise Refused("unknown")
        return withdrawn(old, now, reason)

    return stepped(store, key, step)


def end_run(store: ApprovalStore, agent_run_id: str) -> None:
    """Note that a run is over: its early decisions go, its calls that wait, or were not begun, are withdrawn."""
    store.end_run(agent_run_id)
    for each in store.records(agent_run_id=agent_run_id):
        withdraw(store, each.key, "the run ended")


def stepped(store: ApprovalStore, key: Key, step: Callable[[Approval | None, float], Approval]) -> Answer:
    """The answer to a step: taken, or why it could not be."""
    try:
        return Answer("taken", change(store, key, step))
    except Refused as refused:
        return Answer(_OUTCOMES[refused.why], refused.record)


_OUTCOMES: dict[str, Outcome] = {
    "unknown": "unknown",
    "repeated": "repeated",
    "late": "late",
    "changed": "changed",
}


def edited(record: Approval | None, given: object, table: Table | None) -> dict[str, Any]:
    """Arguments that an approver changed, decoded as the tool would have them, as JSON.

    Raises ToolInputError if they do not fit, or cannot be judged because the tool is another one by now; ValueError if
    there is no table to judge them by.
    """
    if table is None:
        raise ValueError("arguments can be edited where the tools are known only: Approvals(store, table=TABLE)")
    if record is None or record.state == "early":
        raise ToolInputError([ArgumentError("", "a call to edit: there is none yet")])
    entry = table.get(record.tool_name)
    if entry is None or entry.digest != record.tool_digest:
        message = f"tool {record.tool_name!r} is not the one that was asked about: it was built anew since"
        raise ToolInputError([ArgumentError("", "", message=message)])
    arguments = arguments_of(given)
    _, _, repairs = decoder_of(table, entry)(arguments, True)
    mended: dict[str, Any] = apply_repairs(arguments, repairs)
    return mended
