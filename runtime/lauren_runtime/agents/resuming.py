"""Where a run broke off that is to be taken up again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..results import ToolResult
from .messages import Block, Message


@dataclass(frozen=True)
class Unfinished:
    """The calls of the last reply, and the results that some of them have. Without calls the model's turn is next."""

    calls: Sequence[Block] = ()
    done: dict[str, ToolResult] = field(default_factory=dict[str, ToolResult])


def broken_off(history: Sequence[Message]) -> tuple[list[Message], Unfinished | None]:
    """What was said up to where it broke off, without results that are not all there; None if it did not break off."""
    if not history:
        return [], None
    last = history[-1]
    if last.role == "assistant":
        return list(history), Unfinished(last.calls) if last.calls else None
    results = [each for each in last.content if each["type"] == "tool_result"]
    calls = history[-2].calls if len(history) > 1 else []
    if len(results) == len(calls):
        return list(history), Unfinished()
    return list(history[:-1]), Unfinished(calls, {each["tool_use_id"]: _result(each) for each in results})


def _result(block: Block) -> ToolResult:
    return ToolResult(block["tool_use_id"], block["content"], block["is_error"])
