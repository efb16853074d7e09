"""Approvals in tests: one call that asks, and stores that misbehave."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeAlias

from lauren_runtime import Approval, Approvals, ApprovalStore, ToolCall, ToolResult

from harness.hand_build import Build

Notify: TypeAlias = Callable[[Approval], Any] | None


async def acall(
    approvals: Approvals,
    build: Build,
    notify: Notify = None,
    *,
    tool: str = "pay",
    amount: Any = 5,
    run: str = "r1",
    call: str = "c1",
    **options: Any,
) -> ToolResult:
    """One call in an executor of its own, approval and all."""
    made = ToolCall(call, tool, {"amount": amount})
    return await approvals.execute(build.executor(**options), made, agent_run_id=run, notify=notify)


def call(
    approvals: Approvals, build: Build, notify: Callable[[Approval], Any] | None = None, **more: Any
) -> ToolResult:
    """`acall`, in an event loop of its own."""
    return asyncio.run(acall(approvals, build, notify, **more))


async def until(store: ApprovalStore, key: tuple[str, str], state: str) -> Approval:
    """The record of a call, once it is in that state."""
    async with asyncio.timeout(30):
        while True:
            found = store.get(key)
            if found is not None and found.state == state:
                return found
            await asyncio.sleep(0.005)


class Failing:
    """A store whose methods fail when `fails` says so, before they do anything or after (`too_late`).

    `watch` never fails: it asks nobody.
    """

    def __init__(self, store: ApprovalStore, fails: Callable[[str], bool], *, too_late: bool = False) -> None:
        self.durable = store.durable
        self.poll = store.poll
        self._store = store
        self._fails = fails
        self._too_late = too_late

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        def asked(*args: Any, **keywords: Any) -> Any:
            fails = name != "watch" and self._fails(name)
            if fails and not self._too_late:
                raise OSError("the store is away")
            answer = method(*args, **keywords)
            if fails:
                raise OSError("the answer got lost")
            return answer

        return asked
