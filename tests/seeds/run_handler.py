"""The page's approval block under `lauren_runtime.standin`: its tool waits, and its handler decides. Prints JSON.

    python run_handler.py ROOT RUN

ROOT holds `block.py` and its build. RUN is the run's id: with that of the block ("...") the handler finds the call.
"""

import asyncio
import importlib
import json
import sys

import lauren_runtime.standin
from lauren_runtime import Approval, Approvals, ToolCall, ToolExecutor


async def main(root: str, run: str) -> None:
    lauren_runtime.standin.install()
    sys.path.insert(0, root)
    table = importlib.import_module("lauren_build.dispatch").TABLE
    block = importlib.import_module("block")
    approvals = Approvals(table=table, time_limit=1)
    call = ToolCall("toolu_abc123", "send_email", {"to": "a@b.c", "subject": "s", "body": "b"})

    async def notify(approval: Approval) -> None:
        await block.handler(approvals)

    result = await approvals.execute(ToolExecutor(table), call, agent_run_id=run, notify=notify)
    history = [[each.what, each.note] for each in approvals.store.records(closed=True)[0].history]
    print(json.dumps([result.status, result.content, history]))


asyncio.run(main(*sys.argv[1:]))
