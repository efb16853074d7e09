"""`IdempotencyLedger`: calls that succeeded are not made again when their turn is tried again."""

from __future__ import annotations

from collections import deque

from ..canonical import digest
from ..errors import ToolInputError
from ..json_text import arguments_of
from ..results import ToolCall, ToolResult


class IdempotencyLedger:
    """What succeeded in attempts at a turn.

    Give one ledger to each attempt: `run(..., idempotency_ledger=ledger)`. After one that failed, `promote()`: from
    then on a call with the same name and arguments gets that attempt's result, once for each time it was made. Within
    one attempt equal calls are all made.
    """

    def __init__(self) -> None:
        self._replayable: dict[str, deque[ToolResult]] = {}
        self._made: list[tuple[str, ToolResult]] = []

    def lookup(self, call: ToolCall) -> ToolResult | None:
        """The result of an earlier attempt's equal call, under this call's id, used up thereby."""
        waiting = self._replayable.get(_key(call) or "")
        if not waiting:
            return None
        found = waiting.popleft()
        return ToolResult(call.tool_use_id, found.content, status=found.status, cached=found.cached)

    def record(self, call: ToolCall, result: ToolResult) -> None:
        """Note a call that was made. Errors are not kept: what failed may be tried again."""
        key = None if result.is_error else _key(call)
        if key is not None:
            self._made.append((key, result))

    def promote(self) -> None:
        """The attempt is given up: what it made counts in the next."""
        for key, result in self._made:
            self._replayable.setdefault(key, deque()).append(result)
        self._made.clear()

    def __len__(self) -> int:
        return len(self._made) + sum(map(len, self._replayable.values()))


def _key(call: ToolCall) -> str | None:
    """What equal calls have in common; None for arguments that are none."""
    try:
        return digest([call.name, arguments_of(call.input)])
    except (ToolInputError, TypeError, ValueError):
        return None
