"""Dependency injection as the source tells it: modules, what they declare, and what makes an object of what.

What only running code would know is None, or False in an `is_known`; nothing that depends on it may be judged.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from ..source.span import Span

_OWN = frozenset(("lauren_runtime", "lauren_ai", "lauren"))
"""Packages of which the runtime tells names only, as most of what they have is known to the compiler by name."""
TokenKind = Literal["class", "function", "known", "text", "value", "token", "object", "list", "form"]


class Scope(enum.IntEnum):
    """How long an object lives, from narrow to wide."""

    TRANSIENT = 0
    REQUEST = 1
    SINGLETON = 2


class Token(Struct, frozen=True, eq=False):
    """What a provider is asked for by.

    `name`: "module:qualname" of a class, function or variable, the name of what needs no source, a text, or another
    value as Python shows it. A list has an `element`. `shown` is for messages; `defined` where it is written.
    """

    kind: TokenKind
    name: str
    element: Token | None = None
    shown: str = ""
    defined: Span | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Token) and self._key == other._key

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct's own looks at no `__eq__`

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[TokenKind, str, Token | None]:
        return (self.kind, self.name, self.element)

    @property
    def described(self) -> str | None:
        """The token as the runtime's container/described.py writes it; None if source can't tell that."""
        if self.kind in ("class", "function"):
            module, _, qualname = self.name.partition(":")
            return f"lauren:{qualname}" if module.partition(".")[0] in _OWN else self.name
        if self.kind in ("text", "token"):
            return self.shown
        if self.element is not None:
            element = self.element.described
            return None if element is None else f"list[{element}]"
        if self.kind == "value":
            return self.shown if self.name.lstrip("-").isdigit() or self.name == "None" else None
        is_told = self.kind == "known" and self.name.startswith(("builtins.", "lauren."))
        return self.name.replace(".", ":") if is_told else None


class Default(enum.Enum):
    """What a parameter gets if nothing provides what it asks for."""

    REQUIRED = "required"
    OMITTED = "omitted"
    """Nothing: its own default holds."""
    NONE = "none"
    POSITION = "position"
    """Its own default, passed: others may follow by position."""


class Need(Struct, frozen=True):
    """One thing that a provider needs.

    `token` is None if it can't be known. `name`: the parameter or attribute; `by_name` is False for an argument by
    position, whose own default is the `index`-th of the callable's, counted from the end. `collects`: all `multi`
    providers, as a list ("multi": only if that is what they are). `problem`: why an annotation means nothing as the
    sources run. `is_supplier`: something that gives the object each time, so that scopes do not matter.
    """

    token: Token | None
    span: Span
    where: str
    name: str
    by_name: bool = True
    collects: Literal["no", "list", "multi"] = "no"
    default: Default = Default.REQUIRED
    problem: str | None = None
    index: int = 0
    is_supplier: bool = False


class Hooks(Struct, frozen=True):
    """The names of the methods that are called when an object has been built, and before it goes."""

    post_construct: tuple[str, ...] = ()
    pre_destruct: tuple[str, ...] = ()


Produces = Literal["value", "awaitable", "generator", "async generator"]


class Construction(Struct, frozen=True):
    """How an object is made, of what.

    `parameters` are passed, `fields` set afterwards. `path` names the callable for its own defaults: "" the target
    itself, "__init__" or "__new__" of a class. `shape` is what the runtime compares; None if it can't be known.
    """

    parameters: tuple[Need, ...] = ()
    fields: tuple[Need, ...] = ()
    produces: Produces = "value"
    hooks: Hooks = Hooks()
    shape: str | None = None
    path: str = ""
    is_known: bool = True

    @property
    def needs(self) -> tuple[Need, ...]:
        return (*self.parameters, *self.fields)


class Provider(Struct, frozen=True, eq=False):
    """What makes an object. `what` is how the runtime describes the item of the module that declares it; None if the
    item can't be told from another. `construction` is None for an object that is given.
    """

    key: Token
    module: str
    span: Span
    what: str | None
    scope: Scope | None
    construction: Construction | None
    provides: tuple[Token, ...] = ()
    knows_tokens: bool = True
    multi: bool | None = False
    at_start: bool = False
    """Whether only the runtime knows how it is made, and reads it at start. `what` is how its description begins."""

    @property
    def keys(self) -> tuple[Token, ...]:
        """All tokens it is found by, its own first, each once."""
        return tuple(dict.fromkeys((self.key, *self.provides)))


class Alias(Struct, frozen=True, eq=False):
    """`use_existing`: one more token for another; `target` is None if that can't be known."""

    key: Token
    module: str
    span: Span
    what: str | None
    target: Token | None


class Unusable(Struct, frozen=True, eq=False):
    """What no provider could be made of: reported, and nothing else is said of it."""

    key: Token
    module: str
    span: Span


Entry: TypeAlias = Provider | Alias | Unusable


class Named(Struct, frozen=True):
    """A token, or a module, where one is named."""

    token: Token
    span: Span


class Module(Struct, frozen=True):
    """A module. The `knows_…` are False where a list can't be known in full. `path` and `line` are its class's."""

    name: str
    shown: str
    span: Span
    declares: tuple[Entry, ...]
    imports: tuple[Named, ...]
    exports: tuple[Named, ...]
    knows_declared: bool = True
    knows_imports: bool = True
    knows_exports: bool = True
    line: int = 0
    path: str = ""
    made: str | None = None
    """What the runtime calls it, where a call of the runtime's makes it."""

    @property
    def token(self) -> Token:
        return Token("class", self.name, None, self.shown, self.span)


class ClassFacts(Struct, frozen=True):
    """What structural look-up asks of a class: its `members`, those a protocol asks for, and whether all are known."""

    members: frozenset[str]
    asks: tuple[str, ...] | None
    is_runtime_protocol: bool
    is_known: bool


class Root(Struct, frozen=True):
    """A module that an application is made of. `knows_globals` is False where global providers may be added."""

    name: str
    knows_globals: bool = True


class Graph(Struct, frozen=True, dict=True):
    """All modules that roots reach, by name, and the classes that are tokens."""

    roots: tuple[Root, ...]
    modules: Mapping[str, Module]
    classes: Mapping[str, ClassFacts]
    runners: frozenset[str] = frozenset()
    """Classes that `AgentRunner` stands for, which is found by its subclasses."""
    broken: frozenset[str] = frozenset()
    """Modules that import what is none: applications with such are not looked at any further."""


EMPTY = Graph((), {}, {})

Source: TypeAlias = Provider | tuple[Provider, ...] | None
"""What fills a need: one object, a list of them, or nothing (what then happens, the need's `default` says)."""


class Application(Struct, frozen=True, eq=False):
    """A root whose graph is known in full and sound: its modules, imports first, what fills the needs of each provider,
    in their order, and `again`: what is listed a second time in its module, and what it was the first time.
    """

    root: str
    modules: tuple[Module, ...]
    sources: Mapping[Provider, tuple[Source, ...]]
    again: Mapping[Provider, Provider]
