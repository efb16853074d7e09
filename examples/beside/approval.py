"""Approval: a call waits until somebody allows or forbids it, by a flag or by a policy."""

import asyncio

from lauren import LaurenFactory, module
from lauren_ai import (
    AgentModule,
    AgentRunner,
    Completion,
    LLMConfig,
    LLMModule,
    SignalBus,
    TokenUsage,
    ToolApprovalResolved,
    agent,
    tool,
    use_tools,
)
from lauren_ai._signals import ToolPendingApproval

SENT: list[str] = []


@tool(requires_confirmation=True)
async def send_mail(to: str, text: str) -> str:
    """Send a mail.

    Args:
        to: Whom to.
        text: What it says.
    """
    SENT.append(to)
    return f"sent to {to}"


@tool(confirmation_policy=lambda ctx: ctx.tool_input["amount"] > 100)
async def pay(amount: int) -> str:
    """Pay an amount."""
    return f"paid {amount}"


@agent(system="You are a secretary.")
@use_tools(send_mail, pay)
class Secretary: ...


async def main() -> None:
    bus = SignalBus()
    config, mock = LLMConfig.for_testing()
    llm = LLMModule.for_root(config, transport_override=mock)
    secretaries = AgentModule.for_root(agents=[Secretary], imports=[llm], signals=bus)

    @module(imports=[llm, secretaries])
    class App: ...

    app = LaurenFactory.create(App)
    await app.startup()
    runner = await app.container.resolve(AgentRunner[Secretary])

    @bus.on(ToolPendingApproval)
    async def ask(signal: ToolPendingApproval) -> None:
        print(f"{signal.tool_name} asks: {signal.input}")
        decide = runner.approve_tool if signal.input.get("to") != "rival@example.org" else runner.reject_tool
        # As from a handler of another request: when the call waits already.
        asyncio.get_running_loop().call_later(0.05, decide, signal.agent_run_id, signal.tool_use_id)

    @bus.on(ToolApprovalResolved)
    async def note(signal: ToolApprovalResolved) -> None:
        print(f"{signal.tool_name} approved: {signal.approved}")

    for name, given in (
        ("send_mail", {"to": "ann@example.org", "text": "Hello."}),
        ("send_mail", {"to": "rival@example.org", "text": "Our plans."}),
        ("pay", {"amount": 5}),
        ("pay", {"amount": 500}),
    ):
        mock.queue_tool_use(name, given)
        mock.queue_response(Completion("1", "mock", "Done.", [], "end_turn", TokenUsage(5, 3)))
        await runner.run(Secretary, "Do it.")
        result = mock.calls[-1].messages[-1]["content"][0]
        print("refused" if result["is_error"] else result["content"])
    print(SENT)
    await app.shutdown()


if __name__ == "__main__":
    asyncio.run(main())
