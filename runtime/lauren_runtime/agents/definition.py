"""Reads what `@agent()` and `@use_tools()` left on a class: ours, or the real lauren-ai's."""

from __future__ import annotations

from typing import Any

from ..container.tokens import named
from ..marks import AGENT_META, USE_TOOLS_META
from .config import AgentConfig
from .declaring import AgentMeta
from .errors import AgentConfigError


class AgentDefinition:
    """An agent's class, with what was said of it. `instance` is set where an object was given to be run.

    Raises AgentConfigError for what is no agent.
    """

    def __init__(self, agent: Any) -> None:
        is_class = isinstance(agent, type)
        self.cls: type = agent if is_class else type(agent)
        self.instance: Any = None if is_class else agent
        meta = getattr(self.cls, AGENT_META, None)
        if meta is None:
            shown = named(self.cls) if is_class else f"{agent!r}, of class {named(self.cls)},"
            raise AgentConfigError(f"{shown} is not decorated with @agent()", detail={"agent": named(self.cls)})
        self.name: str = meta.name or self.cls.__name__
        self.model: str | None = meta.model
        self.system: str | None = meta.system
        self.config = meta.config if isinstance(meta, AgentMeta) else _adopted(meta.config)
        self.memory: Any = meta.memory
        self.conversation_store: Any = meta.conversation_store
        self.tools: tuple[Any, ...] = getattr(self.cls, USE_TOOLS_META, ())


def _adopted(foreign: Any) -> AgentConfig:
    """What lauren-ai's AgentConfig says that is not its default, of what we know too."""
    defaults = type(foreign)()
    fields: dict[str, Any] = {
        name: value
        for name in AgentConfig.__slots__
        if hasattr(foreign, name) and (value := getattr(foreign, name)) != getattr(defaults, name)
    }
    fields.pop("request_options", None)  # an object of its own there, for its own transports
    return AgentConfig(**fields)
