"""Enums: members and their values as the `enum` module would make them, without running it.

Rules of the `enum` documentation: plain assignments in the class body are members, except names with leading
underscores, descriptors and nested classes; `auto()` counts on; a member with the value of an earlier one is an alias.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import EnumDefinition
from ...ir.values import Constant, Sequence, Value
from ...source.file import Pos
from ...syntax.declarations import ClassDecl, Scope
from ...syntax.docstrings.cleaning import cleandoc
from ...syntax.expressions import Call, Expr, Lambda
from ..constants import NotConstant
from ..symbols import ClassSymbol, FunctionSymbol, KnownSymbol
from .enum_rules import ignored_names, is_allowed, names_member, refusal, repeats_are_allowed
from .enum_values import ValueMethods, following, made_by_new, value_methods
from .kinds import FLAG_BASES, Ancestry
from .members import known_members, valued_members

if TYPE_CHECKING:
    from ..types import TypeReader

_AUTO = "enum.auto"
MIXINS = ("builtins.str", "builtins.int", "builtins.float")
_IMPLIED = {"enum.IntEnum": "builtins.int", "enum.IntFlag": "builtins.int", "enum.StrEnum": "builtins.str"}
_DESCRIPTOR = ("__get__", "__set__", "__delete__")
_NO_MEMBERS = {
    "enum.nonmember",
    "builtins.property",
    "builtins.staticmethod",
    "builtins.classmethod",
    "functools.partialmethod",
}


def read_enum(types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]) -> EnumDefinition | None:
    """The definition of an enum class; None, reported, if a member's value can't be known or has no JSON form."""
    methods = value_methods(types, found)
    if isinstance(methods, str):
        span = decl.scope.module.file.span(decl.name_pos)
        message = f"enum `{decl.name}`, whose values are set by {methods}, is not covered by this version"
        types.sink.add(rules.TYPE_NOT_COVERED.at(via[-1].span if via else span, message, labels=via))
        return None
    declared = _declared(types, decl, via)
    if declared is None or not is_allowed(types, decl, found, via):
        return None
    reader = Members(types, decl.name, decl.body, found.known, via, methods)
    members = reader.read(declared)
    text = cleandoc(decl.docstring.text) or None if decl.docstring else None
    file = decl.scope.module.file
    if members is None or not repeats_are_allowed(types, decl, reader.aliases, via):
        return None
    types.classes.aliases[decl.key] = reader.aliases
    if not reader.known & {*MIXINS}:
        types.classes.plain_enums.add(decl.key)
    flag = bool(found.known & FLAG_BASES)
    return EnumDefinition(file.module, decl.qualname, members, text, flag, file.span(decl.name_pos))


def next_value(name: str, before: list[Constant], known: frozenset[str]) -> Constant:
    """What `auto()` gives: the name in lower case, the next power of two, or one more than the greatest so far."""
    if "enum.StrEnum" in known:
        return Constant(name.lower())
    numbers = [value.value for value in before if isinstance(value.value, int)]
    greatest = max(numbers, default=0)
    if known & FLAG_BASES:
        return Constant(1 << greatest.bit_length() if numbers else 1)
    return Constant(int(greatest) + 1)


def _declared(types: TypeReader, decl: ClassDecl, via: tuple[Label, ...]) -> list[tuple[str, Expr, Pos]] | None:
    """Names and values of the members; None, reported, if they can't be known."""
    ignored = ignored_names(types, decl)
    found = (
        member for member in valued_members(decl, types) if names_member(member.name) and member.name not in ignored
    )
    members = known_members(types, decl, found, "member", via)
    if members is None:
        return None
    declared: dict[str, tuple[str, Expr, Pos]] = {}
    problem = "" if members else f"enum `{decl.name}` has no members"
    pos = decl.name_pos
    for member in members:
        if member.name in declared or member.value is None:
            problem, pos = f"member `{member.name}` of enum `{decl.name}` is defined more than once", member.pos
        else:
            declared[member.name] = (member.name, member.value, member.pos)
    if problem:
        types.sink.add(rules.INVALID_CLASS.at(decl.scope.module.file.span(pos), problem, labels=via))
        return None
    return list(declared.values())


