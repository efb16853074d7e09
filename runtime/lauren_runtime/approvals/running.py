"""Running an approved call: by one runner, once, as far as the store can tell."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from logging import getLogger
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ..results import ToolResult
from . import transitions
from .errors import ApprovalError, ApprovalLostError, ApprovalStoreError
from .reach import Reach
from .records import Approval, Decision, Key
from .store import ApprovalStore, change
from .transitions import Refused
from .waiting import wait_until

if TYPE_CHECKING:
    from ..context import ToolContext
    from ..executor import ToolExecutor
    from ..results import ToolCall

LOG = getLogger("lauren_runtime")
_AT_REST = frozenset(("approved", "interrupted", "finished", "rejected", "expired", "withdrawn"))


class Running:
    """One approved call in the hands of one runner; `lease` are the seconds for which a claim holds unless renewed."""

    def __init__(self, store: ApprovalStore, reach: Reach, key: Key, runner: str, lease: float) -> None:
        self._store = store
        self._reach = reach
        self._key = key
        self._runner = runner
        self._lease = lease
        self._token = uuid4().hex

    async def run(self, executor: ToolExecutor, call: ToolCall, context: ToolContext | None) -> ToolResult:
        """The call's result: of the tool, or of the runner that had the call before."""
        while True:
            try:
                record = await self._claim()
            except Refused:
                record = await wait_until(self._reach, self._store, self._key, lambda each: each.state in _AT_REST)
                if record.state != "approved":
                    return _earlier(record, call.tool_use_id)
            else:
                return await self._run(record, executor, call, context)

    async def _claim(self) -> Approval:
        """The record, claimed. A caller that is cancelled meanwhile gives it back."""
        try:
            return await self._reach.to_the_end(self._taking(transitions.claimed, runner=self._runner))
        except asyncio.CancelledError:
            await self._give_back()
            raise

    async def _give_back(self) -> None:
        try:
            await self._reach.to_the_end(self._step(lambda old, now: transitions.returned(old, now, self._token)))
        except Refused:
            return  # it had not been claimed
        except ApprovalStoreError as error:
            LOG.warning("call %r was claimed, not run, and could not be given back", self._key[1], exc_info=error)

    async def _run(
        self, record: Approval, executor: ToolExecutor, call: ToolCall, context: ToolContext | None
    ) -> ToolResult:
        result, note = None, ""
        try:
            async with self._held():
                result = await executor.execute_approved(call, context, approval=record)
                return result
        except BaseException as error:
            note = type(error).__name__
            raise
        finally:
            await self._finish(None if result is None else _kept(result), note)

    @asynccontextmanager
    async def _held(self) -> AsyncGenerator[None]:
        """Renew the claim while the block runs. The block is cancelled, and ApprovalLostError raised, if it is lost."""
        lost = asyncio.timeout(None)
        beating = asyncio.ensure_future(self._beat(lost))
        try:
            async with lost:
                yield
        except TimeoutError:
            if not lost.expired():
                raise
            raise ApprovalLostError(f"call {self._key[1]!r} was released while it ran") from None
        finally:
            beating.cancel()
            await asyncio.wait([beating])

    async def _beat(self, lost: asyncio.Timeout) -> None:
        while True:
            await asyncio.sleep(self._lease / 3)
            try:
                await self._reach.once(self._taking(transitions.renewed))
            except Refused:
                lost.reschedule(asyncio.get_running_loop().time())
                return
            except Exception as error:
                LOG.warning("the claim on call %r could not be renewed", self._key[1], exc_info=error)

    async def _finish(self, result: str | None, note: str) -> None:
        """Note that the call is over. One that cannot be noted will look interrupted, and is not run again either."""
        try:
            await self._reach.to_the_end(
                self._step(lambda old, now: transitions.finished(old, now, self._token, result, note))
            )
        except (Refused, ApprovalStoreError) as error:
            LOG.warning("the end of call %r could not be noted", self._key[1], exc_info=error)

    def _taking(self, step: Callable[..., Approval], **more: Any) -> Callable[[], Approval]:
        return self._step(lambda old, now: step(old, now, token=self._token, lease=self._lease, **more))

    def _step(self, step: Callable[[Approval, float], Approval]) -> Callable[[], Approval]:
        def known(old: Approval | None, now: float) -> Approval:
            if old is None:
                raise Refused("unknown")
            return step(old, now)

        return lambda: change(self._store, self._key, known)


def denied(decision: Decision) -> ToolResult:
    """What the model is told of a call that may not run."""
    because = f": {decision.reason}" if decision.reason else ""
    told = {
        "rejected": f"The user denied permission to run {decision.tool_name!r}{because}",
        "expired": f"Permission to run {decision.tool_name!r} was not given in time{because}",
        "withdrawn": f"The request to run {decision.tool_name!r} was withdrawn{because}",
    }[decision.verdict]
    return ToolResult.error(told, decision.tool_use_id, status=decision.verdict)


def _kept(result: ToolResult) -> str | None:
    """What a store keeps of a result; None if its content is no JSON."""
    try:
        return json.dumps({"content": result.content, "is_error": result.is_error, "status": result.status})
    except (TypeError, ValueError, RecursionError):
        return None


def _earlier(record: Approval, tool_use_id: str) -> ToolResult:
    """The result of a call that somebody else had."""
    if record.state == "finished" and record.result_json is not None:
        return ToolResult(tool_use_id, **json.loads(record.result_json))
    if record.state == "finished":
        told = f"Tool {record.tool_name!r} has run for this call before; what it gave was not kept."
        return ToolResult.error(told, tool_use_id)
    if record.state == "interrupted":
        told = (
            f"Tool {record.tool_name!r} was started for this call, and its runner stopped before the end. "
            "Whether it took effect is not known; it was not run again."
        )
        return ToolResult.error(told, tool_use_id, status="interrupted")
    if record.decision is None:
        raise ApprovalError(f"the approval of call {record.tool_use_id!r} is {record.state}, and has no decision")
    return denied(record.decision)
