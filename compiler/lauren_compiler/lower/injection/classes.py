"""What a class is to the container: what constructs it, its hooks, its members, and why it can't be constructed."""

from __future__ import annotations

import collections.abc
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from ...ir.graph import ClassFacts, Hooks
from ...semantics.classes.kinds import ancestry, decorator_call
from ...semantics.classes.linearization import linearized
from ...semantics.resolver import Resolver
from ...semantics.symbols import KnownSymbol
from ...syntax.declarations import Assignment, ClassDecl, Definition, FunctionDecl
from ...syntax.expressions import Call, Constant, Subscript
from .plain import MAKING_CLASSES

_PROTOCOL = KnownSymbol("typing.Protocol")
_RUNTIME_CHECKABLE = "typing.runtime_checkable"
_ABSTRACT = KnownSymbol("abc.abstractmethod")
_HOOKS = {
    KnownSymbol("lauren.post_construct"): "post_construct",
    KnownSymbol("lauren.pre_destruct"): "pre_destruct",
}
_NO_CONSTRUCTOR = frozenset({"builtins.object", "abc.ABC", "typing.Protocol", "typing.Generic", "lauren.ToolHook"})
"""Bases that take nothing, and do nothing to what a class takes."""
_METHOD_DECORATORS = frozenset(
    """
    builtins.staticmethod builtins.classmethod abc.abstractmethod typing.final typing.override lauren.post_construct
    lauren.pre_destruct
    """.split()
)
_OF_EVERY_PROTOCOL = frozenset(
    """
    __abstractmethods__ __annotations__ __class_getitem__ __dict__ __doc__ __hash__ __init__ __match_args__ __module__
    __new__ __orig_bases__ __parameters__ __qualname__ __slots__ __subclasshook__ __type_params__ __weakref__
    """.split()
)
_ABC_PREFIX = "collections.abc."


class Constructor(Struct, frozen=True):
    """What takes a class's arguments: a method, the fields of a dataclass (`owner`), or nothing.

    `kind` is "unknown" where only running code could tell.
    """

    kind: Literal["nothing", "method", "dataclass", "unknown"]
    owner: ClassDecl
    method: FunctionDecl | None = None
    path: str = ""


