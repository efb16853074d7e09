"""Types that the configuration declares: what each name means, with the schema and converter given for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..config.model import DeclaredType
from ..diagnostics.model import Sink
from ..diagnostics.rules.configuration import INVALID_SETTING
from ..diagnostics.rules.names import NO_SOURCE
from ..ir.types import Stated
from ..ir.values import Factory
from ..source.span import Span
from .stated import problems, stated
from .symbols import (
    AliasSymbol,
    ClassSymbol,
    DeclaredSymbol,
    DynamicSymbol,
    FunctionSymbol,
    KnownSymbol,
    ModuleSymbol,
    Symbol,
    Unresolved,
    ValueSymbol,
)

if TYPE_CHECKING:
    from .resolver import Resolver
    from .types import TypeReader


class DeclaredTypes:
    """Declared types by what their name means, under whatever name it is reached."""

    def __init__(self) -> None:
        self._types: dict[str, Stated] = {}

    def add(self, symbol: Symbol, declared: Stated) -> None:
        if (identity := _identity(symbol)) is not None:
            self._types[identity] = declared

    def find(self, symbol: Symbol) -> Stated | None:
        """What is declared for a symbol, None if nothing is."""
        return self._types.get(_identity(symbol) or "") if self._types else None


def _identity(symbol: Symbol) -> str | None:
    if isinstance(symbol, ClassSymbol | FunctionSymbol):
        return symbol.decl.key
    if isinstance(symbol, AliasSymbol):
        return f"{symbol.decl.scope.module.file.module}:{symbol.decl.qualname}"
    if isinstance(symbol, ValueSymbol):
        return f"{symbol.scope.module.file.module}:{symbol.qualname}"
    if isinstance(symbol, DeclaredSymbol):
        return symbol.key
    return f"known {symbol.name}" if isinstance(symbol, KnownSymbol) else None


def declare(entries: Iterable[DeclaredType], types: TypeReader, sink: Sink) -> None:
    """Make the entries known to `types`; those with faults are reported at their place in the configuration."""
    for entry in entries:
        faults = problems(entry.schema)
        for path, text in faults:
            where = ".".join(("schema", *path))
            span = entry.span("schema", *path)
            sink.add(INVALID_SETTING.at(span, f"`{where}` is no part of a JSON Schema that can be used: {text}"))
        symbol, name = _named(entry, types.resolver, sink)
        converter = _converter(entry, types.resolver, sink)
        if faults or symbol is None or converter is False:
            continue
        module, _, qualname = name.partition(":")
        assert isinstance(entry.schema, dict)
        found = stated(entry.schema, module, qualname, entry.span(), types.definitions, converter=converter)
        if isinstance(symbol, (Unresolved, DynamicSymbol)):
            types.resolver.declared.add(name)
            symbol = DeclaredSymbol(name)
        types.declared.add(symbol, found)


def _named(entry: DeclaredType, resolver: Resolver, sink: Sink) -> tuple[Symbol | None, str]:
    """What the entry's name means, and that name as `module:name`; None, reported, if there is no such name."""
    symbol, name = _followed(entry.name, resolver, entry.span())
    if isinstance(symbol, ModuleSymbol):
        sink.add(INVALID_SETTING.at(entry.span(), f"`{entry.name}` is a module, no type"))
        return None, name
    if isinstance(symbol, Unresolved) and symbol.diagnostic.rule is not NO_SOURCE:
        found = symbol.diagnostic
        sink.add(
            INVALID_SETTING.at(entry.span(), f"nothing is called `{entry.name}`: {found.message}", help=found.help)
        )
        return None, name
    return symbol, name


def _followed(name: str, resolver: Resolver, span: Span) -> tuple[Symbol, str]:
    """A dotted name from the longest module it begins with; behind a colon no module is looked for."""
    module, colon, rest = name.partition(":")
    parts = name.replace(":", ".").split(".")
    longest = module.count(".") + 1 if colon else len(parts) - 1
    count = longest
    while not colon and count > 1 and not resolver.module_exists(".".join(parts[:count])):
        count -= 1
    symbol: Symbol = resolver.module(".".join(parts[:count]), span)
    for part in parts[count:]:
        symbol = resolver.member(symbol, part, span)
    return symbol, f"{'.'.join(parts[:count])}:{'.'.join(parts[count:])}"


def _converter(entry: DeclaredType, resolver: Resolver, sink: Sink) -> Factory | bool | None:
    """The converter, None if there is none; False, reported, if it is nothing that could be called."""
    if entry.converter is None:
        return None
    span = entry.span("converter")
    symbol, name = _followed(entry.converter, resolver, span)
    module, _, qualname = name.partition(":")
    if isinstance(symbol, Unresolved) and symbol.diagnostic.rule is not NO_SOURCE:
        found = symbol.diagnostic
        message = f"there is no converter `{entry.converter}`: {found.message}"
        sink.add(INVALID_SETTING.at(span, message, help=found.help))
        return False
    if isinstance(symbol, FunctionSymbol) and symbol.decl.is_async:
        sink.add(INVALID_SETTING.at(span, f"the converter `{entry.converter}` is async: decoding awaits nothing"))
        return False
    if isinstance(symbol, ModuleSymbol):
        sink.add(INVALID_SETTING.at(span, f"the converter `{entry.converter}` is a module"))
        return False
    return Factory(module, qualname)
