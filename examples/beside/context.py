"""ToolContext: what a tool learns of the call it serves, and what it keeps between calls."""

import asyncio

from lauren import LaurenFactory, module
from lauren_ai import (
    AgentModule,
    AgentRunner,
    Completion,
    LLMConfig,
    LLMModule,
    TokenUsage,
    ToolContext,
    agent,
    set_metadata,
    tool,
    use_tools,
)


@set_metadata("scope", "admin")
@tool()
async def delete_record(record_id: str, context: ToolContext) -> str:
    """Delete a record.

    Args:
        record_id: Which one.
    """
    needed, granted = context.get_metadata("scope"), context.get_metadata("granted", "nobody")
    print(f"turn {context.turn}, call {context.tool_use_id}, run {context.agent_context.agent_run_id}")
    return f"deleted {record_id}" if needed == granted else f"{needed} needed, {granted} granted"


@tool(initial_tool_state=lambda: {"seen": []})
async def remember(word: str, ctx: ToolContext | None = None) -> str:
    """Keep a word for the rest of the run."""
    assert ctx is not None
    ctx.tool_state["seen"].append(word)
    return ", ".join(ctx.tool_state["seen"])


@agent(system="You keep records.")
@use_tools(delete_record, remember)
class Clerk: ...


async def main() -> None:
    config, mock = LLMConfig.for_testing()
    llm = LLMModule.for_root(config, transport_override=mock)
    clerks = AgentModule.for_root(agents=[Clerk], imports=[llm])

    @module(imports=[llm, clerks])
    class App: ...

    app = LaurenFactory.create(App)
    await app.startup()
    runner = await app.container.resolve(AgentRunner[Clerk])
    for run_id, granted in (("first", "guest"), ("second", "admin")):
        mock.reset()
        mock.queue_tool_use("remember", {"word": run_id}, tool_use_id="a")
        mock.queue_tool_use("delete_record", {"record_id": "7"}, tool_use_id="b")
        mock.queue_response(Completion("1", "mock", "Done.", [], "end_turn", TokenUsage(5, 3)))
        await runner.run(Clerk, "Delete record 7.", run_id=run_id, metadata={"granted": granted})
        for asked in mock.calls[1:]:
            print(asked.messages[-1]["content"][0]["content"])
    print(sorted(mock.calls[0].tools[0]["input_schema"]["properties"]))
    await app.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
