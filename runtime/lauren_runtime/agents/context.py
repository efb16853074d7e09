"""What a run of an agent is, to its tools and hooks; and what comes of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..results import ToolCall
from .config import AgentConfig
from .messages import TokenUsage

if TYPE_CHECKING:
    from .ledger import IdempotencyLedger
    from .memory import Memory

RunEnd: TypeAlias = Literal[
    "end_turn", "stop_sequence", "max_tokens", "refusal", "other", "max_turns", "budget_exceeded"
]
"""Why a run ended: as its last reply did, or at a limit."""


@dataclass(eq=False, kw_only=True)
class AgentContext:
    """One run of an agent. Tools find it in `ctx.agent_context`; `turn` counts the model's replies from 0."""

    agent_id: str
    agent_run_id: str
    agent_class: type
    agent_name: str
    config: AgentConfig
    memory: Memory
    turn: int = 0
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    request: Any = None
    execution_context: Any = None
    conversation_id: str | None = None
    signals: Any = None
    runner: Any = None
    message_bus: Any = None
    idempotency_ledger: IdempotencyLedger | None = None

    def get_metadata(self, key: str, default: Any = None) -> Any:
        """What `run(metadata=)` holds under `key`."""
        return self.metadata.get(key, default)


@dataclass(eq=False)
class AgentResponse:
    """What came of a run.

    content: the last reply's text. turns: how many replies there were. tool_calls_made: the calls that were run, in
    order. stop_detail: the provider's own word for how the last reply ended.
    """

    content: str
    turns: int
    total_usage: TokenUsage
    tool_calls_made: list[ToolCall]
    stop_reason: RunEnd
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])
    total_cost_usd: float | None = None
    stop_detail: str = ""

    async def as_stream(self) -> AsyncIterator[str]:
        """The content, in one piece."""
        yield self.content
