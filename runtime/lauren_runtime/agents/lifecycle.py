"""The methods of an agent that a run calls: `on_start`, `on_turn_complete`, `on_tool_result`, `on_finish`."""

from __future__ import annotations

from logging import getLogger
from typing import Any

from ..awaiting import settled
from ..executor import ToolExecutor
from ..reporting import is_result
from ..results import ToolResult
from .context import AgentContext, AgentResponse
from .definition import AgentDefinition
from .model_client import ModelReply

LOG = getLogger("lauren_runtime")
METHODS = ("on_start", "on_turn_complete", "on_tool_result", "on_finish")


class Lifecycle:
    """The hooks of one agent's object. It is only made if its class has any."""

    def __init__(self, definition: AgentDefinition, agent: Any) -> None:
        self._name = definition.name
        self._hooks = {name: getattr(agent, name) for name in METHODS if callable(getattr(agent, name, None))}

    @classmethod
    async def of(cls, definition: AgentDefinition, executor: ToolExecutor, ctx: AgentContext) -> Lifecycle:
        """The hooks of a definition's agent. Raises what making its object raises."""
        agent = definition.instance
        if agent is None and any(hasattr(definition.cls, name) for name in METHODS):
            agent = await executor.object_of(definition.cls, ctx)
        return cls(definition, agent)

    async def start(self, ctx: AgentContext) -> None:
        """Before anything else. Raises what the hook raises: it may forbid the run."""
        if "on_start" in self._hooks:
            await settled(self._hooks["on_start"](ctx))

    async def turn_complete(self, reply: ModelReply, ctx: AgentContext) -> None:
        """A reply came. Failures are logged."""
        await self._observed("on_turn_complete", reply, ctx)

    async def tool_result(self, result: ToolResult, ctx: AgentContext) -> ToolResult:
        """A call's result, or what the hook puts in its place, under the call's id. Failures are logged."""
        given = await self._observed("on_tool_result", result, ctx)
        if given is None:
            return result
        if not is_result(given):
            LOG.warning("on_tool_result of agent %r gave %r, which is no ToolResult", self._name, given)
            return result
        return ToolResult(result.tool_use_id, given.content, given.is_error, status=given.status)

    async def finish(self, response: AgentResponse, ctx: AgentContext) -> None:
        """The run is over. Failures are logged."""
        await self._observed("on_finish", response, ctx)

    async def _observed(self, hook: str, subject: object, ctx: AgentContext) -> Any:
        if hook not in self._hooks:
            return None
        try:
            return await settled(self._hooks[hook](subject, ctx))
        except Exception:
            LOG.warning("%s of agent %r failed", hook, self._name, exc_info=True)
            return None
