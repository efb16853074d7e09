"""One run of an agent: ask the model, make the calls it asks for, tell it the results, until it has done.

A call is made because it is there and whole, whatever the reply says of why it ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from logging import getLogger
from time import monotonic
from types import MappingProxyType
from typing import Any

from ..approvals.approvals import Approvals
from ..approvals.records import Approval
from ..results import ToolCall, ToolResult
from .batch import Batch
from .context import AgentContext, AgentResponse, RunEnd
from .conversation import Conversation
from .integrity import check_ids, interrupted, told_apart
from .ledger import IdempotencyLedger
from .lifecycle import Lifecycle
from .limits import Spending
from .messages import Block, Message, call_of
from .model_client import ModelReply, ModelRequest, StopReason
from .replies import read
from .signals import (
    AgentRunComplete,
    AgentTurnComplete,
    ModelCallComplete,
    ModelCallStarted,
    Signal,
    ToolExchangeCommitted,
    ToolExchangeResultRecorded,
    ToolExchangeStarted,
)
from .toolbox import Toolbox

LOG = getLogger("lauren_runtime")
_NOT_RUN = "This call was not run: what the run may use is used up."
_ENDS: dict[StopReason, RunEnd] = {
    "end_turn": "end_turn",
    "stop_sequence": "stop_sequence",
    "max_tokens": "max_tokens",
    "refusal": "refusal",
    "tool_use": "end_turn",  # it said so, but there is no call
}


@dataclass
class Run:
    """What one run has at hand. `ask` gives the model's reply to a request, `notify` tells of a signal."""

    ctx: AgentContext
    conversation: Conversation
    toolbox: Toolbox
    lifecycle: Lifecycle
    approvals: Approvals
    request: ModelRequest
    spending: Spending
    ask: Callable[[ModelRequest], Awaitable[ModelReply]]
    notify: Callable[[Signal], Awaitable[None]]

    def __post_init__(self) -> None:
        self.config = self.ctx.config
        self.ledger: IdempotencyLedger | None = self.ctx.idempotency_ledger
        self.calls_made: list[ToolCall] = []
        self._turns = 0
        self._ids: set[str] = set()
        self._unanswered: Sequence[Block] = ()
        """Calls in the conversation that have no results there yet."""

    async def perform(self, message: Message | None) -> AgentResponse:
        """Run to the end; without a message, from where the conversation broke off.

        Raises what the model client raises, a tool's failure where the policy says so, and ValueError for a
        conversation that did not break off.
        """
        try:
            await self.lifecycle.start(self.ctx)
            if message is None:
                await self._take_up()
            else:
                self.conversation.ask(message)
            reply, stop_reason = await self._until_done()
        except BaseException as error:
            if self._unanswered:  # a hook failed, or the run was cancelled, before the exchange
                self._record(self._unanswered, Batch(self, ()))
            if isinstance(error, Exception):
                await self._tell_end("error")
            raise
        response = AgentResponse(
            content=reply.message.text,
            turns=self._turns,
            total_usage=self.spending.usage,
            tool_calls_made=self.calls_made,
            stop_reason=stop_reason,
            metadata=dict(self.ctx.metadata),
            total_cost_usd=self.spending.cost_usd,
            stop_detail=reply.stop_detail,
        )
        await self.lifecycle.finish(response, self.ctx)
        await self._tell_end(stop_reason)
        return response

    async def tell(self, kind: type[Signal], **fields: Any) -> None:
        """Tell of something that happened in this run."""
        ctx = self.ctx
        await self.notify(
            kind(agent_name=ctx.agent_name, agent_id=ctx.agent_id, agent_run_id=ctx.agent_run_id, **fields)
        )

    async def _until_done(self) -> tuple[ModelReply, RunEnd]:
        while True:
            reply = await self._turn()
            calls = reply.message.calls
            is_last = self._turns >= self.config.max_turns
            if calls and self.spending.is_over:
                await self._close(calls)
                return reply, "budget_exceeded"
            if calls:
                await self.conversation.save()  # a run that is killed now can be taken up again
                await self._exchange(calls)
                await self.conversation.save()
            elif reply.stop_reason != "pause":
                return reply, _end(reply.stop_reason)
            if is_last:
                return reply, "max_turns"

    async def _turn(self) -> ModelReply:
        """Ask the model; its reply is in the conversation then, unless its calls cannot be told apart."""
        self.ctx.turn = self._turns
        messages = self.conversation.messages()
        request = replace(self.request, messages=messages)
        await self.tell(ModelCallStarted, model=request.model, turn=self._turns, messages_count=len(messages))
        begun = monotonic()
        reply = read(await self.ask(request))
        cost = self.spending.add(request.model, reply.usage)
        await self.tell(
            ModelCallComplete,
            model=reply.model or request.model,
            turn=self._turns,
            usage=reply.usage,
            cost_usd=cost,
            duration_ms=(monotonic() - begun) * 1000,
            stop_reason=reply.stop_reason,
        )
        check_ids(reply.message.calls)
        known = self._ids.union(each["id"] for message in messages for each in message.calls)
        reply = replace(reply, message=told_apart(reply.message, known))
        self._ids.update(each["id"] for each in reply.message.calls)
        self.conversation.add(reply.message)
        self._unanswered = reply.message.calls
        self._turns += 1
        await self.lifecycle.turn_complete(reply, self.ctx)
        await self.tell(
            AgentTurnComplete, turn=self.ctx.turn, turn_usage=reply.usage, cumulative_usage=self.spending.usage
        )
        return reply

    async def _take_up(self) -> None:
        """Finish the calls of the last reply: those that wait for a human. Nobody knows how far others had come."""
        unfinished = self.conversation.unfinished
        if unfinished is None:
            raise ValueError("the conversation did not break off: there is nothing to take up again")
        if unfinished.calls:
            waiting = [each for each in unfinished.calls if each["id"] not in unfinished.done]
            known = [each for each in waiting if await asyncio.to_thread(self._approval_of, each) is not None]
            await self._exchange(unfinished.calls, known, unfinished.done)
            await self.conversation.save()

    def _approval_of(self, call: Block) -> Approval | None:
        return self.approvals.get(self.ctx.agent_run_id, call["id"])

    async def _exchange(
        self,
        calls: Sequence[Block],
        to_make: Sequence[Block] | None = None,
        done: Mapping[str, ToolResult] = MappingProxyType({}),
    ) -> None:
        """Make the calls, or only some where others are done. However it ends, each has a result in the conversation.

        But for a run that is cancelled while calls wait for a human who may still decide: it can be taken up again.
        """
        await self.tell(ToolExchangeStarted, turn=self.ctx.turn, call_count=len(calls))
        batch = Batch(self, calls if to_make is None else to_make)
        batch.results.update(done)
        try:
            await batch.perform()
        except BaseException as error:
            if isinstance(error, asyncio.CancelledError) and self._is_left_open(calls):
                self._unanswered = ()
                found = [batch.results[each["id"]] for each in calls if each["id"] in batch.results]
                if found:
                    self.conversation.add(Message.results(found))
                raise
            recorded = self._record(calls, batch)
            if isinstance(error, Exception):  # nobody listens to a run that is cancelled
                await self._tell_recorded(recorded)
            raise
        await self._tell_recorded(self._record(calls, batch))

    def _is_left_open(self, calls: Sequence[Block]) -> bool:
        """Whether any call waits for a human who may still decide, in a conversation that outlives the run."""
        if not self.conversation.is_stored:
            return False
        try:
            return any((found := self._approval_of(each)) is not None and not found.is_closed for each in calls)
        except Exception:
            # Whoever takes the run up will ask again; results that are made up now could not be taken back.
            LOG.warning("whether calls of run %r still wait is not known", self.ctx.agent_run_id, exc_info=True)
            return True

    def _record(self, calls: Sequence[Block], batch: Batch, why: str = "") -> list[tuple[str, str]]:
        """Put the results into the conversation, with one that says so for each call that has none."""
        self.calls_made += [call_of(each) for each in calls if each["id"] in batch.results]
        results = [batch.results.get(each["id"]) or interrupted(each["id"], *([why] if why else [])) for each in calls]
        self.conversation.add(Message.results(results))
        self._unanswered = ()
        return [(each.tool_use_id, each.status) for each in results]

    async def _close(self, calls: Sequence[Block]) -> None:
        """End an exchange in which nothing is run."""
        await self.tell(ToolExchangeStarted, turn=self.ctx.turn, call_count=len(calls))
        await self._tell_recorded(self._record(calls, Batch(self, calls), _NOT_RUN))

    async def _tell_recorded(self, recorded: Sequence[tuple[str, str]]) -> None:
        synthetic = [status == "synthetic" for _, status in recorded]
        for (tool_use_id, status), made_up in zip(recorded, synthetic, strict=True):
            await self.tell(ToolExchangeResultRecorded, tool_use_id=tool_use_id, status=status, synthetic=made_up)
        await self.tell(
            ToolExchangeCommitted, turn=self.ctx.turn, call_count=len(recorded), synthetic_count=sum(synthetic)
        )

    async def _tell_end(self, stop_reason: str) -> None:
        await self.tell(
            AgentRunComplete,
            turns=self._turns,
            total_usage=self.spending.usage,
            total_cost_usd=self.spending.cost_usd,
            stop_reason=stop_reason,
            metadata=dict(self.ctx.metadata),
        )


def _end(why: object) -> RunEnd:
    """A client may give any reason."""
    for known, end in _ENDS.items():
        if known == why:
            return end
    return "other"
