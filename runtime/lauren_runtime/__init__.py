"""Runs what lauren-compile built. Standard library only; nothing is loaded before it is used.

Every public name is listed here with the module it comes from, which is imported when the name is first asked for.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .agents.config import AgentConfig as AgentConfig
    from .agents.context import AgentContext as AgentContext
    from .agents.context import AgentResponse as AgentResponse
    from .agents.declaring import AgentMeta as AgentMeta
    from .agents.declaring import agent as agent
    from .agents.declaring import use_tools as use_tools
    from .agents.errors import AgentConfigError as AgentConfigError
    from .agents.errors import ConversationStoreError as ConversationStoreError
    from .agents.errors import ToolConversationIntegrityError as ToolConversationIntegrityError
    from .agents.ledger import IdempotencyLedger as IdempotencyLedger
    from .agents.memory import ConversationStore as ConversationStore
    from .agents.memory import InMemoryConversationStore as InMemoryConversationStore
    from .agents.memory import ShortTermMemory as ShortTermMemory
    from .agents.messages import Message as Message
    from .agents.messages import TokenUsage as TokenUsage
    from .agents.model_client import ModelClient as ModelClient
    from .agents.model_client import ModelError as ModelError
    from .agents.model_client import ModelReply as ModelReply
    from .agents.model_client import ModelRequest as ModelRequest
    from .agents.model_client import StreamingModelClient as StreamingModelClient
    from .agents.model_client import TextDelta as TextDelta
    from .agents.module import AgentModule as AgentModule
    from .agents.runner import AgentRunner as AgentRunner
    from .agents.stream import RunChunk as RunChunk
    from .agents.stream import RunStream as RunStream
    from .approval import ToolPendingApprovalSignal as ToolPendingApprovalSignal
    from .approvals.approvals import Approvals as Approvals
    from .approvals.default import approve_tool as approve_tool
    from .approvals.default import default_approvals as default_approvals
    from .approvals.default import reject_tool as reject_tool
    from .approvals.errors import ApprovalConflictError as ApprovalConflictError
    from .approvals.errors import ApprovalError as ApprovalError
    from .approvals.errors import ApprovalLostError as ApprovalLostError
    from .approvals.errors import ApprovalStoreError as ApprovalStoreError
    from .approvals.memory import InMemoryApprovalStore as InMemoryApprovalStore
    from .approvals.records import Approval as Approval
    from .approvals.records import Decision as Decision
    from .approvals.store import ApprovalStore as ApprovalStore
    from .cache import CacheBackend as CacheBackend
    from .cache import InMemoryCacheBackend as InMemoryCacheBackend
    from .container.application import LaurenApp as LaurenApp
    from .container.application import LaurenFactory as LaurenFactory
    from .container.declaring import module as module
    from .container.declaring import post_construct as post_construct
    from .container.declaring import pre_destruct as pre_destruct
    from .container.declaring import use_class as use_class
    from .container.declaring import use_existing as use_existing
    from .container.declaring import use_factory as use_factory
    from .container.declaring import use_value as use_value
    from .container.errors import CircularDependencyError as CircularDependencyError
    from .container.errors import CircularModuleError as CircularModuleError
    from .container.errors import DestructError as DestructError
    from .container.errors import DestructTimeoutError as DestructTimeoutError
    from .container.errors import DIScopeViolationError as DIScopeViolationError
    from .container.errors import DuplicateBindingError as DuplicateBindingError
    from .container.errors import LifecycleError as LifecycleError
    from .container.errors import LifecycleViolationError as LifecycleViolationError
    from .container.errors import MetadataInheritanceError as MetadataInheritanceError
    from .container.errors import MissingProviderError as MissingProviderError
    from .container.errors import ModuleExportViolation as ModuleExportViolation
    from .container.errors import ModuleImportError as ModuleImportError
    from .container.errors import ProtocolAmbiguityError as ProtocolAmbiguityError
    from .container.errors import UnresolvableParameterError as UnresolvableParameterError
    from .container.resolving import DIContainer as DIContainer
    from .container.tokens import Inject as Inject
    from .container.tokens import OptionalDep as OptionalDep
    from .container.tokens import Token as Token
    from .context import ToolCallContext as ToolCallContext
    from .context import ToolContext as ToolContext
    from .context import get_tool_context_from_func_args as get_tool_context_from_func_args
    from .decorators import set_metadata as set_metadata
    from .decorators import tool as tool
    from .decorators import use_hooks as use_hooks
    from .errors import ArgumentError as ArgumentError
    from .errors import BuildMismatchError as BuildMismatchError
    from .errors import DecoratorUsageError as DecoratorUsageError
    from .errors import LaurenToolError as LaurenToolError
    from .errors import StartupError as StartupError
    from .errors import ToolExecutionError as ToolExecutionError
    from .errors import ToolInputError as ToolInputError
    from .errors import ToolNotFoundError as ToolNotFoundError
    from .errors import ToolSetupError as ToolSetupError
    from .errors import ToolTimeoutError as ToolTimeoutError
    from .executor import ToolExecutor as ToolExecutor
    from .hooks import AfterToolHookDecision as AfterToolHookDecision
    from .hooks import BeforeToolHookDecision as BeforeToolHookDecision
    from .hooks import ErrorToolHookDecision as ErrorToolHookDecision
    from .hooks import ToolHook as ToolHook
    from .injection import Scope as Scope
    from .injection import injectable as injectable
    from .loading import load_build as load_build
    from .marks import AGENT_META as AGENT_META
    from .marks import TOOL_META as TOOL_META
    from .marks import USE_TOOLS_META as USE_TOOLS_META
    from .marks import ToolMeta as ToolMeta
    from .redis_cache import RedisCacheBackend as RedisCacheBackend
    from .results import ToolCall as ToolCall
    from .results import ToolResult as ToolResult
    from .sqlite_cache import SQLiteCacheBackend as SQLiteCacheBackend
    from .table import Entry as Entry
    from .table import Table as Table

_HOME = {
    "AGENT_META": "marks",
    "AfterToolHookDecision": "hooks",
    "AgentConfig": "agents.config",
    "AgentConfigError": "agents.errors",
    "AgentContext": "agents.context",
    "AgentMeta": "agents.declaring",
    "AgentModule": "agents.module",
    "AgentResponse": "agents.context",
    "AgentRunner": "agents.runner",
    "Approval": "approvals.records",
    "ApprovalConflictError": "approvals.errors",
    "ApprovalError": "approvals.errors",
    "ApprovalLostError": "approvals.errors",
    "ApprovalStore": "approvals.store",
    "ApprovalStoreError": "approvals.errors",
    "Approvals": "approvals.approvals",
    "ArgumentError": "errors",
    "BeforeToolHookDecision": "hooks",
    "BuildMismatchError": "errors",
    "CacheBackend": "cache",
    "CircularDependencyError": "container.errors",
    "CircularModuleError": "container.errors",
    "ConversationStore": "agents.memory",
    "ConversationStoreError": "agents.errors",
    "DIContainer": "container.resolving",
    "DIScopeViolationError": "container.errors",
    "Decision": "approvals.records",
    "DecoratorUsageError": "errors",
    "DestructError": "container.errors",
    "DestructTimeoutError": "container.errors",
    "DuplicateBindingError": "container.errors",
    "Entry": "table",
    "ErrorToolHookDecision": "hooks",
    "IdempotencyLedger": "agents.ledger",
    "InMemoryApprovalStore": "approvals.memory",
    "InMemoryCacheBackend": "cache",
    "InMemoryConversationStore": "agents.memory",
    "Inject": "container.tokens",
    "LaurenApp": "container.application",
    "LaurenFactory": "container.application",
    "LaurenToolError": "errors",
    "LifecycleError": "container.errors",
    "LifecycleViolationError": "container.errors",
    "Message": "agents.messages",
    "MetadataInheritanceError": "container.errors",
    "MissingProviderError": "container.errors",
    "ModelClient": "agents.model_client",
    "ModelError": "agents.model_client",
    "ModelReply": "agents.model_client",
    "ModelRequest": "agents.model_client",
    "ModuleExportViolation": "container.errors",
    "ModuleImportError": "container.errors",
    "OptionalDep": "container.tokens",
    "ProtocolAmbiguityError": "container.errors",
    "RedisCacheBackend": "redis_cache",
    "RunChunk": "agents.stream",
    "RunStream": "agents.stream",
    "SQLiteCacheBackend": "sqlite_cache",
    "Scope": "injection",
    "ShortTermMemory": "agents.memory",
    "StartupError": "errors",
    "StreamingModelClient": "agents.model_client",
    "TOOL_META": "marks",
    "Table": "table",
    "TextDelta": "agents.model_client",
    "Token": "container.tokens",
    "TokenUsage": "agents.messages",
    "ToolCall": "results",
    "ToolCallContext": "context",
    "ToolContext": "context",
    "ToolConversationIntegrityError": "agents.errors",
    "ToolExecutionError": "errors",
    "ToolExecutor": "executor",
    "ToolHook": "hooks",
    "ToolInputError": "errors",
    "ToolMeta": "marks",
    "ToolNotFoundError": "errors",
    "ToolPendingApprovalSignal": "approval",
    "ToolResult": "results",
    "ToolSetupError": "errors",
    "ToolTimeoutError": "errors",
    "USE_TOOLS_META": "marks",
    "UnresolvableParameterError": "container.errors",
    "agent": "agents.declaring",
    "approve_tool": "approvals.default",
    "default_approvals": "approvals.default",
    "get_tool_context_from_func_args": "context",
    "injectable": "injection",
    "load_build": "loading",
    "module": "container.declaring",
    "post_construct": "container.declaring",
    "pre_destruct": "container.declaring",
    "reject_tool": "approvals.default",
    "set_metadata": "decorators",
    "tool": "decorators",
    "use_class": "container.declaring",
    "use_existing": "container.declaring",
    "use_factory": "container.declaring",
    "use_hooks": "decorators",
    "use_tools": "agents.declaring",
    "use_value": "container.declaring",
}


if not TYPE_CHECKING:  # type checkers read the imports above, and so see misspelt names
    __all__ = tuple(_HOME)

    def __getattr__(name: str) -> object:
        home = _HOME.get(name)
        if home is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(__import__(f"{__name__}.{home}", fromlist=(name,)), name)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
