"""Agents: what they are told, the methods that a run calls, and its limits."""

import asyncio

from lauren import LaurenFactory, module
from lauren_ai import (
    AgentConfig,
    AgentContext,
    AgentModule,
    AgentResponse,
    AgentRunner,
    Completion,
    LLMConfig,
    LLMModule,
    TokenUsage,
    ToolCall,
    ToolResult,
    agent,
    tool,
    use_tools,
)


@tool()
async def roll(sides: int = 6) -> str:
    """Roll dice that always show the same."""
    return str(sides - 2)


@agent(model="mock-dealer", max_turns=2)
@use_tools(roll)
class Dealer:
    """You deal cards and roll dice."""

    async def on_start(self, ctx: AgentContext) -> None:
        print(f"{ctx.agent_name} starts")

    async def on_tool_result(self, result: ToolResult, ctx: AgentContext) -> ToolResult:
        return ToolResult.ok(f"a {result.content}", tool_use_id=result.tool_use_id)

    async def on_finish(self, response: AgentResponse, ctx: AgentContext) -> None:
        print(f"finished after {response.turns} turns")


async def main() -> None:
    config, mock = LLMConfig.for_testing()
    llm = LLMModule.for_root(config, transport_override=mock)
    dealers = AgentModule.for_root(agents=[Dealer], imports=[llm])

    @module(imports=[llm, dealers])
    class App: ...

    app = LaurenFactory.create(App)
    await app.startup()
    runner = await app.container.resolve(AgentRunner[Dealer])

    calls = [ToolCall("a", "roll", {}), ToolCall("b", "roll", {"sides": 20})]
    mock.queue_response(Completion("1", "mock", "", calls, "tool_use", TokenUsage(10, 5)))
    mock.queue_response(Completion("2", "mock", "Four and eighteen.", [], "end_turn", TokenUsage(20, 5)))
    response = await runner.run(Dealer, "Roll two dice.")
    print([result["content"] for result in mock.calls[1].messages[-1]["content"]])
    print(mock.calls[0].model, "|", mock.calls[0].system, "|", response.total_usage.total_tokens)

    for _ in range(2):
        mock.queue_tool_use("roll", {})
    response = await runner.run(Dealer, "Go on.")
    print(response.stop_reason, len(response.tool_calls_made))

    mock.queue_tool_use("roll", {})
    response = await runner.run(Dealer, "Once.", config_override=AgentConfig(max_turns=1))
    print(response.stop_reason, response.turns)
    await app.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
