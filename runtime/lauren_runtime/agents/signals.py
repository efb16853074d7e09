"""What happens during a run, told as it happens: to sinks, and to whoever reads `run_stream`.

The order in a turn with tools: ModelCallStarted, ModelCallComplete, AgentTurnComplete, ToolExchangeStarted; for each
call ToolCallStarted, [ToolPendingApproval, ToolApprovalResolved,] ToolCallComplete; ToolExchangeResultRecorded for each
result, in the order of the calls; ToolExchangeCommitted. At the end AgentRunComplete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from logging import getLogger
from typing import Any, TypeAlias, cast

from ..awaiting import settled
from .messages import TokenUsage

LOG = getLogger("lauren_runtime")


@dataclass(frozen=True, kw_only=True)
class Signal:
    """Base of all: which run of which agent it is about."""

    agent_name: str
    agent_id: str
    agent_run_id: str


@dataclass(frozen=True, kw_only=True)
class ModelCallStarted(Signal):
    """The model is asked."""

    model: str
    turn: int
    messages_count: int


@dataclass(frozen=True, kw_only=True)
class ModelCallComplete(Signal):
    """The model has answered. `cost_usd` is None where prices are unknown."""

    model: str
    turn: int
    usage: TokenUsage
    cost_usd: float | None
    duration_ms: float
    stop_reason: str


@dataclass(frozen=True, kw_only=True)
class AgentTurnComplete(Signal):
    """A reply is in the conversation; its calls come next."""

    turn: int
    turn_usage: TokenUsage
    cumulative_usage: TokenUsage


@dataclass(frozen=True, kw_only=True)
class ToolExchangeStarted(Signal):
    """The calls of a reply begin."""

    turn: int
    call_count: int


@dataclass(frozen=True, kw_only=True)
class ToolCallStarted(Signal):
    """A call begins. `input` is what the model sent: arguments, or a text that is none."""

    tool_name: str
    tool_use_id: str
    input: Any


@dataclass(frozen=True, kw_only=True)
class ToolPendingApproval(Signal):
    """A call waits for a human. `input` are its final arguments."""

    tool_name: str
    tool_use_id: str
    input: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class ToolApprovalResolved(Signal):
    """A human has decided, or nobody did in time."""

    tool_name: str
    tool_use_id: str
    approved: bool
    reason: str


@dataclass(frozen=True, kw_only=True)
class ToolCallComplete(Signal):
    """A call is over. `status` is its result's; `replayed`: it was not run, an earlier attempt's result counts."""

    tool_name: str
    tool_use_id: str
    success: bool
    status: str
    error: str | None
    duration_ms: float
    cached: bool = False
    replayed: bool = False


@dataclass(frozen=True, kw_only=True)
class ToolExchangeResultRecorded(Signal):
    """A result is in the conversation. `synthetic`: no tool gave it; the run ended, or was not allowed, before."""

    tool_use_id: str
    status: str
    synthetic: bool = False


@dataclass(frozen=True, kw_only=True)
class ToolExchangeCommitted(Signal):
    """All calls of a reply have their results in the conversation."""

    turn: int
    call_count: int
    synthetic_count: int = 0


@dataclass(frozen=True, kw_only=True)
class AgentRunComplete(Signal):
    """The run is over. `stop_reason` is its response's, "cancelled" or "error"."""

    turns: int
    total_usage: TokenUsage
    total_cost_usd: float | None
    stop_reason: str
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


Sink: TypeAlias = Any
"""A callable that takes a signal, or an object with a method `on_signal`; sync or async."""


async def tell(sinks: Iterable[Sink], signal: Signal) -> None:
    """Tell the sinks, one after the other. What they raise is logged: they watch, and decide nothing."""
    for sink in sinks:
        try:
            await settled(_callable(sink)(signal))
        except Exception:
            LOG.warning("a signal sink failed at %s", type(signal).__name__, exc_info=True)


def _callable(sink: Sink) -> Callable[[Signal], Any]:
    return cast("Callable[[Signal], Any]", getattr(sink, "on_signal", sink))
