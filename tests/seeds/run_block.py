"""Run the tools of a compiled block under `lauren_runtime.standin`, in its own process; print the results as JSON.

    python run_block.py ROOT '{"calls": [["tool", {...}], ...], "bind": "expression" | null}'

ROOT holds `block.py` and its build, `lauren_build`. `bind` is evaluated in the block's module and its value
bound to the table. A call that asks for approval is approved; its row then has the input that was shown.
"""

import asyncio
import importlib
import json
import sys
from types import SimpleNamespace
from typing import Any

import lauren_runtime.standin
from lauren_runtime import InMemoryCacheBackend, ToolCall, ToolContext, ToolExecutor, ToolPendingApprovalSignal
from lauren_runtime.table import Table


class CountingCache(InMemoryCacheBackend):
    """Keeps the keys that were written, so that a hit can be told from a second miss."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[str] = []

    async def set(self, key: str, value: Any, *, ttl: float) -> None:
        self.written.append(key)
        await super().set(key, value, ttl=ttl)


async def run_one(executor: ToolExecutor, number: int, name: str, arguments: dict[str, object]) -> dict[str, object]:
    call = ToolCall(tool_use_id=f"t{number}", name=name, input=arguments)
    context = ToolContext(SimpleNamespace(agent_run_id="run-7"), call.tool_use_id, 3)
    shown = None
    try:
        result = await executor.execute(call, context)
    except ToolPendingApprovalSignal as pending:
        shown = pending.tool_input
        result = await executor.execute_approved(call, context, approved_input=shown)
    return {"id": result.tool_use_id, "content": result.content, "error": result.is_error, "approved": shown}


async def run_all(table: Table, calls: list[tuple[str, dict[str, object]]]) -> dict[str, object]:
    cache = CountingCache()
    executor = ToolExecutor(table, cache_backend=cache)
    results = [await run_one(executor, number, *call) for number, call in enumerate(calls)]
    return {"results": results, "written": len(cache.written)}


def main(root: str, request: dict[str, Any]) -> None:
    lauren_runtime.standin.install()
    sys.path.insert(0, root)
    table = importlib.import_module("lauren_build.dispatch").TABLE
    if request["bind"]:
        table = table.bind(eval(request["bind"], vars(importlib.import_module("block"))))
    print(json.dumps(asyncio.run(run_all(table, request["calls"]))))


main(sys.argv[1], json.loads(sys.argv[2]))
