"""The signal that a call waits for a human."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ToolPendingApprovalSignal(Exception):
    """Raised by `ToolExecutor.execute` before a tool that needs approval. No error: the call has not been made.

    `tool_input` is a copy of the final arguments as JSON. Show it, then hand it, or an edited copy, to
    `ToolExecutor.execute_approved`; or leave all of that to `Approvals`. `tool_digest` is that of the tool as built.
    """

    def __init__(self, tool_name: str, tool_use_id: str, tool_input: dict[str, Any], tool_digest: str = "") -> None:
        self.tool_name = tool_name
        self.tool_use_id = tool_use_id
        self.tool_input = tool_input
        self.tool_digest = tool_digest
        super().__init__(tool_name, tool_use_id, tool_input, tool_digest)

    def __str__(self) -> str:
        return f"Tool {self.tool_name!r} needs approval (call {self.tool_use_id!r})"
