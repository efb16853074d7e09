"""A tool that takes the context of its call: the parameter is found by its type and is not in the schema."""

from lauren_runtime import ToolContext, tool


@tool()
async def log_action(action: str, ctx: ToolContext) -> str:
    """Log an action taken by the agent.

    Args:
        action: Description of the action.
    """
    print(f"[{ctx.agent_context.agent_run_id}] turn={ctx.turn}: {action}")
    return "logged"
