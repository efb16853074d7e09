"""Names that are understood without reading their source: Python's own types, and what the tool system provides.

A known name has one canonical spelling, whatever module it was imported from: `typing_extensions.Literal` is
`typing.Literal`, and `tool` of any of the tool system's modules is `lauren.tool`.
"""

from __future__ import annotations

from . import typeshed

TYPING = frozenset(
    """
    AbstractSet Annotated Any AnyStr AsyncContextManager AsyncGenerator AsyncIterable AsyncIterator Awaitable BinaryIO
    Buffer ByteString Callable Capsule ChainMap ClassVar CapsuleType Collection Concatenate Container ContextManager
    Coroutine Counter DefaultDict Deque Dict Doc EXCLUDED_ATTRIBUTES Final ForwardRef Format FrozenSet Generator Generic
    GenericAlias Hashable IO ItemsView Iterable Iterator KeysView List Literal LiteralString Mapping MappingView Match
    MutableMapping MutableSequence MutableSet NamedTuple Never NewType NoDefault NoExtraItems NoReturn NotRequired
    Optional OrderedDict ParamSpec ParamSpecArgs ParamSpecKwargs Pattern Protocol ReadOnly Required Reversible Self
    Sentinel Sequence Set Sized SupportsAbs SupportsBytes SupportsComplex SupportsFloat SupportsIndex SupportsInt
    SupportsRound TYPE_CHECKING Text TextIO Tuple Type TypeAlias TypeAliasType TypeForm TypeGuard TypeIs TypeVar
    TypeVarTuple TypedDict Union Unpack ValuesView assert_never assert_type cast clear_overloads dataclass_transform
    deprecated disjoint_base evaluate_forward_ref final get_annotations get_args get_original_bases get_origin
    get_overloads get_protocol_members get_type_hints is_protocol is_typeddict no_type_check no_type_check_decorator
    overload override reveal_type runtime runtime_checkable type_repr
    """.split()
)

BUILTINS = frozenset(
    """
    ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError
    BufferError BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError
    ConnectionResetError DeprecationWarning EOFError Ellipsis EncodingWarning EnvironmentError Exception ExceptionGroup
    False FileExistsError FileNotFoundError FloatingPointError FutureWarning GeneratorExit IOError ImportError
    ImportWarning IndentationError IndexError InterruptedError IsADirectoryError KeyError KeyboardInterrupt LookupError
    MemoryError ModuleNotFoundError NameError None NotADirectoryError NotImplemented NotImplementedError OSError
    OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError RecursionError
    ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError
    SyntaxWarning SystemError SystemExit TabError TimeoutError True TypeError UnboundLocalError UnicodeDecodeError
    UnicodeEncodeError UnicodeError UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning
    ZeroDivisionError __build_class__ __debug__ __doc__ __import__ __loader__ __name__ __package__ __spec__ abs aiter
    all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits
    delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex
    id input int isinstance issubclass iter len license list locals map max memoryview min next object oct open ord pow
    print property quit range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars
    zip
    """.split()
)

COLLECTIONS_ABC = frozenset(
    """
    AsyncGenerator AsyncIterable AsyncIterator Awaitable Buffer ByteString Callable Collection Container Coroutine
    Generator Hashable ItemsView Iterable Iterator KeysView Mapping MappingView MutableMapping MutableSequence
    MutableSet Reversible Sequence Set Sized ValuesView
    """.split()
)

