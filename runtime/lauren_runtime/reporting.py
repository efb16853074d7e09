"""What a failure looks like to the model, and how a value becomes a result."""

from __future__ import annotations

from asyncio import CancelledError
from typing import Any, cast

from .approval import ToolPendingApprovalSignal
from .dispatching import Escaped
from .errors import LaurenToolError, ToolExecutionError, ToolInputError, ToolNotFoundError, ToolTimeoutError
from .json_form import content_of
from .results import ToolResult

Failure = ToolNotFoundError | ToolInputError | ToolExecutionError | ToolTimeoutError
"""What `ToolExecutor.execute` reports."""

_ALWAYS_RAISED = (ToolPendingApprovalSignal, CancelledError, KeyboardInterrupt, SystemExit, GeneratorExit)


class Ended(Exception):
    """Ends a call with a failure; it never leaves the executor."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure


def failure_of(error: BaseException, name: str, tool_use_id: str) -> Failure:
    """The failure for what a call raised; our own time limit is one already."""
    if isinstance(error, Escaped):
        error = error.error
    if isinstance(error, ToolTimeoutError) and (error.tool_name, error.tool_use_id) == (name, tool_use_id):
        return error
    return ToolExecutionError(name, tool_use_id, error)


def is_always_raised(error: BaseException) -> bool:
    """Whether `error` leaves the executor as it is: it asks for approval, or ends more than a call.

    So does a group with one of these in it.
    """
    if isinstance(error, BaseExceptionGroup):
        return any(map(is_always_raised, error.exceptions))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
    return isinstance(error, _ALWAYS_RAISED)


def result_of(value: Any, tool_use_id: str) -> ToolResult:
    """The result for a value a tool or hook gave; a ToolResult is passed on, under this id.

    Raises ResultError for what JSON cannot hold.
    """
    if type(value) is str:
        return ToolResult(tool_use_id, value)
    if not is_result(value):
        return ToolResult(tool_use_id, content_of(value))
    is_error = bool(value.is_error)
    status = getattr(value, "status", None)
    return ToolResult(tool_use_id, content_of(value.content), is_error, status=status if status != "executed" else None)


def is_result(value: Any) -> bool:
    """Whether a value is a ToolResult, ours or lauren-ai's."""
    if isinstance(value, ToolResult):
        return True
    return type(value).__name__ == "ToolResult" and all(
        hasattr(value, name) for name in ("tool_use_id", "content", "is_error")
    )


def shortened(result: ToolResult, length: int) -> ToolResult:
    """The result, its text cut to `length` characters with a note that says how much is missing.

    Of content blocks the texts count together, in their order.
    """
    content = result.content
    if isinstance(content, str):
        result.content = _cut(content, length)
        return result
    room = length
    blocks: list[Any] = []
    for block in content:
        known = cast("dict[str, Any]", block) if isinstance(block, dict) else {}
        text = known.get("text")
        if isinstance(text, str):  # a new block: the tool may hold on to its own
            blocks.append({**known, "text": _cut(text, room)})
            room = max(0, room - len(text))
        else:
            blocks.append(block)
    result.content = blocks
    return result


def _cut(text: str, length: int) -> str:
    if len(text) <= length:
        return text
    return f"{text[:length]}\n[cut: {len(text) - length:,} of {len(text):,} characters are left out]"


def text_for_model(failure: Failure, detail: bool) -> str:
    """The kind of failure and a plain sentence; what the tool's exception said only with `detail`.

    Argument errors and our own explanations are always whole: they hold nothing of the application's.
    """
    if not isinstance(failure, ToolExecutionError):
        return str(failure)
    original = failure.original
    if isinstance(original, LaurenToolError):
        return f"Tool {failure.tool_name!r} failed: {original}"
    if detail:
        return str(failure)
    return f"Tool {failure.tool_name!r} failed with {kind_of(original)}. It gave no result."


def kind_of(error: BaseException) -> str:
    """The exception's type; of a group, those of its members too."""
    name = type(error).__name__
    if not isinstance(error, BaseExceptionGroup):
        return name
    members = sorted({kind_of(each) for each in error.exceptions})  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType, reportUnknownArgumentType]
    return f"{name} ({', '.join(members)})"
