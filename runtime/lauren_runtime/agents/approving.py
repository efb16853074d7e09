"""Calls of a run that a human has to allow."""

from __future__ import annotations

from logging import getLogger
from typing import TYPE_CHECKING

from ..approval import ToolPendingApprovalSignal
from ..approvals.approvals import Approvals
from ..approvals.errors import ApprovalError
from ..approvals.records import Approval
from ..context import ToolContext
from ..results import ToolCall, ToolResult
from ..table import Table
from .signals import ToolApprovalResolved, ToolPendingApproval

if TYPE_CHECKING:
    from .run import Run

LOG = getLogger("lauren_runtime")


def may_ask(table: Table) -> bool:
    """Whether any tool of a table may need approval."""
    return any(each.requires_confirmation or "confirmation_policy" in each.hooks for each in table.entries)


async def approved(
    run: Run, approvals: Approvals, call: ToolCall, context: ToolContext, signal: ToolPendingApprovalSignal
) -> ToolResult:
    """The result of a call for which `signal` asks: what the tool gives, or why it was not run.

    The call can be decided from before the run's sinks are told of it.
    """

    async def notify(record: Approval) -> None:
        await run.tell(
            ToolPendingApproval,
            tool_name=record.tool_name,
            tool_use_id=record.tool_use_id,
            input=record.arguments,
        )

    ctx = run.ctx
    try:
        decision = await approvals.request(signal, agent_run_id=ctx.agent_run_id, agent_id=ctx.agent_id, notify=notify)
        await run.tell(
            ToolApprovalResolved,
            tool_name=signal.tool_name,
            tool_use_id=signal.tool_use_id,
            approved=decision.approved,
            reason=decision.reason,
        )
        return await approvals.run_approved(decision, run.toolbox.executor, call, context)
    except ApprovalError as error:
        LOG.warning("call %r could not be approved", call.tool_use_id, exc_info=error)
        return ToolResult.error(f"Tool {call.name!r} failed: {error}", call.tool_use_id)
