"""Stand-ins for `lauren_ai` and `lauren`, so that sources written for them run without them.

`install()` registers modules under those names whose contents are this runtime's. They offer tools, agents,
skills and the container; whatever else the real packages have is not there, and asking for it says so.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from .errors import LaurenToolError

_TOOLS = (
    "AfterToolHookDecision",
    "BeforeToolHookDecision",
    "DecoratorUsageError",
    "ErrorToolHookDecision",
    "TOOL_META",
    "ToolCall",
    "ToolCallContext",
    "ToolContext",
    "ToolExecutionError",
    "ToolExecutor",
    "ToolHook",
    "ToolMeta",
    "ToolPendingApprovalSignal",
    "ToolResult",
    "get_tool_context_from_func_args",
    "set_metadata",
    "tool",
    "use_hooks",
)
_AGENTS = (
    "AGENT_META",
    "AgentConfig",
    "AgentConfigError",
    "AgentContext",
    "AgentMeta",
    "AgentModule",
    "AgentResponse",
    "AgentRunner",
    "ConversationStore",
    "IdempotencyLedger",
    "InMemoryConversationStore",
    "Message",
    "ShortTermMemory",
    "TokenUsage",
    "ToolConversationIntegrityError",
    "USE_TOOLS_META",
    "agent",
    "use_tools",
)
_SIGNALS = (
    "AgentRunComplete",
    "AgentTurnComplete",
    "ModelCallComplete",
    "ModelCallStarted",
    "ToolApprovalResolved",
    "ToolCallComplete",
    "ToolCallStarted",
    "ToolExchangeCommitted",
    "ToolExchangeResultRecorded",
    "ToolExchangeStarted",
    "ToolPendingApproval",
)
_CONTAINER = (
    "DIContainer",
    "Inject",
    "LaurenApp",
    "LaurenFactory",
    "OptionalDep",
    "Scope",
    "Token",
    "injectable",
    "module",
    "post_construct",
    "pre_destruct",
    "use_class",
    "use_existing",
    "use_factory",
    "use_value",
)
_EXCEPTIONS = (
    "CircularDependencyError",
    "CircularModuleError",
    "DIScopeViolationError",
    "DecoratorUsageError",
    "DestructError",
    "DestructTimeoutError",
    "DuplicateBindingError",
    "LifecycleError",
    "LifecycleViolationError",
    "MetadataInheritanceError",
    "MissingProviderError",
    "ModuleExportViolation",
    "ProtocolAmbiguityError",
    "StartupError",
    "UnresolvableParameterError",
)
_SKILLS = ("CodeExecutionTool", "HttpFetchTool", "WebSearchTool")
_OFFERED = {
    "lauren_ai": (*_TOOLS, *_AGENTS, *_SIGNALS, "CacheBackend", "InMemoryCacheBackend"),
    "lauren_ai._agents": ("AGENT_META", "AgentContext", "AgentMeta", "AgentResponse", "agent", "use_tools"),
    "lauren_ai._config": ("AgentConfig",),
    "lauren_ai._module": ("AgentModule",),
    "lauren_ai._signals": _SIGNALS,
    "lauren_ai._skills": _SKILLS,
    "lauren_ai._tools": _TOOLS,
    "lauren_ai.skills": _SKILLS,
    "lauren": (*_CONTAINER, *_EXCEPTIONS),
    "lauren.exceptions": _EXCEPTIONS,
}
"""What each module offers, under the runtime's own names."""
_HOMES = {"lauren_ai._skills": "lauren_runtime.skills", "lauren_ai.skills": "lauren_runtime.skills"}
"""Where these names come from; others from the runtime itself."""


class StandinError(LaurenToolError):
    """The real packages are there: two of each class would not know each other."""


class _Standin(ModuleType):
    """A module whose names are the runtime's."""

    def __init__(self, name: str, names: tuple[str, ...]) -> None:
        super().__init__(name, f"Stands in for {name}: its names are lauren_runtime's.")
        self.__all__ = list(names)
        self.__file__ = __file__
        self.__path__ = []  # a package, so that asking for a submodule says that there is none
        self.__spec__ = ModuleSpec(name, None, origin=__file__, is_package=True)

    def __getattr__(self, name: str) -> Any:
        if name in self.__all__:
            return getattr(import_module(_HOMES.get(self.__name__, "lauren_runtime")), name)
        raise AttributeError(f"lauren_runtime's stand-in for {self.__name__} does not offer {name!r}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.__all__})


def install() -> None:
    """Register the stand-ins. Doing so again changes nothing.

    Raises StandinError if `lauren_ai` or `lauren` is installed or loaded.
    """
    if installed():
        return
    for name in ("lauren_ai", "lauren"):
        if name in sys.modules or find_spec(name) is not None:
            raise StandinError(
                f"the real {name} is installed or loaded, so it cannot be stood in for; "
                "use it, or leave lauren_runtime.standin.install() out"
            )
    made = {name: _Standin(name, names) for name, names in _OFFERED.items()}
    for name, module in made.items():
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(made[parent], child, module)
    sys.modules.update(made)


def uninstall() -> None:
    """Take the stand-ins away again. Modules that imported from them keep what they have."""
    for name in _OFFERED:
        if isinstance(sys.modules.get(name), _Standin):
            del sys.modules[name]


def installed() -> bool:
    """Whether the stand-ins are registered."""
    return all(isinstance(sys.modules.get(name), _Standin) for name in _OFFERED)