_TOOL_SYSTEM = frozenset(
    """
    AfterToolHookDecision BeforeToolHookDecision CacheBackend DecoratorUsageError ErrorToolHookDecision
    InMemoryCacheBackend TOOL_META ToolCall ToolCallContext ToolContext ToolExecutionError ToolExecutor ToolHook
    ToolPendingApprovalSignal ToolResult get_tool_context_from_func_args set_metadata tool use_hooks
    """.split()
)
_SIGNALS = frozenset(
    """
    AgentRunComplete AgentTurnComplete ModelCallComplete ModelCallStarted ToolApprovalResolved ToolCallComplete
    ToolCallStarted ToolExchangeCommitted ToolExchangeResultRecorded ToolExchangeStarted ToolPendingApproval
    """.split()
)
_MODELS = frozenset({"LLMConfig", "LLMModule"})
_RUNTIME_ONLY = frozenset(
    """
    Approval ApprovalConflictError ApprovalError ApprovalLostError ApprovalStore ApprovalStoreError Approvals
    ArgumentError BuildMismatchError ConversationStoreError Decision Entry InMemoryApprovalStore LaurenToolError
    ModelClient ModelError ModelReply ModelRequest ModuleImportError Native RedisApprovalStore RedisCacheBackend
    RunChunk RunStream SQLiteApprovalStore SQLiteCacheBackend Signal StreamingModelClient Table TextDelta
    ToolInputError ToolMeta ToolNotFoundError ToolSetupError ToolTimeoutError
    approve_tool default_approvals load_build reject_tool
    """.split()
)
_AGENTS = frozenset(
    """
    AGENT_META AgentConfig AgentConfigError AgentContext AgentMeta AgentModule AgentResponse AgentRunner
    ConversationStore IdempotencyLedger InMemoryConversationStore Message ShortTermMemory TokenUsage
    ToolConversationIntegrityError USE_TOOLS_META agent use_tools
    """.split()
)
_CONTAINER = frozenset(
    """
    DIContainer Inject LaurenApp LaurenFactory OptionalDep Scope Token injectable module post_construct pre_destruct
    use_class use_existing use_factory use_value
    """.split()
)
_CONTAINER_ERRORS = frozenset(
    """
    CircularDependencyError CircularModuleError DIScopeViolationError DecoratorUsageError DestructError
    DestructTimeoutError DuplicateBindingError LifecycleError LifecycleViolationError MetadataInheritanceError
    MissingProviderError ModuleExportViolation ProtocolAmbiguityError StartupError UnresolvableParameterError
    """.split()
)

_TYPES = frozenset(
    """
    AsyncGeneratorType BuiltinFunctionType BuiltinMethodType CellType ClassMethodDescriptorType CodeType CoroutineType
    DynamicClassAttribute EllipsisType FrameType FunctionType GeneratorType GenericAlias GetSetDescriptorType LambdaType
    MappingProxyType MemberDescriptorType MethodDescriptorType MethodType MethodWrapperType ModuleType
    NotImplementedType SimpleNamespace TracebackType WrapperDescriptorType
    """.split()
)
_CONTEXT_VARIABLES = frozenset({"Context", "ContextVar", "Token"})
_STREAMS = frozenset(
    """
    BufferedIOBase BufferedRWPair BufferedRandom BufferedReader BufferedWriter BytesIO FileIO IOBase RawIOBase StringIO
    TextIOBase TextIOWrapper
    """.split()
)
WITHOUT_DATA = frozenset(
    [
        *(f"types.{name}" for name in _TYPES),
        *(f"contextvars.{name}" for name in _CONTEXT_VARIABLES),
        *(f"io.{name}" for name in _STREAMS),
        "asyncio.Future",
        "asyncio.Task",
    ]
)
"""Classes of the standard library whose source is compiled or computed (`type(sys)`), and whose objects are no data."""
_PYDANTIC = frozenset(
    """
    AfterValidator AliasChoices AliasGenerator AliasPath AllowInfNan AmqpDsn AnyHttpUrl AnyUrl AnyWebsocketUrl
    AwareDatetime Base64Bytes Base64Str Base64UrlBytes Base64UrlStr BaseModel BeforeValidator ByteSize ClickHouseDsn
    CockroachDsn ConfigDict DirectoryPath Discriminator EmailStr EncodedBytes EncodedStr FailFast Field FilePath
    FileUrl FiniteFloat FtpUrl FutureDate FutureDatetime GetPydanticSchema HttpUrl IPvAnyAddress IPvAnyInterface
    IPvAnyNetwork ImportString InstanceOf Json JsonValue KafkaDsn MariaDBDsn MongoDsn MySQLDsn NaiveDatetime
    NameEmail NatsDsn NegativeFloat NegativeInt NewPath NonNegativeFloat NonNegativeInt NonPositiveFloat
    NonPositiveInt OnErrorOmit PastDate PastDatetime PaymentCardNumber PlainSerializer PlainValidator PositiveFloat
    PositiveInt PostgresDsn PrivateAttr RedisDsn RootModel Secret SecretBytes SecretStr SerializeAsAny
    SkipValidation SnowflakeDsn SocketPath Strict StrictBool StrictBytes StrictFloat StrictInt StrictStr
    StringConstraints Tag UUID1 UUID3 UUID4 UUID5 UUID6 UUID7 UUID8 UrlConstraints ValidateAs WebsocketUrl
    WithJsonSchema WrapSerializer WrapValidator computed_field conbytes condate condecimal confloat confrozenset
    conint conlist conset constr create_model field_serializer field_validator model_serializer model_validator
    validate_call with_config
    """.split()
)