class ClassReader:
    """Reads classes of one program."""

    def __init__(self, resolver: Resolver) -> None:
        self._resolver = resolver
        self._orders: dict[ClassDecl, tuple[ClassDecl, ...] | None] = {}
        self._linearized: dict[ClassDecl, tuple[ClassDecl, ...]] = {}

    def order(self, decl: ClassDecl) -> tuple[ClassDecl, ...] | None:
        """The class and its bases with source, as Python looks through them; None if that can't be known."""
        if decl not in self._orders:  # asked for many times: it may be long
            found = ancestry(decl, self._resolver)
            known = found.lost is None and not found.cycle
            self._orders[decl] = linearized(decl, self._resolver, self._linearized) if known else None
        return self._orders[decl]

    def constructor(self, decl: ClassDecl) -> Constructor:
        """What takes the arguments of a class."""
        order = self.order(decl)
        unknown = Constructor("unknown", decl)
        if order is None or any(self._has_other_metaclass(each) for each in order):
            return unknown
        if any("__signature__" in each.body.bindings for each in order):
            return unknown
        known = ancestry(decl, self._resolver).known - _NO_CONSTRUCTOR
        known = frozenset(name for name in known if not name.startswith(_ABC_PREFIX))
        initializer = next((each for each in order if self._initializes(each)), None)
        creator = next((each for each in order if "__new__" in each.body.bindings), None)
        if (initializer is not None and creator is not None) or (known and initializer is not decl):
            return unknown
        if any(not name.startswith("builtins.") for name in known):
            return unknown
        if initializer is not None and "__init__" not in initializer.body.bindings:
            return Constructor("dataclass", initializer) if self._is_dataclass(initializer) else unknown
        owner, path = (initializer, "__init__") if initializer is not None else (creator, "__new__")
        if owner is None:
            return Constructor("nothing", decl)
        method = self._method(owner, path)
        return unknown if method is None else Constructor("method", owner, method, path)

    def hooks(self, decl: ClassDecl) -> tuple[Hooks, list[FunctionDecl]] | None:
        """The hooks, those of bases first, and the methods that they are; None if they can't be known."""
        order = self.order(decl)
        if order is None:
            return None
        members: dict[str, FunctionDecl | None] = {}
        for owner in reversed(order):
            for name in owner.body.bindings:
                members[name] = self._function(owner, name)
        found: dict[str, list[str]] = {"post_construct": [], "pre_destruct": []}
        methods: list[FunctionDecl] = []
        for name, method in members.items():
            marks = [] if method is None else [self._hook_of(method, index) for index in range(len(method.decorators))]
            for kind in dict.fromkeys(each for each in reversed(marks) if each is not None):
                assert method is not None
                if not self._is_simple(method):
                    return None
                found[kind].append(name)
                methods.append(method)
        return Hooks(tuple(found["post_construct"]), tuple(found["pre_destruct"])), methods

    def is_protocol(self, decl: ClassDecl) -> bool:
        """Whether a class is a protocol, not one that follows it."""
        return any(self._resolver.base_symbol(base.expr, decl) == _PROTOCOL for base in decl.bases)

    def abstract(self, decl: ClassDecl) -> list[str] | None:
        """The methods that a class leaves undefined; None if that can't be known."""
        order = self.order(decl)
        if order is None:
            return None
        known = ancestry(decl, self._resolver).known
        from_library = {name.removeprefix(_ABC_PREFIX) for name in known if name.startswith(_ABC_PREFIX)}
        if not from_library and not known & {"abc.ABC", "typing.Protocol"} and not any(map(self._is_abc, order)):
            return []
        open_names = {name for kind in from_library for name in _abstract_of(kind)}
        for owner in reversed(order):
            for name in owner.body.bindings:
                method = self._function(owner, name)
                open_names.discard(name)
                if method is not None and self._is_decorated(method, _ABSTRACT):
                    open_names.add(name)
        return sorted(open_names)

    def facts(self, decl: ClassDecl) -> ClassFacts:
        """What structural look-up asks of a class."""
        order = self.order(decl)
        protocol = self.is_protocol(decl)
        runtime = protocol and decorator_call(decl, _RUNTIME_CHECKABLE, self._resolver)[0]
        if order is None:
            return ClassFacts(frozenset(), () if protocol else None, runtime, False)
        known = ancestry(decl, self._resolver).known - _NO_CONSTRUCTOR
        members: dict[str, bool] = dict.fromkeys(dir(object), True)
        for owner in reversed(order):
            members.update({name: not _is_none(owner, name) for name in owner.body.bindings})
        asks: tuple[str, ...] | None = None
        if protocol:
            named = [name for each in order if self.is_protocol(each) for name in each.body.bindings]
            asks = tuple(dict.fromkeys(name for name in named if name not in _OF_EVERY_PROTOCOL))
        return ClassFacts(frozenset(name for name, there in members.items() if there), asks, runtime, not known)

    def _initializes(self, decl: ClassDecl) -> bool:
        return "__init__" in decl.body.bindings or self._is_dataclass(decl) or self._is_made(decl)

    def _is_dataclass(self, decl: ClassDecl) -> bool:
        """Whether `@dataclass` writes the constructor."""
        found, call = decorator_call(decl, "dataclasses.dataclass", self._resolver)
        said = call.keyword("init") if call is not None else None
        return found and not (isinstance(said, Constant) and said.value is False)

    def _is_made(self, decl: ClassDecl) -> bool:
        """Whether another decorator writes the constructor."""
        others = MAKING_CLASSES - {"dataclasses.dataclass", "enum.unique"}
        return any(decorator_call(decl, name, self._resolver)[0] for name in others)

    def _has_other_metaclass(self, decl: ClassDecl) -> bool:
        metaclass = decl.keywords.get("metaclass")
        return metaclass is not None and not self._is_abc(decl)

    def _is_abc(self, decl: ClassDecl) -> bool:
        metaclass = decl.keywords.get("metaclass")
        if metaclass is None:
            return False
        symbol = self._resolver.dealias(self._resolver.resolve(metaclass.expr, decl.signature_scope))
        return symbol == KnownSymbol("abc.ABCMeta")

    def _method(self, owner: ClassDecl, name: str) -> FunctionDecl | None:
        """A method as it is defined; None if it is something else, or decorated with what may change it."""
        method = self._function(owner, name)
        return method if method is not None and self._is_simple(method) else None

    def _function(self, owner: ClassDecl, name: str) -> FunctionDecl | None:
        options = self._resolver.choice.options(owner.body, name, None)
        only = options[0] if len(options) == 1 else None
        found = only.decl if isinstance(only, Definition) else None
        return found if isinstance(found, FunctionDecl) else None

    def _is_simple(self, method: FunctionDecl) -> bool:
        return all(
            isinstance(symbol, KnownSymbol) and symbol.name in _METHOD_DECORATORS for symbol in self._decorators(method)
        )

    def _decorators(self, method: FunctionDecl) -> Iterator[object]:
        for each in method.decorators:
            target = each.expr.func if isinstance(each.expr, Call) else each.expr
            yield self._resolver.dealias(self._resolver.resolve(target, method.scope))

    def _is_decorated(self, method: FunctionDecl, known: KnownSymbol) -> bool:
        return known in list(self._decorators(method))

    def _hook_of(self, method: FunctionDecl, index: int) -> str | None:
        expr = method.decorators[index].expr
        if isinstance(expr, (Call, Subscript)):
            return None
        symbol = self._resolver.dealias(self._resolver.resolve(expr, method.scope))
        return _HOOKS.get(symbol) if isinstance(symbol, KnownSymbol) else None

    def takes_arguments(self, method: FunctionDecl) -> bool:
        """Whether a hook has parameters that nothing fills, besides its receiver."""
        static = self._is_decorated(method, KnownSymbol("builtins.staticmethod"))
        positional = [each for each in method.parameters if each.kind in ("positional_only", "positional_or_keyword")]
        keywords = [each for each in method.parameters if each.kind == "keyword_only"]
        behind = positional[0 if static else 1 :]
        takes_receiver = static or positional or any(each.kind == "var_positional" for each in method.parameters)
        return not takes_receiver or any(each.default is None for each in (*behind, *keywords))


def _abstract_of(kind: str) -> frozenset[str]:
    """The abstract methods of a class of `collections.abc`."""
    return getattr(getattr(collections.abc, kind, None), "__abstractmethods__", frozenset[str]())


def _is_none(owner: ClassDecl, name: str) -> bool:
    """`name = None` says that a class has none."""
    last = owner.body.bindings[name][-1]
    value = last.value.expr if isinstance(last, Assignment) and last.value is not None else None
    return isinstance(value, Constant) and value.value is None
