"""`AgentRunner[Agent]`: what to ask a container for where it has several runners."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from ..container.tokens import named
from ..marks import AGENT_META

_TOKENS: WeakKeyDictionary[type, type] = WeakKeyDictionary()


def token_of(runner: type, agent: Any) -> type:
    """The class that `runner[agent]` is, always the same. Raises TypeError for what is no agent's class."""
    if not isinstance(agent, type) or not hasattr(agent, AGENT_META):
        raise TypeError(f"{runner.__name__}[...] takes a class that is decorated with @agent(), not {agent!r}")
    if agent not in _TOKENS:
        name = f"{runner.__name__}[{named(agent)}]"
        _TOKENS[agent] = type(name, (runner,), {"__module__": runner.__module__, "__qualname__": name})
    return _TOKENS[agent]
