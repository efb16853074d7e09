"""The marks that decorators leave on objects, and how they are read."""

from __future__ import annotations

from .errors import DecoratorUsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

TOOL_META = "__lauren_ai_tool__"
"""Where `@tool()` keeps its ToolMeta."""
TOOL_METADATA = "__lauren_ai_tool_metadata__"
"""Where `@set_metadata()` keeps its dict."""
HOOKS_META = "__lauren_ai_tool_hook_classes__"
"""Where `@use_hooks()` keeps its classes, in order of application."""
AGENT_META = "__lauren_ai_agent__"
"""Where `@agent()` keeps its AgentMeta."""
USE_TOOLS_META = "__lauren_ai_tools__"
"""Where `@use_tools()` keeps its tools, in order of application, those of the base class first."""
INJECTABLE_META = "__lauren_injectable__"
"""Where `@injectable()` keeps its InjectableMeta."""
BY_SUBCLASS_META = "__lauren_by_subclass__"
"""Where a class says, with True, that it stands for the subclasses that are provided, if it is not itself."""
MODULE_META = "__lauren_module__"
"""Where `@module()` keeps its ModuleMeta."""
POST_CONSTRUCT_META = "__lauren_post_construct__"
"""Where `@post_construct` leaves True."""
PRE_DESTRUCT_META = "__lauren_pre_destruct__"
"""Where `@pre_destruct` leaves True."""


class ToolMeta:
    """The options of one `@tool(...)`, as given."""

    __slots__ = (
        "cache_key_fn",
        "cache_ttl",
        "confirmation_policy",
        "confirmation_policy_error_default",
        "dependency_factory",
        "description",
        "error_hook",
        "initial_state",
        "initial_tool_state",
        "label",
        "name",
        "post_hook",
        "pre_hook",
        "requires_confirmation",
        "timeout",
    )

    def __init__(
        self,
        *,
        name: str | None,
        description: str | None,
        requires_confirmation: bool,
        pre_hook: Callable[..., Any] | None,
        post_hook: Callable[..., Any] | None,
        error_hook: Callable[..., Any] | None,
        cache_ttl: float | None,
        cache_key_fn: Callable[..., Any] | None,
        confirmation_policy: Callable[..., Any] | None,
        confirmation_policy_error_default: bool,
        label: str,
        initial_state: Callable[[], Any] | None,
        initial_tool_state: Callable[[], Any] | None,
        dependency_factory: Callable[[], Any] | None,
        timeout: float | None,
    ) -> None:
        self.name = name
        self.description = description
        self.requires_confirmation = requires_confirmation
        self.pre_hook = pre_hook
        self.post_hook = post_hook
        self.error_hook = error_hook
        self.cache_ttl = cache_ttl
        self.cache_key_fn = cache_key_fn
        self.confirmation_policy = confirmation_policy
        self.confirmation_policy_error_default = confirmation_policy_error_default
        self.label = label
        self.initial_state = initial_state
        self.initial_tool_state = initial_tool_state
        self.dependency_factory = dependency_factory
        self.timeout = timeout

    def __repr__(self) -> str:
        given = {name: value for name in self.__slots__ if (value := getattr(self, name)) not in (None, False, "")}
        return f"ToolMeta({', '.join(f'{name}={value!r}' for name, value in given.items())})"


def mark(decorator: str, target: object, attribute: str, value: object) -> None:
    """Set a mark. Raises DecoratorUsageError where the object takes no attributes."""
    try:
        setattr(_holder(target), attribute, value)
    except (AttributeError, TypeError):
        raise DecoratorUsageError(f"@{decorator}() cannot mark {target!r}: it takes no attributes") from None


def own(target: object, attribute: str) -> Any:
    """The object's own mark, not one inherited from a base class; None if there is none."""
    return getattr(_holder(target), "__dict__", {}).get(attribute)


def _holder(target: object) -> object:
    """The object that is still there when the class body is done: the function in a staticmethod or classmethod."""
    method: Any = target
    return method.__func__ if isinstance(target, (staticmethod, classmethod)) else target
