"""Types that the configuration declares: what each name means, with the schema and converter given for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from ..config.model import DeclaredType
from ..diagnostics.model import Sink
from ..diagnostics.rules.configuration import INVALID_SETTING
from ..diagnostics.rules.names import NO_SOURCE
from ..ir.types import Stated
from ..ir.values import Factory
from ..source.span import Span
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
        from .stated import problems, stated  # which it takes only where types are declared

        faults = problems(entry.schema)
        for path, text in faults:
            where = ".".join(("schema", *path))
            span = entry.span("schema", *path)
            sink.add(INVALID_SETTING.at(span, f"`{where}` is no part of a JSON Schema that can be used: {text}"))
        symbol, name = _named(entry, types.resolver, sink)
        converter, wrong, help = _converter(entry, types.resolver)
        if wrong:
            sink.add(INVALID_SETTING.at(entry.span("converter"), wrong, help=help))
        if faults or symbol is None or wrong:
            continue
        module, _, qualname = name.partition(":")
        schema = cast("dict[str, Any]", entry.schema)  # it has no problems, so it is one
        origin = Factory(module, qualname)
        found = stated(schema, module, qualname, entry.span(), types.definitions, converter=converter, origin=origin)
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
    given, colon, _ = name.partition(":")
    parts = name.replace(":", ".").split(".")
    count = given.count(".") + 1 if colon else len(parts) - 1
    while not colon and count > 1 and not resolver.module_exists(".".join(parts[:count])):
        count -= 1
    symbol: Symbol = resolver.module(".".join(parts[:count]), span)
    for part in parts[count:]:
        symbol = resolver.member(symbol, part, span)
    return symbol, f"{'.'.join(parts[:count])}:{'.'.join(parts[count:])}"


def _converter(entry: DeclaredType, resolver: Resolver) -> tuple[Factory | None, str, str | None]:
    """The converter if the entry names one; what is wrong with it, and the help for that."""
    if entry.converter is None:
        return None, "", None
    symbol, name = _followed(entry.converter, resolver, entry.span("converter"))
    module, _, qualname = name.partition(":")
    shown = f"the converter `{entry.converter}`"
    if isinstance(symbol, Unresolved) and symbol.diagnostic.rule is not NO_SOURCE:
        return None, f"there is no {shown[4:]}: {symbol.diagnostic.message}", symbol.diagnostic.help
    if isinstance(symbol, FunctionSymbol) and symbol.decl.is_async:
        return None, f"{shown} is async: decoding awaits nothing", None
    if isinstance(symbol, ModuleSymbol):
        return None, f"{shown} is a module", None
    return Factory(module, qualname), "", None