class Members:
    """Collects the members of one enum."""

    def __init__(
        self,
        types: TypeReader,
        name: str,
        scope: Scope,
        known: frozenset[str],
        via: tuple[Label, ...],
        methods: ValueMethods | None = None,
    ) -> None:
        self.types = types
        self.methods = methods or ValueMethods()
        self.name = name
        self.scope = scope
        self.known = known | {_IMPLIED[base] for base in known if base in _IMPLIED}
        self.via = via
        self.seen: list[Constant] = []
        self.aliases: dict[str, str] = {}

    def read(self, declared: list[tuple[str, Expr, Pos]]) -> tuple[tuple[str, Value], ...] | None:
        """The members of a class body."""
        with self.types.constants.members_of(self.scope) as before:
            found = self._values(declared, before)
        return None if found is None else self.finish(found)

    def _values(
        self, declared: list[tuple[str, Expr, Pos]], before: dict[str, Value]
    ) -> list[tuple[str, Value, Pos]] | None:
        """Names and values of the members; `before` takes each for those after it. None, reported, if one can't be
        known."""
        found: list[tuple[str, Value, Pos]] = []
        for name, expr, pos in declared:
            if self._is_descriptor(expr):
                continue
            value = self._value(name, expr)
            if self.methods.new is not None and not isinstance(value, NotConstant):
                value = made_by_new(self.methods.new, value, expr, self.types.constants)
            if isinstance(value, NotConstant):
                message = f"the value of member `{name}` of enum `{self.name}` can't be known from the source"
                self._report(message, value.why, expr.pos)
                return None
            if isinstance(value, Constant):
                self.seen.append(value)
                before[name] = value
            found.append((name, value, pos))
        return found

    def finish(self, found: list[tuple[str, Value, Pos]]) -> tuple[tuple[str, Value], ...] | None:
        """The members without aliases; None, reported, if a value has no JSON form."""
        members: dict[tuple[str, object], tuple[str, Value]] = {}
        for name, given, pos in found:
            own = self.methods.new is not None
            if not own and (instead := refusal(given, self.known)) is not None:
                self._report(f"the value of member `{name}` of enum `{self.name}` is {instead}", "", pos)
                return None
            value = given if own else self._mixed(given)
            if not _is_json(value):
                message = f"the value of member `{name}` of enum `{self.name}` has no JSON form"
                label = "a member's value is a string, a number, a bool or None"
                if isinstance(value, Sequence):
                    label = f"no JSON value equals a {value.kind}; pydantic accepts none for it either"
                self._report(message, label, pos)
                return None
            assert isinstance(value, Constant)
            key = _equality(value)
            if key in members:
                message = f"`{name}` of enum `{self.name}` is not in the schema: it is an alias"
                label = f"the same value as `{members[key][0]}`"
                span = self.scope.module.file.span(pos)
                self.types.sink.add(rules.EXCLUDED_MEMBER.at(span, message, label=label))
                self.aliases[name] = members[key][0]
            else:
                members[key] = (name, value)
        return tuple(members.values())

    def _value(self, name: str, expr: Expr) -> Value | NotConstant:
        if isinstance(expr, Call):
            symbol = self.types.resolver.dealias(self.types.resolver.resolve(expr.func, self.scope))
            if symbol == KnownSymbol(_AUTO) and not expr.args:
                if self.methods.following is not None:
                    return following(self.methods.following, name, self.seen, expr, self.types.constants)
                return next_value(name, self.seen, self.known)
            if symbol == KnownSymbol("enum.member") and len(expr.args) == 1:
                expr = expr.args[0]
        value = self.types.constants.evaluate(expr, self.scope)
        if isinstance(value, Sequence) and value.kind == "tuple" and len(value.items) == 1:
            return value.items[0] if self.known & set(MIXINS) else value
        return value

    def _is_descriptor(self, expr: Expr) -> bool:
        """Whether a value is a function, class or other descriptor, or said to be no member."""
        if isinstance(expr, Lambda):
            return True
        if not isinstance(expr, Call):
            symbol = self.types.resolver.dealias(self.types.resolver.resolve(expr, self.scope))
            return isinstance(symbol, (ClassSymbol, FunctionSymbol))
        symbol = self.types.resolver.dealias(self.types.resolver.resolve(expr.func, self.scope))
        if isinstance(symbol, ClassSymbol):
            bases = self.types.resolver.linear_bases(symbol.decl)
            return any(name in owner.body.bindings for owner in bases for name in _DESCRIPTOR)
        return isinstance(symbol, KnownSymbol) and symbol.name in _NO_MEMBERS

    def _mixed(self, value: Value) -> Value:
        """The value after the mixed-in type has taken it: `class C(str, Enum)` makes strings of all values."""
        if isinstance(value, Constant) and value.value is not None and not isinstance(value.value, bytes):
            if "builtins.str" in self.known:
                return Constant(str(value.value))
            if "builtins.float" in self.known:
                return Constant(float(value.value))
            if "builtins.int" in self.known:
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
