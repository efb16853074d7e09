"""The approvals of a process that makes none of its own, and the functions that decide in them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from .answers import Answer
from .approvals import Approvals


@cache
def default_approvals() -> Approvals:
    """The process's own approvals, kept in memory: what runners use that were given none."""
    return Approvals()


def approve_tool(
    agent_run_id: str,
    tool_use_id: str,
    *,
    by: str | None = None,
    reason: str = "",
    arguments: Mapping[str, Any] | str | bytes | None = None,
    arguments_digest: str | None = None,
    approvals: Approvals | None = None,
) -> Answer:
    """Allow a call that waits in `approvals` (default: the process's own). See `Approvals.approve_tool`."""
    desk = default_approvals() if approvals is None else approvals
    return desk.approve_tool(
        agent_run_id, tool_use_id, by=by, reason=reason, arguments=arguments, arguments_digest=arguments_digest
    )


def reject_tool(
    agent_run_id: str,
    tool_use_id: str,
    *,
    by: str | None = None,
    reason: str = "",
    approvals: Approvals | None = None,
) -> Answer:
    """Forbid a call that waits in `approvals` (default: the process's own). See `Approvals.reject_tool`."""
    desk = default_approvals() if approvals is None else approvals
    return desk.reject_tool(agent_run_id, tool_use_id, by=by, reason=reason)
