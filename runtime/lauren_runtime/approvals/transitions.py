"""The steps of an approval, as functions from one record to the next. They touch no store and no clock.

A step that cannot be taken raises Refused; one that has nothing to change gives the same record back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, TypeAlias

from .records import Approval, Claim, Decision, Event, State, Verdict, frozen

Refusal: TypeAlias = Literal["unknown", "repeated", "late", "changed", "conflict", "claimed", "lost"]


class Refused(Exception):
    """A step that cannot be taken from where `record` stands."""

    def __init__(self, why: Refusal, record: Approval | None = None) -> None:
        super().__init__(why)
        self.why: Refusal = why
        self.record = record


def settled(record: Approval, now: float) -> Approval:
    """The record with what time alone did: it expired, or the runner that claimed it was not heard of any more."""
    if record.state == "pending" and record.expires_at is not None and record.expires_at <= now:
        limit = record.expires_at - record.asked_at
        return _decided(record, "expired", record.expires_at, None, f"no decision within {limit:g} seconds")
    if record.state == "running" and record.claim is not None and record.claim.until <= now:
        return _next(record, "interrupted", Event(what="interrupted", at=record.claim.until, by=record.claim.runner))
    return record


def registered(old: Approval | None, asked: Approval) -> Approval:
    """The call was made and waits, unless it was decided early, or was asked about before (by a runner that restarts).

    Refused as "conflict" if it was asked about with other arguments, or of another build of the tool.
    """
    if old is None:
        return asked
    if old.state == "early" and old.decision is not None:
        known = replace(asked, version=old.version, history=(*old.history, *asked.history))
        early = old.decision
        return _decided(known, early.verdict, early.at, early.by, early.reason)
    if old.state == "withdrawn":
        return replace(asked, version=old.version + 1, history=(*old.history, *asked.history))
    same = (old.tool_name, old.tool_digest, old.arguments_digest)
    if same != (asked.tool_name, asked.tool_digest, asked.arguments_digest):
        raise Refused("conflict", old)
    return settled(old, asked.asked_at)


def decided(
    old: Approval | None,
    verdict: Verdict,
    now: float,
    *,
    by: str | None,
    reason: str,
    arguments: dict[str, Any] | None = None,
    shown: str | None = None,
) -> Approval:
    """A human decided, who saw the arguments with the digest `shown`.

    Refused as "unknown", "repeated" (it was decided before), "late", or "changed" (others were asked about since).
    """
    if old is None:
        raise Refused("unknown")
    record = settled(old, now)
    if record.state in ("expired", "withdrawn"):
        raise Refused("late", record)
    if record.state != "pending":
        raise Refused("repeated", record)
    if shown is not None and shown != record.arguments_digest:
        raise Refused("changed", record)
    return _decided(record, verdict, now, by, reason, arguments)


def decided_early(key: tuple[str, str], verdict: Verdict, now: float, *, by: str | None, reason: str) -> Approval:
    """The record of a decision about a call that is not there yet."""
    run, call = key
    decision = Decision(agent_run_id=run, tool_use_id=call, tool_name="", verdict=verdict, at=now, by=by, reason=reason)
    event = Event(what=f"{verdict} early", at=now, by=by, note=reason)
    return Approval(agent_run_id=run, tool_use_id=call, state="early", decision=decision, history=(event,))


def withdrawn(record: Approval, now: float, reason: str) -> Approval:
    """Nobody wants the call any more. One that runs, or is over, stays as it is."""
    record = settled(record, now)
    if record.state not in ("pending", "approved"):
        return record
    return _decided(record, "withdrawn", now, None, reason)


def claimed(record: Approval, now: float, *, runner: str, token: str, lease: float) -> Approval:
    """A runner takes the call, to run it. Refused as "claimed" unless it is approved and free.

    Claimed again with the same token it stays claimed: the first answer may have been lost.
    """
    record = settled(record, now)
    if record.state == "running" and record.claim is not None and record.claim.token == token:
        return record
    if record.state != "approved":
        raise Refused("claimed", record)
    fence = 1 if record.claim is None else record.claim.fence + 1
    claim = Claim(runner=runner, token=token, fence=fence, at=now, until=now + lease)
    return replace(_next(record, "running", Event(what="claimed", at=now, by=runner)), claim=claim)


def renewed(record: Approval, now: float, token: str, lease: float) -> Approval:
    """The runner is still at it. Refused as "lost" if the call is no longer its own."""
    claim = _own(record, token)
    changed = replace(record, version=record.version + 1, state="running", claim=replace(claim, until=now + lease))
    if record.state == "running":
        return changed
    return replace(changed, history=(*record.history, Event(what="resumed", at=now, by=claim.runner)))


def returned(record: Approval, now: float, token: str) -> Approval:
    """The runner gives the call back: it did not start it. Refused as "lost" as `renewed` is."""
    claim = _own(record, token)
    return _next(record, "approved", Event(what="returned", at=now, by=claim.runner))


def finished(record: Approval, now: float, token: str, result: str | None, note: str = "") -> Approval:
    """The call is over; `result` is what it gave, as JSON text; `note`, why it gave nothing.

    Refused as "lost" as `renewed` is.
    """
    if record.state == "finished" and record.claim is not None and record.claim.token == token:
        return record
    claim = _own(record, token)
    event = Event(what="finished", at=now, by=claim.runner, note=note)
    return replace(_next(record, "finished", event), result_json=result)


def released(old: Approval | None, now: float, *, by: str | None, reason: str) -> Approval:
    """A human found that an interrupted call may run again. Refused unless it is interrupted."""
    record = _interrupted(old, now)
    return _next(record, "approved", Event(what="released", at=now, by=by, note=reason))


def abandoned(old: Approval | None, now: float, *, by: str | None, reason: str) -> Approval:
    """A human found that an interrupted call shall not run again. Refused unless it is interrupted."""
    record = _interrupted(old, now)
    return _next(record, "finished", Event(what="abandoned", at=now, by=by, note=reason))


def _interrupted(old: Approval | None, now: float) -> Approval:
    if old is None:
        raise Refused("unknown")
    record = settled(old, now)
    if record.state != "interrupted":
        raise Refused("late" if record.is_closed else "repeated", record)
    return record


def _own(record: Approval, token: str) -> Claim:
    """The claim with this token. One that ran out still counts: nobody else had the call since."""
    if record.state not in ("running", "interrupted") or record.claim is None or record.claim.token != token:
        raise Refused("lost", record)
    return record.claim


def _decided(
    record: Approval,
    verdict: Verdict,
    at: float,
    by: str | None,
    reason: str,
    arguments: dict[str, Any] | None = None,
) -> Approval:
    text, digest = (record.arguments_json, record.arguments_digest) if arguments is None else frozen(arguments)
    decision = Decision(
        agent_run_id=record.agent_run_id,
        tool_use_id=record.tool_use_id,
        tool_name=record.tool_name,
        verdict=verdict,
        at=at,
        by=by,
        reason=reason,
        edited=digest != record.arguments_digest,
        arguments_json=text,
        arguments_digest=digest,
        tool_digest=record.tool_digest,
    )
    return replace(_next(record, verdict, Event(what=verdict, at=at, by=by, note=reason)), decision=decision)


def _next(record: Approval, state: State, event: Event) -> Approval:
    return replace(record, state=state, version=record.version + 1, history=(*record.history, event))
