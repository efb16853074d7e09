from lauren_ai._tools import ToolResult

@tool()
async def risky_operation(param: str) -> ToolResult:
    """Attempt a risky operation."""
    try:
        result = do_thing(param)
        return ToolResult.ok(result, tool_use_id="")
    except Exception as exc:
        return ToolResult.error(str(exc), tool_use_id="")
