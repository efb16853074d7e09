@tool()
async def my_tool(query: str) -> list[dict]:
    """One-line description.

    Args:
        query: What to search for.
    """
    ...
