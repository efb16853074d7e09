from lauren_runtime import tool


@tool()
def plan(day: Dat, größe: complex) -> str:
    """Plan a day."""
    return str(day)


@tool
def bare(text: str) -> str:
    """Decorated without parentheses."""
    return text
