"""Calls the tools of the build through its dispatch table: python examples/main.py, after a build."""

import asyncio
from dataclasses import dataclass

from lauren_build.dispatch import TABLE
from lauren_runtime import (
    InMemoryCacheBackend,
    ToolCall,
    ToolContext,
    ToolExecutor,
    ToolPendingApprovalSignal,
)
from shop.catalogue import DatabaseService, SearchTool


@dataclass
class Run:
    """What `ToolContext.agent_context` is here: a run of whatever sends the calls."""

    agent_run_id: str


CALLS: tuple[tuple[str, dict[str, object] | str], ...] = (
    ("get_weather", {"city": "Paris"}),
    ("get_weather", '{"city": "Oslo", "unit": "fahrenheit"}'),
    ("get_weather", {"city": "Rome", "unit": "kelvin"}),
    ("search_tool", {"query": "lamp", "max_results": "1"}),
    ("log_action", {"action": "searched the catalogue"}),
    ("web_search", {"query": "delivery"}),
    ("fetch_exchange_rate", {"base": "USD", "quote": "EUR"}),
    ("fetch_exchange_rate", {"quote": "EUR", "base": "USD"}),
    ("get_currency", {"country": "JAPAN"}),
    ("risky_operation", {"param": "chair"}),
    ("send_email", {"to": "ann@example.org", "subject": "Your lamp", "body": "It is on its way."}),
)


async def main() -> None:
    catalogue = DatabaseService([{"name": "Desk lamp", "price": 29.0}, {"name": "Floor lamp", "price": 59.0}])
    executor = ToolExecutor(TABLE.bind(SearchTool(catalogue)), cache_backend=InMemoryCacheBackend())
    for number, (name, arguments) in enumerate(CALLS, start=1):
        call = ToolCall(tool_use_id=f"t{number}", name=name, input=arguments)
        context = ToolContext(agent_context=Run("run-1"), tool_use_id=call.tool_use_id, turn=0)
        try:
            result = await executor.execute(call, context)
        except ToolPendingApprovalSignal as pending:
            print(f"{name}: waits for approval of {pending.tool_input}")
            result = await executor.execute_approved(call, context, approved_input=pending.tool_input)
        print(f"{name}: {'error: ' if result.is_error else ''}{result.content}")


if __name__ == "__main__":
    asyncio.run(main())
