"""What is kept for one run of an agent: each tool's `tool_state`, what `dependency_factory` made, the objects of scope
REQUEST.

A run is known by its agent context, and what is kept for it goes when that goes. Calls without one keep nothing.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from .awaiting import LoopLock, settled
from .context import ToolContext

if TYPE_CHECKING:
    from .plan import Plan


class RunState:
    """What is kept for one run; `lock` is held while something is made for it. One not `kept` ends with its call."""

    def __init__(self, *, kept: bool = False) -> None:
        self.kept = kept
        self.objects: dict[Any, Any] = {}
        self.tool_states: dict[str, dict[str, Any]] = {}
        self.dependencies: dict[str, Any] = {}
        self.lock = LoopLock()


class RunStates:
    """The runs that an executor serves."""

    def __init__(self) -> None:
        self._kept: dict[int, tuple[weakref.ref[Any], RunState]] = {}

    def of(self, agent_context: Any) -> RunState:
        """The run's state; a fresh one if there is no agent context, or nothing can tell when it goes."""
        if agent_context is None:
            return RunState()
        identity = id(agent_context)
        if identity in self._kept:
            return self._kept[identity][1]
        try:
            reference = weakref.ref(agent_context, lambda _: self._kept.pop(identity, None))
        except TypeError:
            return RunState()
        return self._kept.setdefault(identity, (reference, RunState(kept=True)))[1]

    def take(self, agent_context: Any) -> RunState | None:
        """The run's state, which is kept no longer; None if there is none."""
        _, state = self._kept.pop(id(agent_context), (None, None))
        return state


async def seed(plan: Plan, ctx: ToolContext, runs: RunStates) -> None:
    """Fill `state`, `tool_state` and `dependencies` of a call's context.

    What is there already wins; a `tool_state` or `dependencies` that the caller gave is the caller's to keep. Raises
    what the tool's factories raise, and TypeError if one gives no dict.
    """
    if plan.initial_state is not None:
        for key, value in (await _made(plan.initial_state, "initial_state")).items():
            ctx.state.setdefault(key, value)
    run = runs.of(ctx.agent_context)
    if not ctx.tool_state_given:
        ctx.tool_state = run.tool_states.setdefault(plan.name, {})
    if plan.initial_tool_state is None and plan.dependency_factory is None:
        return
    async with run.lock:
        if plan.initial_tool_state is not None and not ctx.tool_state:
            ctx.tool_state.update(await _made(plan.initial_tool_state, "initial_tool_state"))
        if plan.dependency_factory is not None and ctx.dependencies is None:
            if plan.name not in run.dependencies:
                run.dependencies[plan.name] = await settled(plan.dependency_factory())
            ctx.dependencies = run.dependencies[plan.name]


async def _made(factory: Callable[[], Any], option: str) -> Mapping[str, Any]:
    value = await settled(factory())
    if not isinstance(value, Mapping):
        raise TypeError(f"{option} gave {value!r}, not a dict")
    return value  # pyright: ignore[reportUnknownVariableType]
