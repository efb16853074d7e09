"""Streaming: the text comes in pieces, with calls made between them."""

import asyncio

from lauren import LaurenFactory, module
from lauren_ai import (
    AgentModule,
    AgentRunner,
    CompletionChunk,
    LLMConfig,
    LLMModule,
    SignalBus,
    TokenUsage,
    ToolCallComplete,
    agent,
    tool,
    use_tools,
)
from lauren_ai._transport import ToolCallDelta


@tool()
async def add(left: int, right: int) -> str:
    """Add two numbers."""
    return str(left + right)


@agent(system="You do sums.")
@use_tools(add)
class Adder: ...


async def main() -> None:
    bus = SignalBus()
    config, mock = LLMConfig.for_testing()
    llm = LLMModule.for_root(config, transport_override=mock)
    adders = AgentModule.for_root(agents=[Adder], imports=[llm], signals=bus)

    @module(imports=[llm, adders])
    class App: ...

    @bus.on(ToolCallComplete)
    async def note(signal: ToolCallComplete) -> None:
        print(f"[{signal.tool_name}: {signal.success}]")

    app = LaurenFactory.create(App)
    await app.startup()
    runner = await app.container.resolve(AgentRunner[Adder])
    mock.queue_stream(
        [
            CompletionChunk(delta="Let me "),
            CompletionChunk(delta="see. "),
            CompletionChunk(tool_call_delta=ToolCallDelta("a", "add", '{"left": 2, ')),
            CompletionChunk(tool_call_delta=ToolCallDelta("a", None, '"right": 3}')),
            CompletionChunk(stop_reason="tool_use", usage=TokenUsage(10, 5)),
        ]
    )
    mock.queue_stream(
        [
            CompletionChunk(delta="It is "),
            CompletionChunk(delta="five."),
            CompletionChunk(stop_reason="end_turn", usage=TokenUsage(12, 4)),
        ]
    )
    async for chunk in await runner.run_stream(Adder, "What is 2 + 3?"):
        if chunk.delta:
            print(repr(chunk.delta))
    print(mock.calls[1].messages[-1]["content"][0]["content"], [call.stream for call in mock.calls])
    await app.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
