"""Enums: members and their values as the `enum` module would make them, without running it.

Rules of the `enum` documentation: plain assignments in the class body are members, except names with leading
underscores, descriptors and nested classes; `auto()` counts on; a member with the value of an earlier one is an alias.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import EnumDefinition
from ...ir.values import Constant, Mapping, Sequence, Value
from ...source.file import Pos
from ...syntax.declarations import Assignment, ClassDecl, Scope
from ...syntax.expressions import Call, Expr, Keyword
from ..constants import NotConstant
from ..symbols import ClassSymbol, FunctionSymbol, KnownSymbol, ValueSymbol
from .kinds import FLAG_BASES, Ancestry

if TYPE_CHECKING:
    from ..types import TypeReader

_AUTO = "enum.auto"
_MIXINS = ("builtins.str", "builtins.int", "builtins.float")
_IMPLIED = {"enum.IntEnum": "builtins.int", "enum.IntFlag": "builtins.int", "enum.StrEnum": "builtins.str"}
_CUSTOM = ("__new__", "_generate_next_value_", "_value_")


def read_enum(types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]) -> EnumDefinition | None:
    """The definition of an enum class; None, reported, if a member's value can't be known or has no JSON form."""
    custom = next(((owner, name) for owner in found.classes for name in _CUSTOM if name in owner.body.bindings), None)
    if custom is not None:
        owner, name = custom
        span = owner.scope.module.file.span(owner.name_pos)
        message = f"the values of enum `{decl.name}` can't be known: it defines `{name}`"
        types.sink.add(rules.INVALID_CLASS.at(span, message, labels=via))
        return None
    declared = [(item.name, item.value.expr, item.pos) for item in _assignments(types, decl) if item.value is not None]
    if not declared:
        span = decl.scope.module.file.span(decl.name_pos)
        types.sink.add(rules.INVALID_CLASS.at(span, f"enum `{decl.name}` has no members", labels=via))
        return None
    reader = _Members(types, decl.name, decl.body, found.known, via)
    members = reader.read(declared)
    text = inspect.cleandoc(decl.docstring.text) or None if decl.docstring else None
    file = decl.scope.module.file
    if members is None:
        return None
    flag = bool(found.known & FLAG_BASES)
    return EnumDefinition(file.module, decl.qualname, members, text, flag, file.span(decl.name_pos))


def read_enum_call(
    types: TypeReader, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]
) -> EnumDefinition | None:
    """`Color = Enum("Color", "RED GREEN")`, a list of names, of pairs, or a dict."""
    file = symbol.scope.module.file
    span = file.span(call.pos)
    if "<locals>" in symbol.qualname:
        message = f"`{symbol.name}` is defined inside a function, where a decoder can't import it from"
        types.sink.add(rules.LOCAL_CLASS.at(span, message, labels=via))
        return None
    given = types.constants.evaluate(call.args[1], symbol.scope) if len(call.args) == 2 else None
    mixins = {_known_base(types, word, symbol.scope) for word in call.keywords if word.name == "type"}
    pairs = _pairs(given, name)
    if pairs is None or any(word.name not in ("type", "module", "qualname") for word in call.keywords):
        message = f"the members of enum `{symbol.name}` can't be known from the source"
        types.sink.add(rules.INVALID_CLASS.at(span, message, labels=via))
        return None
    reader = _Members(types, symbol.name, symbol.scope, frozenset({name, *mixins}), via)
    members = reader.finish([(key, value, call.pos) for key, value in pairs])
    if members is None:
        return None
    return EnumDefinition(file.module, symbol.qualname, members, None, name in FLAG_BASES, span)


def _known_base(types: TypeReader, word: Keyword, scope: Scope) -> str:
    symbol = types.resolver.dealias(types.resolver.resolve(word.value, scope))
    return symbol.name if isinstance(symbol, KnownSymbol) else ""


def _pairs(given: Value | NotConstant | None, base: str) -> list[tuple[str, Value]] | None:
    if isinstance(given, Mapping):
        pairs = given.items
    elif isinstance(given, Sequence) and all(
        isinstance(item, Sequence) and len(item.items) == 2 for item in given.items
    ):
        pairs = tuple((item.items[0], item.items[1]) for item in given.items if isinstance(item, Sequence))
    else:
        return _counted(given, base)
    found = [(key.value, value) for key, value in pairs if isinstance(key, Constant) and isinstance(key.value, str)]
    return found if len(found) == len(pairs) else None


def _counted(given: Value | NotConstant | None, base: str) -> list[tuple[str, Value]] | None:
    """Names alone: their values are those of `auto()`."""
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
        values.append(next_value(name, values, frozenset({base})))
    return list(zip(names, values, strict=True))


def next_value(name: str, before: list[Constant], known: frozenset[str]) -> Constant:
    """What `auto()` gives: the name in lower case, the next power of two, or one more than the greatest so far."""
    if "enum.StrEnum" in known:
        return Constant(name.lower())
    numbers = [value.value for value in before if isinstance(value.value, int)]
    greatest = max(numbers, default=0)
    if known & FLAG_BASES:
        return Constant(1 << greatest.bit_length() if numbers else 1)
    return Constant(int(greatest) + 1)


def _assignments(types: TypeReader, decl: ClassDecl) -> Iterator[Assignment]:
    for binding in decl.body.members:
        if not isinstance(binding, Assignment) or binding.value is None or not _names_member(binding.name):
            continue
        if types.resolver.conditions.reached(binding, decl.body) is not False:
            yield binding


def _names_member(name: str) -> bool:
    """Names that Python keeps for itself (`_missing_`, `__doc__`) and private ones (`__x`) are no members; `_x` is."""
    return not name.startswith("__") and not (name.startswith("_") and name.endswith("_") and len(name) > 2)


class _Members:
    """Collects the members of one enum."""

    def __init__(
        self, types: TypeReader, name: str, scope: Scope, known: frozenset[str], via: tuple[Label, ...]
    ) -> None:
        self.types = types
        self.name = name
        self.scope = scope
        self.known = known | {_IMPLIED[base] for base in known if base in _IMPLIED}
        self.via = via
        self.seen: list[Constant] = []

    def read(self, declared: list[tuple[str, Expr, Pos]]) -> tuple[tuple[str, Value], ...] | None:
        """The members of a class body."""
        found: list[tuple[str, Value, Pos]] = []
        sound = True
        for name, expr, pos in declared:
            if self._is_descriptor(expr):
                continue
            value = self._value(name, expr)
            if isinstance(value, NotConstant):
                message = f"the value of member `{name}` of enum `{self.name}` can't be known from the source"
                self._report(message, value.why, expr.pos)
                sound = False
                continue
            if isinstance(value, Constant):
                self.seen.append(value)
                self.types.constants.remember(self.scope, name, value)
            found.append((name, value, pos))
        return self.finish(found) if sound else None

    def finish(self, found: list[tuple[str, Value, Pos]]) -> tuple[tuple[str, Value], ...] | None:
        """The members without aliases; None, reported, if a value has no JSON form."""
        members: dict[tuple[str, object], tuple[str, Value]] = {}
        sound = True
        for name, given, pos in found:
            value = self._mixed(given)
            if not _is_json(value):
                message = f"the value of member `{name}` of enum `{self.name}` has no JSON form"
                self._report(message, "a member's value is a string, a number, a bool or None", pos)
                sound = False
                continue
            assert isinstance(value, Constant)
            key = _equality(value)
            if key in members:
                message = f"`{name}` of enum `{self.name}` is not in the schema: it is an alias"
                label = f"the same value as `{members[key][0]}`"
                span = self.scope.module.file.span(pos)
                self.types.sink.add(rules.EXCLUDED_MEMBER.at(span, message, label=label))
            else:
                members[key] = (name, value)
        return tuple(members.values()) if sound else None

    def _value(self, name: str, expr: Expr) -> Value | NotConstant:
        if isinstance(expr, Call):
            symbol = self.types.resolver.dealias(self.types.resolver.resolve(expr.func, self.scope))
            if symbol == KnownSymbol(_AUTO) and not expr.args:
                return next_value(name, self.seen, self.known)
        value = self.types.constants.evaluate(expr, self.scope)
        if isinstance(value, Sequence) and value.kind == "tuple" and len(value.items) == 1:
            return value.items[0] if self.known & set(_MIXINS) else value
        return value

    def _is_descriptor(self, expr: Expr) -> bool:
        """Whether a value is a function, class or property, which make no member."""
        if not isinstance(expr, Call):
            symbol = self.types.resolver.dealias(self.types.resolver.resolve(expr, self.scope))
            return isinstance(symbol, (ClassSymbol, FunctionSymbol))
        symbol = self.types.resolver.dealias(self.types.resolver.resolve(expr.func, self.scope))
        return symbol in (KnownSymbol("builtins.property"), KnownSymbol("builtins.staticmethod"))

    def _mixed(self, value: Value) -> Value:
        """The value after the mixed-in type has taken it: `class C(str, Enum)` makes strings of all values."""
        if isinstance(value, Constant) and value.value is not None and not isinstance(value.value, bytes):
            if "builtins.str" in self.known:
                return Constant(str(value.value))
            if "builtins.float" in self.known and isinstance(value.value, (int, float)):
                return Constant(float(value.value))
            if "builtins.int" in self.known and isinstance(value.value, bool):
                return Constant(int(value.value))
        return value

    def _report(self, message: str, label: str, pos: Pos) -> None:
        span = self.scope.module.file.span(pos)
        self.types.sink.add(rules.INVALID_CLASS.at(span, message, label=label, labels=self.via))


def _is_json(value: Value) -> bool:
    if not isinstance(value, Constant) or isinstance(value.value, bytes):
        return False
    return not isinstance(value.value, float) or value.value - value.value == 0.0


def _equality(value: Constant) -> tuple[str, object]:
    """Members are equal as Python values are: `True`, `1` and `1.0` are one."""
    kind = "number" if isinstance(value.value, (bool, int, float)) else value.kind
    return (kind, value.value)
