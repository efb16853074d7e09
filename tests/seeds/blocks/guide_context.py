from lauren_ai import tool
from lauren_ai._tools import ToolContext

@tool()
async def log_action(action: str, ctx: ToolContext) -> str:
    """Log an action taken by the agent.

    Args:
        action: Description of the action.
    """
    turn = ctx.turn
    run_id = ctx.agent_context.agent_run_id
    print(f"[{run_id}] turn={turn}: {action}")
    return "logged"
