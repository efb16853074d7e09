"""What the stand-ins offer, and of what they do not offer, why: one row a module, one row a group of names.

A name means the runtime's own object of that name, unless `ELSEWHERE` says another.
"""

from __future__ import annotations

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
    "AgentRunnerBase",
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
_MODELS = ("Completion", "CompletionChunk", "LLMConfig", "LLMModule")
_CACHES = ("CacheBackend", "InMemoryCacheBackend")
_ERRORS = (
    "AgentConfigError",
    "DecoratorUsageError",
    "EmptyQueueError",
    "LaurenAIError",
    "ToolConversationIntegrityError",
    "ToolExecutionError",
    "TransportError",
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
    "LaurenError",
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
OFFERED: dict[str, tuple[str, ...]] = {
    "lauren_ai": (*_TOOLS, *_AGENTS, *_SIGNALS, *_CACHES, *_MODELS, "LaurenAIError", "SignalBus", "TransportError"),
    "lauren_ai._agents": (
        *("AGENT_META", "AgentContext", "AgentMeta", "AgentResponse", "USE_TOOLS_META", "agent", "use_tools"),
    ),
    "lauren_ai._agents._runner": ("AgentRunner", "AgentRunnerBase"),
    "lauren_ai._config": ("AgentConfig", "LLMConfig"),
    "lauren_ai._exceptions": _ERRORS,
    "lauren_ai._memory": ("ConversationStore", "ShortTermMemory"),
    "lauren_ai._memory._stores": ("InMemoryConversationStore",),
    "lauren_ai._module": ("AgentModule", "LLMModule"),
    "lauren_ai._signals": (*_SIGNALS, "SignalBus"),
    "lauren_ai._skills": _SKILLS,
    "lauren_ai._tools": (*_TOOLS, "IdempotencyLedger"),
    "lauren_ai._tools._executor": (*_CACHES, "ToolExecutionError", "ToolExecutor", "ToolPendingApprovalSignal"),
    "lauren_ai._tools._hooks": (
        *("AfterToolHookDecision", "BeforeToolHookDecision", "ErrorToolHookDecision", "ToolCallContext", "ToolHook"),
    ),
    "lauren_ai._tools._idempotency": ("IdempotencyLedger",),
    "lauren_ai._transport": (
        *("Completion", "CompletionCall", "CompletionChunk", "Message", "TokenUsage", "ToolCall", "ToolCallDelta"),
    ),
    "lauren_ai._transport._mock": ("MockTransport",),
    "lauren_ai.skills": _SKILLS,
    "lauren_ai.testing": ("AgentTestClient", "TestClient"),
    "lauren": (*_CONTAINER, *_EXCEPTIONS),
    "lauren.decorators": ("injectable", "module", "post_construct", "pre_destruct"),
    "lauren.exceptions": _EXCEPTIONS,
    "lauren.types": ("Scope",),
}
"""What each module offers."""

_HERE = "lauren_runtime.standin"
ELSEWHERE: dict[str, tuple[str, str]] = {
    "AgentRunnerBase": ("lauren_runtime", "AgentRunner"),
    "LaurenAIError": ("lauren_runtime", "LaurenToolError"),
    "LaurenError": ("lauren_runtime", "LaurenToolError"),
    "TransportError": ("lauren_runtime", "ModelError"),
    **{name: ("lauren_runtime.skills", name) for name in _SKILLS},
    **{name: (f"{_HERE}.models", name) for name in ("LLMConfig", "LLMModule")},
    **{
        name: (f"{_HERE}.transport", name)
        for name in "Completion CompletionCall CompletionChunk EmptyQueueError MockTransport ToolCallDelta".split()
    },
    "SignalBus": (f"{_HERE}.signals", "SignalBus"),
    "AgentTestClient": (f"{_HERE}.client", "AgentTestClient"),
    "TestClient": (f"{_HERE}.client", "AgentTestClient"),
}
"""Where a name comes from that the runtime has elsewhere, or under another name: module, name."""

_GROUPS: tuple[tuple[str, str, str], ...] = (
    (
        "use_knowledge_sources use_mcp_servers McpToolsRefreshed ToolProgressEvent USE_KB_SOURCES_META "
        "USE_MCP_SERVERS_META",
        "_knowledge mcp",
        "tools that are found only at run time (knowledge sources, MCP servers) are in no build",
    ),
    (
        "AgentMessage AgentMessageBus AgentMessageMiddleware AgentMessageRequestCompleted AgentMessageSent "
        "AgentMessageSerializer AgentMessageTransport AgentMessageType DeadLetterReason DeadLetterRecord "
        "DeliveryGuarantee DeliveryResult InMemoryAgentMessageTransport JSONAgentMessageSerializer MessageBusError "
        "MessageBusTimeoutError MessageRetryPolicy MessageSubscription MessageValidationError",
        "_messaging",
        "this runtime has no message bus of its own: give yours to `AgentRunner(message_bus=...)`",
    ),
    (
        "BriefCompiler LlmCompiler PassThroughCompiler ReturnMode SubagentCompleted SubagentConfig SubagentPool "
        "SubagentStarted SubagentTool TEAM_META TeamConfigError TeamCoordinatorDecision TeamEvent TeamFinalAnswer "
        "TeamMemory TeamMeta TeamResult TeamRunner TeamWorkerFinished TeamWorkerStarted TemplateCompiler team",
        "_subagent _teams _workflows _agents._compile",
        "this runtime runs single agents; a tool may run another agent with `ctx.runner.run(...)`",
    ),
    (
        "Chain ChatPromptTemplate CommaSeparatedListParser FewShotExample FewShotPromptTemplate JSONOutputParser "
        "MarkdownCodeBlockParser MaxRetryError OutputParserError PromptRenderError PromptTemplate "
        "PydanticOutputParser RegexParser RetryOutputParser Route RouteMatch RouterConfigError "
        "RouterNotCompiledError Runnable RunnableLambda SemanticRouter StrOutputParser StructuredLLM chain",
        "_chains _prompts _output_parsers _routing _transport._structured",
        "prompts, chains, parsers and routers have nothing to do with tools, and are not part of this runtime",
    ),
    (
        "BudgetExceededError CostEstimate CostReport CostSession CostTracker ModelPricing PricingTable RateLimiter "
        "RateLimitExhaustedError TokenBudget default_pricing_table",
        "_cost",
        "this runtime keeps no list of prices: give a function to `AgentRunner(prices=...)`, a limit to AgentConfig",
    ),
    (
        "GUARDRAIL_CLASS_META GuardrailClassMeta GuardrailContext GuardrailDecision GuardrailViolated InputGuardrail "
        "LLMGuardrail LengthFilter OutputGuardrail PIIRedactor PromptInjectionFilter TopicFilter "
        "USE_GUARDRAILS_META UseGuardrailsMeta guardrail use_guardrails",
        "_guardrails",
        "what may be called is for hooks (`use_hooks`) and approval; this runtime does not look into prompts",
    ),
    (
        "ConsoleTraceExporter FileTraceExporter InMemoryTraceExporter Span SpanKind Trace TraceExporter TraceStore "
        "TracingConfig TracingError get_trace_store set_trace_store traced",
        "_tracing _eval",
        "this runtime tells what happens in signals: `AgentModule.for_root(signals=...)`",
    ),
    (
        "InMemoryUserMemoryStore InMemoryVectorStore MemoryConfigError MemoryFact MemoryResult MemoryStore "
        "REMEMBER_META RememberMeta SQLiteConversationStore SQLiteStoreBackend SQLiteStoreConfig "
        "SQLiteUserMemoryStore SQLiteVectorStore StorageDependencyError StorageError UserMemoryStore remember",
        "_memory._in_memory_user _memory._remember _memory._sqlite _memory._user _memory._vector",
        "this runtime keeps conversations, no facts and vectors: write a `ConversationStore` (load, save, delete)",
    ),
    (
        "ToolCallRecord ToolConversationInvariantViolation ToolExchange ToolExchangeAborted ToolExchangeRepaired "
        "ToolHistoryIssue ToolHistoryReport ToolResultRecord ToolSerializationBlocked extract_tool_call_ids "
        "extract_tool_result_ids tool_exchange_event_id",
        "_memory._tool_integrity",
        "this runtime keeps conversations whole by itself, and raises ToolConversationIntegrityError where it can't",
    ),
    (
        "AnthropicBatchService AnthropicClient AnthropicMessagesService AnthropicModelsService AnthropicRequestOptions "
        "AudioContent ContentBlock ContentPart DocumentContent EmbedService Embedding ImageContent LLMService "
        "OpenAIClient OpenAIRealtimeService OpenAIRequestOptions OpenAIResponsesService PendingApproval "
        "ProviderCapabilities RedactedThinkingBlock RequestOptions ResponsesRequest ThinkingBlock ToolChoice Transport "
        "UnsupportedContentError estimate_message_tokens DEFAULT_CONTEXT_WINDOW MODEL_CONTEXT_WINDOWS "
        "context_window_for",
        "_providers _transport._anthropic _transport._multimodal _transport._ollama _transport._openai "
        "_transport._options",
        "this runtime asks models through `lauren_runtime.ModelClient`: see docs/writing-a-model-client.md",
    ),
    (
        "Agent Embed StreamCompletion ai_metrics_interceptor ai_rate_limit conversation_middleware requires_capability "
        "safety_guard SafetyPolicy token_budget_guard token_usage_response_interceptor",
        "_extractors _guards _interceptors _middleware _http",
        "it belongs to lauren's web framework, which this runtime does not have",
    ),
    (
        "AgentBudgetExceededError AgentContextOverflowError AgentMaxTurnsError AgentStepCommitted AgentStepStarted "
        "AgentStepInterrupted AgentStepRetryScheduled AuthTransportError EmbeddingGenerated EvalError "
        "KnowledgeLoadError ToolConfigError ToolConfirmationRejectedError ToolSchemaError TransientTransportError "
        "WorkflowError",
        "",
        "nothing here raises or tells it: limits end a run with a `stop_reason`, and a model that fails is ModelError",
    ),
    (
        "EventSink LifecycleEvent serialize",
        "",
        "a sink here is any callable that takes a signal: `AgentModule.for_root(signals=...)`",
    ),
    (
        "TOOL_METADATA USE_HOOKS_META ToolContextAdapter ToolSchema UnifiedToolContext canonical_tool_key "
        "generate_tool_schema type_to_json_schema __version__",
        "_tools._schema _tools._types_compat _tools._unified",
        "it is a part of how lauren-ai makes schemas as it runs; here the build has made them",
    ),
)
_WEB = "it is part of lauren's web framework; this runtime has its container alone"


def why_not(fullname: str) -> str | None:
    """Why a name or module of the real packages (`lauren_ai.Chain`) is not offered; None for others."""
    package, _, rest = fullname.partition(".")
    if package == "lauren":
        return _WEB if rest in _lauren() else None
    last = rest.rpartition(".")[2]
    for names, modules, reason in _GROUPS:
        inside = any(rest == each or rest.startswith(f"{each}.") for each in modules.split())
        if inside or last in names.split():
            return reason
    return None


def _lauren() -> frozenset[str]:
    from .web import NAMES

    return NAMES