_PYDANTIC_MODULES = (
    *("config", "fields", "functional_serializers", "functional_validators"),
    *("main", "networks", "root_model", "types"),
)

_ATTRS = frozenset("Converter Factory NOTHING define field frozen make_class mutable".split())
_ATTRS_VALIDATORS = frozenset("and_ ge gt in_ le lt matches_re max_len min_len optional".split())
_ATTRS_CONVERTERS = frozenset("default_if_none optional pipe to_bool".split())

_MODULES: dict[str, tuple[str, frozenset[str]]] = {
    "builtins": ("builtins", BUILTINS),
    "typing": ("typing", TYPING),
    "typing_extensions": ("typing", TYPING),
    "collections.abc": ("collections.abc", COLLECTIONS_ABC),
    "collections": ("collections", frozenset("ChainMap Counter OrderedDict defaultdict deque namedtuple".split())),
    "enum": (
        "enum",
        frozenset("Enum EnumMeta EnumType Flag IntEnum IntFlag ReprEnum StrEnum auto member nonmember unique".split()),
    ),
    "dataclasses": ("dataclasses", frozenset("KW_ONLY MISSING InitVar dataclass field make_dataclass".split())),
    "functools": ("functools", frozenset("cache lru_cache partial wraps".split())),
    "abc": ("abc", frozenset("ABC ABCMeta abstractmethod".split())),
    "datetime": ("datetime", frozenset("date datetime time timedelta timezone tzinfo UTC".split())),
    "decimal": ("decimal", frozenset({"Decimal"})),
    "fractions": ("fractions", frozenset({"Fraction"})),
    "uuid": ("uuid", frozenset({"UUID"})),
    "pathlib": ("pathlib", frozenset("Path PosixPath PurePath PurePosixPath PureWindowsPath WindowsPath".split())),
    "ipaddress": (
        "ipaddress",
        frozenset("IPv4Address IPv4Interface IPv4Network IPv6Address IPv6Interface IPv6Network".split()),
    ),
    "math": ("math", frozenset("e inf nan pi tau".split())),
    "re": ("re", frozenset({"Pattern", "Match"})),
    "sys": ("sys", frozenset("modules platform version_info".split())),
    "os": ("os", frozenset("PathLike name".split())),
    "types": ("types", frozenset({"NoneType", "UnionType"}) | _TYPES),
    "contextvars": ("contextvars", _CONTEXT_VARIABLES),
    "_contextvars": ("contextvars", _CONTEXT_VARIABLES),
    "io": ("io", _STREAMS),
    "_io": ("io", _STREAMS),
    "_asyncio": ("asyncio", frozenset({"Future", "Task"})),
    "pydantic": ("pydantic", _PYDANTIC),
    **{f"pydantic.{module}": ("pydantic", _PYDANTIC) for module in _PYDANTIC_MODULES},
    "pydantic.aliases": ("pydantic", frozenset("AliasChoices AliasGenerator AliasPath".split())),
    "pydantic.alias_generators": ("pydantic.alias_generators", frozenset("to_camel to_pascal to_snake".split())),
    "pydantic.json_schema": ("pydantic.json_schema", frozenset("Examples SkipJsonSchema WithJsonSchema".split())),
    "pydantic.validate_call_decorator": ("pydantic", frozenset({"validate_call"})),
    "pydantic.dataclasses": ("pydantic.dataclasses", frozenset({"dataclass"})),
    "attr": ("attrs", _ATTRS | frozenset("attr attrib attributes attrs dataclass ib s".split())),
    "attr.validators": ("attrs.validators", _ATTRS_VALIDATORS),
    "attr.converters": ("attrs.converters", _ATTRS_CONVERTERS),
    "attrs": ("attrs", _ATTRS),
    "attrs.validators": ("attrs.validators", _ATTRS_VALIDATORS),
    "attrs.converters": ("attrs.converters", _ATTRS_CONVERTERS),
    "msgspec": ("msgspec", frozenset("Meta NODEFAULT Raw Struct UNSET UnsetType defstruct field".split())),
    "annotated_types": (
        "annotated_types",
        frozenset("Ge Gt Interval Le Len Lt MaxLen MinLen MultipleOf Predicate Timezone Unit doc".split()),
    ),
    "lauren_runtime": ("lauren", _TOOL_SYSTEM | _AGENTS | _SIGNALS | _RUNTIME_ONLY | _CONTAINER | _CONTAINER_ERRORS),
    "lauren_ai": ("lauren", _TOOL_SYSTEM | _AGENTS | _SIGNALS | _MODELS),
    "lauren_ai._agents": ("lauren", _AGENTS),
    "lauren_ai._config": ("lauren", frozenset({"AgentConfig", "LLMConfig"})),
    "lauren_ai._module": ("lauren", frozenset({"AgentModule", "LLMModule"})),
    "lauren_ai._signals": ("lauren", _SIGNALS),
    "lauren_ai._tools": ("lauren", _TOOL_SYSTEM),
    "lauren": ("lauren", _CONTAINER | _CONTAINER_ERRORS),
    "lauren.exceptions": ("lauren", _CONTAINER_ERRORS),
}

