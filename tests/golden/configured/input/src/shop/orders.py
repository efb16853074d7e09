from dataclasses import dataclass

from lauren_runtime import tool


@dataclass
class Line:
    item: str
    count: int = 1


@tool()
def order(lines: list[Line]) -> int:  # lauren: ignore[LC402] its name says it
    return sum(line.count for line in lines)
