"""A process of its own that asks for an approval and runs the call, or that decides one.

    python process.py run BUILD_FOLDER BUILD_PACKAGE STORE STEP
    python process.py decide STORE VERDICT BY

STORE is the path of an SQLite file or the URL of a Redis server. `run` prints "stopped" when it comes to STEP, and
stays there for ever, to be killed; a STEP that never comes lets it print the result. `decide` prints the outcome.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
import time
from typing import Any

from lauren_runtime import Approval, Approvals, RedisApprovalStore, SQLiteApprovalStore, ToolCall, ToolExecutor

RUN, CALL = "r1", "c1"


def stopping(kind: type[Any], stop: str) -> type[Any]:
    """A store that stops before or after it puts a record in a certain state: "before running"."""
    when, _, state = stop.partition(" ")

    class Stopping(kind):  # type: ignore[misc]
        def swap(self, key: Any, old: Approval | None, new: Approval | None) -> bool:
            here = new is not None and new.state == state and (old is None or old.state != state)
            if here and when == "before":
                self.stay()
            done = super().swap(key, old, new)
            if here and when == "after":
                self.stay()
            return bool(done)

        def get(self, key: Any) -> Approval | None:
            found: Approval | None = super().get(key)
            if when == "seen" and found is not None and found.state == state:
                self.stay()
            return found

        def stay(self) -> None:
            print("stopped", flush=True)
            time.sleep(3600)

    return Stopping


def opened(where: str, stop: str = "") -> Any:
    if "://" in where:
        url, _, prefix = where.partition("#")
        return stopping(RedisApprovalStore, stop).from_url(url, prefix, poll=0.05)
    return stopping(SQLiteApprovalStore, stop)(where, poll=0.05)


async def run(folder: str, package: str, where: str, stop: str) -> None:
    sys.path.insert(0, folder)
    table = importlib.import_module(f"{package}.dispatch").TABLE
    approvals = Approvals(opened(where, stop), time_limit=None, lease=2.0)
    call = ToolCall(CALL, "pay", {"amount": 5})
    result = await approvals.execute(ToolExecutor(table), call, agent_run_id=RUN, agent_id="clerk")
    print(json.dumps([result.content, result.status]), flush=True)


def decide(where: str, verdict: str, by: str) -> None:
    approvals = Approvals(opened(where))
    act = approvals.approve_tool if verdict == "approved" else approvals.reject_tool
    print(act(RUN, CALL, by=by, reason="looked at it").outcome)


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    if command == "run":
        asyncio.run(run(*arguments))
    else:
        decide(*arguments)
