"""What stands for an agent here: runs of one call each, in the background, which are taken up again after a restart."""

from __future__ import annotations

import asyncio
from collections import deque
from uuid import uuid4

from lauren_runtime import Approvals, Table, ToolCall, ToolExecutor, ToolResult


class Clerk:
    """Makes calls, and keeps the last results."""

    def __init__(self, approvals: Approvals, table: Table) -> None:
        self._approvals = approvals
        self._executor = ToolExecutor(table)
        self._tasks: dict[tuple[str, str], asyncio.Task[None]] = {}
        self.results: deque[tuple[ToolCall, ToolResult]] = deque(maxlen=20)

    def send_email(self, to: str, subject: str, body: str) -> None:
        """Begin a run that wants to send an email."""
        call = ToolCall(f"call-{uuid4().hex[:8]}", "send_email", {"to": to, "subject": subject, "body": body})
        self._begin(f"run-{uuid4().hex[:8]}", call)

    def take_up(self) -> None:
        """Go on with the calls that wait and that nobody here has in hand: an earlier process asked about them."""
        for each in self._approvals.store.records():
            if each.state in ("pending", "approved") and each.key not in self._tasks:
                self._begin(each.agent_run_id, ToolCall(each.tool_use_id, each.tool_name, each.arguments))

    async def stop(self) -> None:
        """Leave the calls that wait to the next process."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _begin(self, agent_run_id: str, call: ToolCall) -> None:
        key = (agent_run_id, call.tool_use_id)
        self._tasks[key] = asyncio.create_task(self._run(agent_run_id, call))
        self._tasks[key].add_done_callback(lambda _: self._tasks.pop(key))

    async def _run(self, agent_run_id: str, call: ToolCall) -> None:
        result = await self._approvals.execute(self._executor, call, agent_run_id=agent_run_id, agent_id="clerk")
        self.results.appendleft((call, result))
