"""`AgentTestClient`: one agent against a MockTransport."""

from __future__ import annotations

import asyncio
from typing import Any

from ..agents.context import AgentResponse
from ..agents.runner import AgentRunner
from . import table_in_use
from .transport import CompletionCall, MockModel, MockTransport


class AgentTestClient:
    """Runs an agent's object against what is queued on `mock`; `runner` is one of your own."""

    def __init__(self, agent_instance: Any, mock_transport: MockTransport, *, runner: Any = None) -> None:
        self.mock = mock_transport
        self._agent = agent_instance
        self._runner = runner

    def run(
        self, message: str, *, conversation_id: str | None = None, metadata: dict[str, Any] | None = None
    ) -> AgentResponse:
        """What the agent answers, in an event loop of its own."""
        return asyncio.run(self.run_async(message, conversation_id=conversation_id, metadata=metadata))

    async def run_async(
        self, message: str, *, conversation_id: str | None = None, metadata: dict[str, Any] | None = None
    ) -> AgentResponse:
        """`run`, awaited. Raises as `AgentRunner.run` does."""
        if self._runner is None:
            self._runner = AgentRunner(table_in_use(), model_client=MockModel(self.mock, "mock-model"))
        found: AgentResponse = await self._runner.run(
            self._agent, message, conversation_id=conversation_id, metadata=metadata
        )
        return found

    @property
    def calls(self) -> list[CompletionCall]:
        """What the model was asked since the last `reset`."""
        return self.mock.calls

    def reset(self) -> None:
        """Forget what was queued, and what was asked."""
        self.mock.reset()
