"""Tools and the tool set: the waist of the compiler.

Front ends lower to a `ToolSet`; schemas, manifests, decoders and provider files are made from it alone. It is
frozen, totally ordered, has a JSON round trip (`ir/codec.py`) and no source expression in it; every element
carries a span, so that late phases can still point at the source.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import Protocol

from msgspec import Struct

from ..source.span import Span
from .agents import Agent
from .types import Default, Definition, Type
from .values import Factory, OwnDefault, Value


class ParameterKind(enum.StrEnum):
    """How the function takes a parameter."""

    POSITIONAL_ONLY = "positional_only"
    POSITIONAL_OR_KEYWORD = "positional_or_keyword"
    KEYWORD_ONLY = "keyword_only"


class Parameter(Struct, frozen=True):
    """One parameter that the model fills. `name` is Python's, `wire` the JSON key.

    `passed` is set where the default stands inside a `Field(...)`: the function would see the `Field` object, so the
    decoder passes this value when the argument is absent, or what this factory or the `Field` object makes. Else an
    absent argument is not passed and the function's own default holds.
    """

    name: str
    wire: str
    kind: ParameterKind
    type: Type
    required: bool
    default: Default | None
    passed: Value | Factory | OwnDefault | None
    description: str | None
    title: str | None
    span: Span


class Binding(enum.StrEnum):
    """How a table gets the tool's object: by import, or from `TABLE.bind(...)`."""

    IMPORT = "import"
    BIND = "bind"


class Form(enum.StrEnum):
    FUNCTION = "function"
    CLASS = "class"


class ContextParameter(Struct, frozen=True):
    """The parameter that receives the `ToolContext`.

    `position`, for a positional-only one: how many arguments a call passes before it (a method's receiver is none).
    """

    name: str
    kind: ParameterKind
    position: int | None = None


class Options(Struct, frozen=True):
    """The decorator's static options.

    `hooks` maps an option (`pre_hook`, …) to "module:qualname", or "inline" for a lambda or anything else that only the
    loaded object has. `metadata` is JSON text.
    """

    requires_confirmation: bool = False
    cache_ttl: float | int | None = None
    label: str | None = None
    timeout: float | int | None = None
    hooks: tuple[tuple[str, str], ...] = ()
    metadata: str | None = None


class Signature(Struct, frozen=True):
    """What the signature digest covers; None for a tool whose decorators may have changed the signature.

    `parameters` are (name, kind, has default) of all parameters the entry point has, `self` and the context included;
    kinds are those of `inspect.Parameter`, in lower case.
    """

    parameters: tuple[tuple[str, str, bool], ...]
    is_async: bool
    is_generator: bool


class Foreign(Struct, frozen=True):
    """What is particular to a tool that another framework's decorator makes.

    `decorator` is its qualified name. `function` are attributes of the decorated object: the first that is there is
    called; without any, the object itself. `injected` are parameters without a default that only the framework fills.
    """

    decorator: str
    function: tuple[str, ...] = ()
    injected: tuple[str, ...] = ()


class SourceLocation(Struct, frozen=True):
    """Where a tool stands: POSIX path from its source root, line of the `def` or `class`."""

    path: str
    line: int


class Tool(Struct, frozen=True):
    """A compiled tool.

    `extra` is the value type of `**kwargs` (None: the object is closed). `hidden` are parameters with a leading
    underscore: never taken from the model. `output` is the return type where it has a schema. `joined` says that a
    generator's items are texts, which make one text.
    """

    name: str
    description: str
    module: str
    qualname: str
    binding: Binding
    form: Form
    is_async: bool
    is_generator: bool
    parameters: tuple[Parameter, ...]
    extra: Type | None
    context: ContextParameter | None
    hidden: tuple[str, ...]
    output: Type | None
    options: Options
    signature: Signature | None
    source: SourceLocation
    span: Span
    joined: bool = False
    foreign: Foreign | None = None

    @property
    def order(self) -> tuple[str, str, str]:
        """Tools stand in this order everywhere."""
        return (self.name, self.module, self.qualname)


class Named(Protocol):
    """What a tool is called, and whether a table can import it."""

    @property
    def name(self) -> str: ...
    @property
    def binding(self) -> Binding: ...


class ToolSet(Struct, frozen=True, dict=True):
    """All that back ends get: tools in `Tool.order`, definitions by key in order of key, agents in `Agent.order`."""

    tools: tuple[Tool, ...]
    definitions: tuple[tuple[str, Definition], ...]
    agents: tuple[Agent, ...] = ()

    @cached_property
    def by_key(self) -> Mapping[str, Definition]:
        """The definition of each `Reference`."""
        return dict(self.definitions)

    @cached_property
    def shared_names(self) -> frozenset[str]:
        """The names, case-folded, that several importable tools have. Only tools of different agents may share one."""
        uses = Counter(tool.name.casefold() for tool in self.tools if tool.binding is Binding.IMPORT)
        return frozenset(name for name, count in uses.items() if count > 1)

    def is_its_agents_alone(self, tool: Named) -> bool:
        """Whether a tool shares its name, so that lists of its agents can hold it and no list of all tools."""
        shared = self.shared_names
        return bool(shared) and tool.binding is Binding.IMPORT and tool.name.casefold() in shared
