"""`@agent()` and `@use_tools()`: they record, and return the same class. The attribute names are lauren-ai's."""

from __future__ import annotations

from ..errors import DecoratorUsageError
from ..marks import AGENT_META, INJECTABLE_META, TOOL_META, USE_TOOLS_META, mark, own
from .config import AgentConfig

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Never, TypeVar, Unpack

    from .config import AgentOptions

    _T = TypeVar("_T")


class AgentMeta:
    """What one `@agent(...)` says. `config` holds only what it says itself; `system` is None where it says nothing."""

    __slots__ = ("config", "conversation_store", "memory", "model", "name", "system")

    def __init__(
        self,
        *,
        name: str,
        model: str | None,
        system: str | None,
        config: AgentConfig,
        memory: Any = None,
        conversation_store: Any = None,
    ) -> None:
        self.name = name
        self.model = model
        self.system = system
        self.config = config
        self.memory = memory
        self.conversation_store = conversation_store

    def __repr__(self) -> str:
        return f"AgentMeta(name={self.name!r}, model={self.model!r}, config={self.config!r})"


def agent(
    *args: Never,
    name: str | None = None,
    model: str | None = None,
    system: str | None = None,
    memory: Any | None = None,
    conversation_store: Any | None = None,
    config: AgentConfig | None = None,
    **options: Unpack[AgentOptions],
) -> Callable[[type[_T]], type[_T]]:
    """Mark a class as an agent.

    - name: default: the class's
    - model: default: the runner's
    - system: the system prompt; default: the class's docstring, else the configuration's
    - memory, conversation_store: where its conversations are kept (agents/memory.py)
    - config, and its fields as keywords, which win: how it runs

    It may have the methods `on_start(ctx)`, `on_tool_result(result, ctx)`, `on_turn_complete(reply, ctx)` and
    `on_finish(response, ctx)`. It is injectable, a singleton unless it says otherwise. A subclass is an agent too.

    Raises DecoratorUsageError for the bare form, positional arguments, and what is no class; AgentConfigError for
    options that cannot be meant.
    """
    if args:
        raise DecoratorUsageError("write @agent() with parentheses, and its options as keywords")
    if config is not None and not isinstance(config, AgentConfig):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise DecoratorUsageError(f"@agent(config=) takes an AgentConfig, not {config!r}")
    own_config = AgentConfig(**options).over(config)

    def decorate(target: type[_T]) -> type[_T]:
        if not isinstance(target, type):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DecoratorUsageError(f"@agent() makes a class an agent, not {target!r}")
        meta = AgentMeta(
            name=target.__name__ if name is None else name,
            model=model,
            system=_docstring(target) if system is None else system,
            config=own_config,
            memory=memory,
            conversation_store=conversation_store,
        )
        mark("agent", target, AGENT_META, meta)
        if own(target, INJECTABLE_META) is None:
            from ..injection import injectable

            injectable()(target)
        return target

    return decorate


def use_tools(*tools: Any) -> Callable[[type[_T]], type[_T]]:
    """Give an agent tools, above or below `@agent()`. Stacked uses add up, the lowest first, after the base class's.

    None is left out, and a tool that is there already.

    Raises DecoratorUsageError for the bare form, and for what is no tool.
    """
    for each in tools:
        _check_tool(each)

    def decorate(target: type[_T]) -> type[_T]:
        if not isinstance(target, type):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DecoratorUsageError(f"@use_tools() gives tools to an agent's class, not to {target!r}")
        found = list(getattr(target, USE_TOOLS_META, ()))
        for each in tools:
            if each is not None and not any(each is other for other in found):
                found.append(each)
        mark("use_tools", target, USE_TOOLS_META, tuple(found))
        return target

    return decorate


def _docstring(target: type) -> str | None:
    return (target.__doc__ or "").strip() or None


_NO_TOOLS = (str, bytes, int, float, list, tuple, set, frozenset, dict)


def _check_tool(given: object) -> None:
    """Refuse what is certainly no tool. An object of another framework may be one without a mark of ours."""
    if isinstance(given, _NO_TOOLS):
        advice = ": write *tools for what is in a list" if isinstance(given, (list, tuple)) else ""
        raise DecoratorUsageError(f"use_tools takes tools, not {given!r}{advice}")
    if not isinstance(given, type) or hasattr(given, TOOL_META):
        return
    raise DecoratorUsageError(
        f"{given.__qualname__} is not decorated with @tool(); if it is the agent, write @use_tools(...) above it with "
        "its tools in parentheses"
    )
