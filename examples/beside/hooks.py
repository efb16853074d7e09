"""Hooks: what is asked before a call, told after it, and asked when it fails.

lauren-ai calls `pre_hook` of a call that a hook then aborts; here it is called right before the tool, or not at all.
"""

import asyncio
from typing import Any

from lauren import LaurenFactory, module
from lauren_ai import (
    AfterToolHookDecision,
    AgentModule,
    AgentRunner,
    BeforeToolHookDecision,
    Completion,
    ErrorToolHookDecision,
    LLMConfig,
    LLMModule,
    TokenUsage,
    ToolCall,
    ToolCallContext,
    ToolContext,
    ToolHook,
    ToolResult,
    agent,
    tool,
    use_hooks,
    use_tools,
)


class Guard(ToolHook):
    """Refuses one account, and corrects the spelling of others."""

    async def before_tool_call(self, ctx: ToolCallContext) -> BeforeToolHookDecision:
        account = ctx.tool_input["account"]
        if account == "boss":
            return BeforeToolHookDecision.abort("this account is private")
        return BeforeToolHookDecision.modify({**ctx.tool_input, "account": account.lower()})

    async def after_tool_call(self, result: Any, ctx: ToolCallContext) -> AfterToolHookDecision:
        return AfterToolHookDecision.replace(f"{result} (checked)")

    async def on_tool_error(self, error: Exception, ctx: ToolCallContext) -> ErrorToolHookDecision:
        if isinstance(error, KeyError):
            return ErrorToolHookDecision.suppress_with("there is no such account")
        return ErrorToolHookDecision.reraise()


def before(call: ToolCall, ctx: ToolContext) -> None:
    print("before", call.name)


def after(result: ToolResult, ctx: ToolContext) -> None:
    print("after", result.content)


@use_hooks(Guard)
@tool(pre_hook=before, post_hook=after)
async def balance(account: str) -> str:
    """Tell the balance of an account.

    Args:
        account: Its name.
    """
    return f"{ {'ann': 3, 'bob': 5}[account] } coins"


@agent(system="You keep accounts.")
@use_tools(balance)
class Bank: ...


async def main() -> None:
    config, mock = LLMConfig.for_testing()
    llm = LLMModule.for_root(config, transport_override=mock)
    banks = AgentModule.for_root(agents=[Bank], imports=[llm])

    @module(imports=[llm, banks])
    class App: ...

    app = LaurenFactory.create(App)
    await app.startup()
    runner = await app.container.resolve(AgentRunner[Bank])
    for account in ("ann", "BOB", "boss", "eve"):
        mock.queue_tool_use("balance", {"account": account})
        mock.queue_response(Completion("1", "mock", "Done.", [], "end_turn", TokenUsage(5, 3)))
        await runner.run(Bank, f"What has {account}?")
        result = mock.calls[-1].messages[-1]["content"][0]
        print(f"{account}: {result['content']} {result['is_error']}")
    await app.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
