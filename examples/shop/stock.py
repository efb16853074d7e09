"""A tool that returns a `ToolResult`, to say itself whether it failed; the executor fills in `tool_use_id`."""

from lauren_runtime import ToolResult, tool

STOCK = {"lamp": 3, "chair": 0}


def reserve(product: str) -> dict[str, object]:
    if STOCK[product] == 0:
        raise ValueError(f"{product} is sold out")
    STOCK[product] -= 1
    return {"product": product, "left": STOCK[product]}


@tool()
async def risky_operation(param: str) -> ToolResult:
    """Attempt to reserve a product.

    Args:
        param: Name of the product.
    """
    try:
        return ToolResult.ok(reserve(param), tool_use_id="")
    except (KeyError, ValueError) as problem:
        return ToolResult.error(str(problem), tool_use_id="")
