"""The configured decorators, found in the program: which definitions they are.

An entry is looked up as an import of it would be, so that every way to spell the decorator leads to the same
definition, whichever module re-exports it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ..diagnostics.model import Sink
from ..diagnostics.rules.configuration import INVALID_SETTING
from ..semantics.resolver import Resolver
from ..semantics.symbols import (
    ClassSymbol,
    DynamicSymbol,
    FunctionSymbol,
    KnownSymbol,
    ModuleSymbol,
    Symbol,
    Unresolved,
    ValueSymbol,
)
from ..source.span import Span
from ..syntax.declarations import Scope

if TYPE_CHECKING:
    from ..config.decorators import Decorator


class Listed(Struct, frozen=True):
    """An entry with what it was found to be. `injected` are the types whose parameters its framework fills."""

    entry: Decorator
    injected: tuple[Symbol, ...] = ()

    def injects(self, symbol: Symbol) -> bool:
        """Whether a type is one whose parameters the framework fills."""
        return identity(symbol) in {identity(each) for each in self.injected}


class Configured(Struct):
    """All entries that were found."""

    by_identity: dict[object, Listed] = field(default_factory=dict[object, Listed])
    bodies: set[int] = field(default_factory=set[int])
    """Ids of the scopes inside the decorators."""

    keepers: set[object] = field(default_factory=set[object])
    """The identities of those that make no tool and keep the signature."""
    in_classes: set[object] = field(default_factory=set[object])
    """The identities of those that are methods."""

    @property
    def words(self) -> frozenset[str]:
        """The last part of each entry's name."""
        return frozenset(each.entry.name.replace(":", ".").rpartition(".")[2] for each in self.by_identity.values())

    @property
    def methods(self) -> tuple[str, ...]:
        """The names of the entries that are methods."""
        return tuple(each.entry.name for key, each in self.by_identity.items() if key in self.in_classes)

    def listed(self, symbol: Symbol) -> Listed | None:
        """The entry that a symbol is the decorator of."""
        return self.by_identity.get(identity(symbol)) if self.by_identity else None

    def keeps(self, symbol: Symbol) -> bool:
        """Whether a decorator keeps the signature, as configured."""
        return identity(symbol) in self.keepers or self.listed(symbol) is not None

    def surrounds(self, scope: Scope) -> bool:
        """Whether a scope lies inside a configured decorator, whose own `tool(...)` makes no tool."""
        step: Scope | None = scope if self.bodies else None
        while step is not None:
            if id(step) in self.bodies:
                return True
            step = step.parent
        return False


def configured(entries: tuple[Decorator, ...], resolver: Resolver, sink: Sink) -> Configured:
    """The entries found; one that leads to nothing is reported at its place in the configuration."""
    found = Configured()
    for entry in entries:
        symbols = list(_definitions(entry.name, entry.span, resolver, sink, "decorator"))
        injected: list[Symbol] = []
        if entry.framework is not None:
            for name, span in zip(entry.framework.injected, entry.injected_spans, strict=True):
                injected.extend(_definitions(name, span, resolver, sink, "type"))
        if entry.keeper:
            found.keepers.update(map(identity, symbols))
            continue
        for symbol in symbols:
            found.by_identity[identity(symbol)] = Listed(entry, tuple(injected))
            if isinstance(symbol, (FunctionSymbol, ClassSymbol)):
                found.bodies.add(id(symbol.decl.body))
                if symbol.decl.scope.kind == "class":
                    found.in_classes.add(identity(symbol))
    return found


def identity(symbol: Symbol) -> object:
    """What two symbols have in common exactly if they mean one definition."""
    if isinstance(symbol, (FunctionSymbol, ClassSymbol)):
        return id(symbol.decl)
    if isinstance(symbol, ValueSymbol):
        return (id(symbol.scope), symbol.name)
    return symbol if isinstance(symbol, KnownSymbol) else None


def _definitions(name: str, span: Span, resolver: Resolver, sink: Sink, what: str) -> Iterator[Symbol]:
    """What a qualified name means; several definitions under conditions that can't be decided are all meant."""
    symbol = resolver.dealias(_look_up(name, span, resolver))
    if isinstance(symbol, Unresolved):
        found = symbol.diagnostic
        sink.add(INVALID_SETTING.at(span, f"{what} `{name}` is not found: {found.message}", help=found.help))
        return
    options = symbol.options if isinstance(symbol, DynamicSymbol) else (symbol,)
    named = [each for each in map(resolver.dealias, options) if identity(each) is not None]
    if not named:
        why = f"it is {symbol.why}" if isinstance(symbol, DynamicSymbol) else "it is a module"
        sink.add(INVALID_SETTING.at(span, f"`{name}` names no {what} that the source shows: {why}"))
    yield from named


def _look_up(name: str, span: Span, resolver: Resolver) -> Symbol:
    """The symbol of `module:qualname`; with dots only, the longest beginning that is a module is the module."""
    module, colon, qualname = name.partition(":")
    parts = qualname.split(".") if colon else []
    if not colon:
        words = name.split(".")
        cut = next((n for n in range(len(words) - 1, 0, -1) if resolver.module_exists(".".join(words[:n]))), 1)
        module, parts = ".".join(words[:cut]), words[cut:]
    if not resolver.module_exists(module):
        return resolver.missing_module(module, span)
    symbol: Symbol = ModuleSymbol(module)
    for part in parts:
        symbol = resolver.member(symbol, part, span)
    return symbol
