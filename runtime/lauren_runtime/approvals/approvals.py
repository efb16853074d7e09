"""`Approvals`: asking humans for calls, deciding them, and running those that were approved."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Mapping
from logging import getLogger
from typing import TYPE_CHECKING, Any, Literal, TypeAlias
from uuid import uuid4

from ..approval import ToolPendingApprovalSignal
from ..awaiting import settled
from ..errors import ToolInputError
from ..results import ToolResult
from . import deciding, transitions
from .answers import Answer
from .errors import ApprovalConflictError, ApprovalError, ApprovalStoreError
from .memory import InMemoryApprovalStore
from .reach import Reach
from .reading import Damaged, TellsDamage
from .records import Approval, Decision, Event, Key, frozen
from .running import Running, denied
from .store import ApprovalStore, change, checked
from .transitions import Refused, Ruling
from .waiting import Watch

if TYPE_CHECKING:
    from ..context import ToolContext
    from ..executor import ToolExecutor
    from ..results import ToolCall
    from ..table import Table

LOG = getLogger("lauren_runtime")
Notify: TypeAlias = Callable[[Approval], Awaitable[object] | object]


class Approvals:
    """The approvals of an application, in `store` (default: in this process).

    - table: what edited arguments are checked against; needed where calls are decided, if they may be edited
    - time_limit: seconds for a decision, None for no limit; time_limits: the same for single tools, by name
    - lease: seconds after which a runner that is not heard of counts as stopped
    - on_cancel: what becomes of a call that waits when its run is cancelled: "withdraw", or "keep" it for a run that is
      taken up again (default: "keep" if the store outlives the process)
    - runner: who runs calls, for the records (default: host, process and a random part)

    Safe with threads, event loops and processes. Raises ValueError for limits that are not above zero and for an
    unknown `on_cancel`, TypeError for what is no store.
    """

    def __init__(
        self,
        store: ApprovalStore | None = None,
        *,
        table: Table | None = None,
        time_limit: float | None = 300.0,
        time_limits: Mapping[str, float | None] | None = None,
        lease: float = 30.0,
        on_cancel: Literal["withdraw", "keep"] | None = None,
        runner: str | None = None,
    ) -> None:
        self.store: ApprovalStore = InMemoryApprovalStore() if store is None else checked(store)
        self.table = table
        self._time_limit = time_limit
        self._time_limits = dict(time_limits or {})
        for limit in (time_limit, lease, *self._time_limits.values()):
            if limit is not None and not limit > 0:
                raise ValueError(f"a limit is more than zero seconds, or None for no limit, not {limit!r}")
        if on_cancel not in (None, "withdraw", "keep"):
            raise ValueError(f"on_cancel is 'withdraw', 'keep' or None, not {on_cancel!r}")
        self._lease = lease
        self._keeps = self.store.durable if on_cancel is None else on_cancel == "keep"
        self._runner = runner or f"{socket.gethostname()}:{os.getpid()}:{uuid4().hex[:8]}"
        self._reach = Reach(self.store)

    # --- Deciding ---

    def approve_tool(
        self,
        agent_run_id: str,
        tool_use_id: str,
        *,
        by: str | None = None,
        reason: str = "",
        arguments: Mapping[str, Any] | str | bytes | None = None,
        arguments_digest: str | None = None,
    ) -> Answer:
        """Allow a call, from any thread or event loop; the decision is taken, or not, when this returns.

        `arguments` are edited ones, a dict or its JSON text: they are decoded as the tool's, and if they do not fit the
        answer is "invalid" and the call waits on. `arguments_digest` is that of the arguments the human saw: with it
        the answer is "changed" if the call has others by now. Raises ValueError for edited arguments without a `table`,
        and what the store raises.
        """
        key = (agent_run_id, tool_use_id)
        changed: dict[str, Any] | None = None
        if arguments is not None:
            given = dict(arguments) if isinstance(arguments, Mapping) else arguments
            record = self.store.get(key)
            try:
                changed = deciding.edited(record, given, self.table)
            except ToolInputError as error:
                return Answer("invalid", record, error.errors)
            if arguments_digest is None:  # what may wait there in a moment, nobody has edited
                arguments_digest = "" if record is None else record.arguments_digest
        ruling = Ruling(
            verdict="approved", by=by, reason=reason, arguments=changed, shown=arguments_digest, id=uuid4().hex
        )
        return deciding.decide(self.store, key, ruling)

    def reject_tool(
        self,
        agent_run_id: str,
        tool_use_id: str,
        *,
        by: str | None = None,
        reason: str = "",
        arguments_digest: str | None = None,
    ) -> Answer:
        """Forbid a call; `reason` reaches the model. Otherwise as `approve_tool`."""
        ruling = Ruling(verdict="rejected", by=by, reason=reason, shown=arguments_digest, id=uuid4().hex)
        return deciding.decide(self.store, (agent_run_id, tool_use_id), ruling)

    def release(self, agent_run_id: str, tool_use_id: str, *, by: str | None = None, reason: str = "") -> Answer:
        """Let a call run again whose runner stopped in the middle. Only a human can know that it may."""
        return deciding.release(self.store, (agent_run_id, tool_use_id), by=by, reason=reason)

    def abandon(self, agent_run_id: str, tool_use_id: str, *, by: str | None = None, reason: str = "") -> Answer:
        """Close a call whose runner stopped in the middle: it is not run again."""
        return deciding.abandon(self.store, (agent_run_id, tool_use_id), by=by, reason=reason)

    # --- Looking ---

    def get(self, agent_run_id: str, tool_use_id: str) -> Approval | None:
        """What there is of a call, as it is now, or None."""
        record = self.store.get((agent_run_id, tool_use_id))
        return None if record is None else transitions.settled(record, self.store.now())

    def pending(self) -> list[Approval]:
        """The calls that wait for a human, oldest first."""
        return self._in_state("pending")

    def interrupted(self) -> list[Approval]:
        """The calls whose runners stopped in the middle, oldest first: see `release` and `abandon`."""
        return self._in_state("interrupted")

    def damaged(self) -> list[Damaged]:
        """The calls whose records the store can't read, and why: `pending` and `interrupted` leave them out.

        They can be neither decided nor run; what is to become of them is for whoever runs the store. None for a store
        that can't tell.
        """
        return self.store.damaged() if isinstance(self.store, TellsDamage) else []

    def _in_state(self, state: str) -> list[Approval]:
        now = self.store.now()
        found = [transitions.settled(each, now) for each in self.store.records()]
        return [each for each in found if each.state == state]

    # --- Asking and running ---

    async def begin_run(self, agent_run_id: str) -> None:
        """Make a run known, so that decisions that arrive before their calls are kept."""
        await self._reach.insist(lambda: self.store.begin_run(agent_run_id))

    async def end_run(self, agent_run_id: str, *, cancelled: bool = False) -> None:
        """A run is over: its early decisions go, and what still waits is withdrawn.

        One that was `cancelled` keeps both, for when it is taken up again, unless `on_cancel` is "withdraw".
        """
        if cancelled and self._keeps:
            return
        await self._reach.to_the_end(lambda: deciding.end_run(self.store, agent_run_id))

    async def request(
        self,
        signal: ToolPendingApprovalSignal,
        *,
        agent_run_id: str,
        agent_id: str | None = None,
        notify: Notify | None = None,
    ) -> Decision:
        """Ask for the call of a signal, and wait for the decision, or for the end of the time limit.

        The call is registered, then `notify` is called with its record (and awaited), then the wait begins. A call that
        was asked about before, by a runner that is no more, is the same one still: a decision taken meanwhile is
        returned at once, without notice. `run_approved` takes what is returned.

        Raises ApprovalConflictError if it was asked about with other arguments or of another build of the tool, and
        ApprovalStoreError. A failing `notify` withdraws the call.
        """
        key = (agent_run_id, signal.tool_use_id)
        try:
            with Watch(self._reach, self.store, key) as watch:
                record = await self._register(key, signal, agent_id)
                if record.state == "pending":
                    await self._tell(record, notify)
                    limit = None if record.expires_at is None else record.expires_at - record.asked_at
                    record = await watch.until(lambda each: each.state != "pending", limit)
        except asyncio.CancelledError:
            await self._cancelled(key)
            raise
        if record.decision is None:
            raise ApprovalError(f"the approval of call {key[1]!r} is {record.state}, and has no decision")
        return record.decision

    async def run_approved(
        self, decision: Decision, executor: ToolExecutor, call: ToolCall, context: ToolContext | None = None
    ) -> ToolResult:
        """The result of a call that was decided: an error result with the reason, or what the tool gives.

        The call is claimed, so that no other runner runs it, run with the arguments that were approved, and its result
        is kept. Where another runner has claimed it, that one's result is waited for; a call whose runner stopped in
        the middle is not run again: the result has the status "interrupted". Raises what the executor raises,
        ApprovalLostError if the call was released while it ran, and ApprovalStoreError if it could not be claimed.
        """
        if not decision.approved:
            return denied(decision)
        key = (decision.agent_run_id, decision.tool_use_id)
        running = Running(self.store, self._reach, key, self._runner, self._lease)
        try:
            return await running.run(executor, call, context)
        except asyncio.CancelledError:
            await self._cancelled(key)
            raise

    async def execute(
        self,
        executor: ToolExecutor,
        call: ToolCall,
        context: ToolContext | None = None,
        *,
        agent_run_id: str,
        agent_id: str | None = None,
        notify: Notify | None = None,
    ) -> ToolResult:
        """`executor.execute`, and where that asks for approval, `request` and `run_approved`.

        What goes wrong with the approval itself is an error result: the tool has not run, or it is not known.
        """
        try:
            return await executor.execute(call, context)
        except ToolPendingApprovalSignal as signal:
            asked = signal
        try:
            decision = await self.request(asked, agent_run_id=agent_run_id, agent_id=agent_id, notify=notify)
            return await self.run_approved(decision, executor, call, context)
        except ApprovalError as error:
            LOG.warning("call %r could not be approved", call.tool_use_id, exc_info=error)
            return ToolResult.error(f"Tool {call.name!r} failed: {error}", call.tool_use_id)

    def close(self) -> None:
        """End the threads in which a store is asked. The store is its owner's to close."""
        self._reach.close()

    async def _register(self, key: Key, signal: ToolPendingApprovalSignal, agent_id: str | None) -> Approval:
        text, digest = frozen(signal.tool_input)
        limit = self._time_limits.get(signal.tool_name, self._time_limit)

        def step(old: Approval | None, now: float) -> Approval:
            asked = Approval(
                agent_run_id=key[0],
                tool_use_id=key[1],
                state="pending",
                agent_id=agent_id,
                tool_name=signal.tool_name,
                tool_digest=signal.tool_digest,
                arguments_json=text,
                arguments_digest=digest,
                asked_at=now,
                expires_at=None if limit is None else now + limit,
                history=(Event(what="asked", at=now, by=self._runner),),
            )
            return transitions.registered(old, asked)

        try:
            return await self._reach.to_the_end(lambda: change(self.store, key, step))
        except Refused as refused:
            raise ApprovalConflictError(
                f"call {key[1]!r} of run {key[0]!r} was asked about before, with other arguments or of another build "
                f"of tool {signal.tool_name!r}: a new call is needed"
            ) from refused

    async def _tell(self, record: Approval, notify: Notify | None) -> None:
        if notify is None:
            return
        try:
            await settled(notify(record))
        except asyncio.CancelledError:
            raise
        except BaseException:
            await self._withdraw(record.key, "nobody could be asked")
            raise

    async def _cancelled(self, key: Key) -> None:
        if not self._keeps:
            await self._withdraw(key, "the run was cancelled")

    async def _withdraw(self, key: Key, reason: str) -> None:
        try:
            await self._reach.to_the_end(lambda: deciding.withdraw(self.store, key, reason))
        except ApprovalStoreError as error:
            LOG.warning("call %r is not wanted any more, and could not be withdrawn", key[1], exc_info=error)
