"""Enums made by a call: `Enum("Color", "RED GREEN")`, from names, pairs or a dict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import EnumDefinition
from ...ir.values import Constant, Mapping, Sequence, Value
from ...syntax.declarations import Scope
from ...syntax.expressions import Call, Keyword
from ..constants import NotConstant
from ..symbols import KnownSymbol, ValueSymbol
from .class_calls import is_local
from .enums import MIXINS, Members, next_value
from .kinds import FLAG_BASES

if TYPE_CHECKING:
    from ..types import TypeReader

_CALL_WORDS = ("value", "names", "type", "module", "qualname", "start")


def read_enum_call(
    types: TypeReader, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]
) -> EnumDefinition | None:
    """`Color = Enum("Color", "RED GREEN")`, a list of names, of pairs, or a dict."""
    file = symbol.scope.module.file
    span = file.span(call.pos)
    if is_local(types, symbol, call, via):
        return None
    names = call.args[1] if len(call.args) > 1 else call.keyword("names")
    given = types.constants.evaluate(names, symbol.scope) if names is not None else None
    mixins = {_known_base(types, word, symbol.scope) for word in call.keywords if word.name == "type"}
    start = _start(types, call, symbol.scope)
    pairs = _pairs(given, name, start) if start is not None and (start == 1 or name not in FLAG_BASES) else None
    once = pairs is not None and len({key for key, _ in pairs}) == len(pairs)
    if pairs is None or not once or any(word.name not in _CALL_WORDS for word in call.keywords):
        message = f"the members of enum `{symbol.name}` can't be known from the source"
        types.sink.add(rules.INVALID_CLASS.at(span, message, labels=via))
        return None
    reader = Members(types, symbol.name, symbol.scope, frozenset({name, *mixins}), via)
    members = reader.finish([(key, value, call.pos) for key, value in pairs])
    if members is None:
        return None
    key = f"{file.module}:{symbol.qualname}"
    types.classes.aliases[key] = reader.aliases
    if not reader.known & {*MIXINS}:
        types.classes.plain_enums.add(key)
    return EnumDefinition(file.module, symbol.qualname, members, None, name in FLAG_BASES, span)


def _start(types: TypeReader, call: Call, scope: Scope) -> int | None:
    """The first of the numbers that are counted; None if it can't be known."""
    given = call.keyword("start")
    value = types.constants.evaluate(given, scope) if given is not None else Constant(1)
    return value.value if isinstance(value, Constant) and isinstance(value.value, int) else None


def _known_base(types: TypeReader, word: Keyword, scope: Scope) -> str:
    symbol = types.resolver.dealias(types.resolver.resolve(word.value, scope))
    return symbol.name if isinstance(symbol, KnownSymbol) else ""


def _pairs(given: Value | NotConstant | None, base: str, start: int) -> list[tuple[str, Value]] | None:
    if isinstance(given, Mapping):
        pairs = given.items
    elif isinstance(given, Sequence) and all(
        isinstance(item, Sequence) and len(item.items) == 2 for item in given.items
    ):
        pairs = tuple((item.items[0], item.items[1]) for item in given.items if isinstance(item, Sequence))
    else:
        return _counted(given, base, start)
    found = [(key.value, value) for key, value in pairs if isinstance(key, Constant) and isinstance(key.value, str)]
    return found if len(found) == len(pairs) else None


def _counted(given: Value | NotConstant | None, base: str, start: int) -> list[tuple[str, Value]] | None:
    """Names alone: their values are those of `auto()`, from `start` on."""
    if isinstance(given, Constant) and isinstance(given.value, str):
        names = given.value.replace(",", " ").split()
    elif isinstance(given, Sequence):
        names = [item.value for item in given.items if isinstance(item, Constant) and isinstance(item.value, str)]
        if len(names) != len(given.items):
            return None
    else:
        return None
    values: list[Constant] = []
    for name in names:
        counted = next_value(name, values, frozenset({base}))
        values.append(counted if values or isinstance(counted.value, str) else Constant(start))
    return list(zip(names, values, strict=True))