CLOSED = frozenset({"builtins", "typing", "typing_extensions", "collections.abc"})
"""Modules all of whose names are in the table: anything else is a misspelling."""

TOOL_SYSTEM_MODULES = frozenset(name for name in _MODULES if name.partition(".")[0].startswith("lauren"))
"""Modules that need not be installed: their names are understood, and what they do not have is said."""

STOOD_IN = {"lauren_ai.skills": "lauren_runtime.skills", "lauren_ai._skills": "lauren_runtime.skills"}
"""Modules with source of their own that `lauren_runtime.standin` provides where lauren-ai is not installed."""

_PACKAGES = frozenset(name[:place] for name in _MODULES for place, letter in enumerate(name) if letter == ".")
"""The modules that have submodules there."""

_WITHOUT_SOURCE = frozenset({"sys", "builtins", "typing_extensions", *TOOL_SYSTEM_MODULES})


def known_name(module: str, name: str) -> str | None:
    """The canonical name of `module.name`, None if it is not in the tables."""
    if typeshed.is_typeshed(module):
        return typeshed.typeshed_name(module, name)
    entry = _MODULES.get(module)
    if entry is None or name not in entry[1]:
        return None
    if name in COLLECTIONS_ABC and module in ("typing", "typing_extensions") and name not in ("Set", "Callable"):
        return f"collections.abc.{name}"
    return f"{entry[0]}.{name}"


def known_module(module: str) -> bool:
    """Whether a module is in the tables, or has a submodule there."""
    return module in _MODULES or module in _PACKAGES or typeshed.is_typeshed(module)


def exists_without_source(module: str) -> bool:
    """Whether a module counts as found though no file of it is."""
    return module in _WITHOUT_SOURCE


def known_names(module: str) -> frozenset[str]:
    """All names of `module` in the tables, for suggestions."""
    entry = _MODULES.get(module)
    return entry[1] if entry else frozenset()
