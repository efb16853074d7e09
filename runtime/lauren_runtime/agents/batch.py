"""The calls of one reply, and a result for each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import TYPE_CHECKING

from ..approval import ToolPendingApprovalSignal
from ..context import ToolContext
from ..errors import ArgumentError, ToolExecutionError, ToolInputError, ToolTimeoutError
from ..results import ToolCall, ToolResult
from .approving import approved
from .messages import Block, call_of
from .signals import ToolCallComplete, ToolCallStarted

if TYPE_CHECKING:
    from .run import Run

_CUT_OFF = "the reply was cut off in them, so nothing was run; call again with less"
_SKIPPED = "The tool failed; the call was skipped, and has no result."


class Batch:
    """Runs calls one after the other, or all at once. `results` holds what is there so far, by id."""

    def __init__(self, run: Run, blocks: Sequence[Block]) -> None:
        self._run = run
        self._blocks = blocks
        self.results: dict[str, ToolResult] = {}

    async def perform(self) -> None:
        """Run all calls. Raises what the first one raises that raises; then what ran beside it has been cancelled."""
        if self._run.config.parallel_tool_calls and len(self._blocks) > 1:
            await self._at_once()
        else:
            for block in self._blocks:
                await self._one(block)

    async def _at_once(self) -> None:
        tasks = [asyncio.ensure_future(self._one(block)) for block in self._blocks]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _one(self, block: Block) -> None:
        run, call = self._run, call_of(block)
        begun = monotonic()
        await run.tell(ToolCallStarted, tool_name=call.name, tool_use_id=call.tool_use_id, input=call.input)
        replayed = None if run.ledger is None else run.ledger.lookup(call)
        result = replayed or await self._made(call, bool(block.get("truncated")))
        await run.tell(
            ToolCallComplete,
            tool_name=call.name,
            tool_use_id=call.tool_use_id,
            success=not result.is_error and result.status != "skipped",
            status=result.status,
            error=str(result.content) if result.is_error else None,
            duration_ms=(monotonic() - begun) * 1000,
            cached=result.cached,
            replayed=replayed is not None,
        )
        run.calls_made.append(call)
        if result.status != "skipped":
            result = await run.lifecycle.tool_result(result, run.ctx)
        if run.ledger is not None:
            run.ledger.record(call, result)
        self.results[call.tool_use_id] = result

    async def _made(self, call: ToolCall, truncated: bool) -> ToolResult:
        """The result of a call that is made now, under the agent's error policy."""
        if truncated:
            error = ArgumentError("", "a whole JSON object", message=f"the arguments are not whole: {_CUT_OFF}")
            failure = ToolInputError([error], call.name, call.tool_use_id)
            return ToolResult(call.tool_use_id, str(failure), True, exception=failure)
        result = await self._executed(call)
        # What the model did wrong it alone can mend, so only the tools' own failures are the policy's.
        if not isinstance(result.exception, (ToolExecutionError, ToolTimeoutError)):
            return result
        policy = self._run.config.tool_error_policy
        if policy == "raise":
            raise result.exception
        return ToolResult(call.tool_use_id, _SKIPPED, True, status="skipped") if policy == "skip" else result

    async def _executed(self, call: ToolCall) -> ToolResult:
        run = self._run
        context = ToolContext(run.ctx, call.tool_use_id, run.ctx.turn)
        try:
            return await run.toolbox.executor.execute(call, context)
        except ToolPendingApprovalSignal as signal:
            return await approved(run, run.approvals, call, context, signal)
