"""Expressions evaluated without running anything: literals, names of constants, enum members, simple arithmetic.

    LIMIT = 10                          evaluate(`LIMIT * 2`)  →  Constant(20)
    class Mode(Enum): FAST = "fast"     evaluate(`Mode.FAST`)  →  EnumMember("shop:Mode", "FAST", Constant("fast"))

What can't be known is a `NotConstant` with the reason, for the message.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from ..ir.types import EnumDefinition, ObjectDefinition, ObjectKind
from ..ir.values import Constant, Construction, EnumMember, Mapping, Sequence, Value
from ..source.file import Pos
from ..syntax import expressions as ex
from ..syntax.declarations import ClassDecl, Scope
from .built import MAX_TEXT, built
from .resolver import Resolver
from .symbols import ClassSymbol, KnownSymbol, Symbol, Unresolved, ValueSymbol

MAX_BITS = 14_000
_MAX_DEPTH = 60


@dataclass(frozen=True, slots=True)
class NotConstant:
    """`why` completes "can't be known from the source: …"; `pos` is the part that is not constant.

    `unresolved` is set where a name leads nowhere.
    """

    why: str
    pos: Pos
    unresolved: Unresolved | None = None


class Classes(Protocol):
    """What constants ask of class reading. Nothing that is wrong with a class is reported for it."""

    def is_enum(self, decl: ClassDecl) -> bool | None: ...

    def hides_defaults(self, decl: ClassDecl) -> bool: ...

    def canonical_member(self, key: str, name: str) -> str: ...

    def definition_of(self, decl: ClassDecl) -> object: ...

    def definition_of_call(self, symbol: ValueSymbol, call: ex.Call) -> object: ...

    def takes_names(self, key: str) -> bool: ...

    def changes(self, key: str) -> bool: ...

    def built(self, key: str, definition: ObjectDefinition, arguments: dict[str, Value]) -> dict[str, Value] | str: ...


_Operation = Callable[[Any, Any], Any]
_ARITHMETIC: dict[str, _Operation] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "//": lambda left, right: left // right,
    "%": lambda left, right: left % right,
    "**": lambda left, right: left**right,
    "<<": lambda left, right: left << right,
    ">>": lambda left, right: left >> right,
    "|": lambda left, right: left | right,
    "&": lambda left, right: left & right,
    "^": lambda left, right: left ^ right,
}
_SIGNS: dict[str, Callable[[Any], Any]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
    "not": operator.not_,
}
_KNOWN_VALUES = {
    "math.inf": math.inf,
    "math.nan": math.nan,
    "math.pi": math.pi,
    "math.e": math.e,
    "math.tau": math.tau,
}


class Constants:
    """Evaluates expressions in a scope."""

    def __init__(self, resolver: Resolver, classes: Classes) -> None:
        self.resolver = resolver
        self._classes = classes
        self._depth = 0
        self._open: dict[int, dict[str, Value]] = {}

    def evaluate(self, expr: ex.Expr, scope: Scope) -> Value | NotConstant:
        """The value of `expr`, as its scope sees it."""
        handler = _HANDLERS.get(type(expr))
        if handler is None:
            return NotConstant(f"it is {getattr(expr, 'what', 'an expression')}", expr.pos)
        if self._depth > _MAX_DEPTH:
            return NotConstant("it is nested too deep, or defined by itself", expr.pos)
        self._depth += 1
        try:
            return handler(self, expr, scope)
        finally:
            self._depth -= 1

    def all(self, items: Iterable[ex.Expr], scope: Scope) -> tuple[Value, ...] | NotConstant:
        """The values of several expressions, or the first that is not constant."""
        values: list[Value] = []
        for item in items:
            value = self.evaluate(item, scope)
            if isinstance(value, NotConstant):
                return value
            values.append(value)
        return tuple(values)

    @contextmanager
    def members_of(self, body: Scope) -> Generator[dict[str, Value]]:
        """While an enum's body is read: the members so far, which those after them may name."""
        self._open[id(body)] = {}
        try:
            yield self._open[id(body)]
        finally:
            del self._open[id(body)]

    def symbol_value(self, symbol: Symbol, expr: ex.Expr) -> Value | NotConstant:
        """The value of what a name means."""
        symbol = self.resolver.dealias(symbol)
        if isinstance(symbol, ValueSymbol):
            return self._variable(symbol, expr)
        if isinstance(symbol, KnownSymbol) and symbol.name in _KNOWN_VALUES:
            return Constant(_KNOWN_VALUES[symbol.name])
        if isinstance(symbol, Unresolved):
            found = symbol.diagnostic
            elsewhere = any(label.span.path != found.span.path for label in found.labels)
            why = "it is no constant of a module that can be read" if elsewhere else found.message
            return NotConstant(why, expr.pos, symbol)
        what = getattr(symbol, "why", "not a constant")
        return NotConstant(f"it is {what}", expr.pos)

    def _variable(self, symbol: ValueSymbol, expr: ex.Expr) -> Value | NotConstant:
        if symbol.expr is None:
            return NotConstant(f"`{symbol.name}` has no value here", expr.pos)
        owner = symbol.scope
        if id(owner) in self._open:
            if symbol.name in self._open[id(owner)]:
                return self._open[id(owner)][symbol.name]
        elif owner.owner is not None and (member := self._enum_member(owner.owner, symbol.name, expr)) is not None:
            return member
        if symbol.annotation is not None and owner.owner is not None and self._classes.hides_defaults(owner.owner):
            return NotConstant(f"an attribute of `{owner.owner.name}` is no default of its fields", expr.pos)
        if len(owner.bindings.get(symbol.name, ())) > 1 and self._is_rebound(owner, symbol.name):
            return NotConstant(f"`{symbol.name}` is assigned in more than one place", expr.pos)
        value = self.evaluate(symbol.expr, owner)
        return NotConstant(value.why, expr.pos, value.unresolved) if isinstance(value, NotConstant) else value

    def _is_rebound(self, scope: Scope, name: str) -> bool:
        reached = [b for b in scope.bindings[name] if self.resolver.conditions.reached(b, scope) is not False]
        return len([b for b in reached if getattr(b, "value", b) is not None]) > 1

    def _enum_member(self, decl: ClassDecl, name: str, expr: ex.Expr) -> EnumMember | NotConstant | None:
        """The member `name` of an enum; None for a class that is none, and for what is no member."""
        is_enum = self._classes.is_enum(decl)
        if is_enum is False:
            return None
        if is_enum is None:
            return NotConstant(f"whether class `{decl.name}` is an enum can't be known", expr.pos)
        definition = self._classes.definition_of(decl)
        if not isinstance(definition, EnumDefinition):
            return NotConstant(f"the members of enum `{decl.name}` can't be known", expr.pos)
        return self._member(decl.key, definition, name)

    def _member(self, key: str, definition: object, name: str) -> EnumMember | None:
        if isinstance(definition, EnumDefinition):
            name = self._classes.canonical_member(key, name)
            for member, value in definition.members:
                if member == name and isinstance(value, Constant):
                    return EnumMember(key, name, value)
        return None

    def member_of(self, owner: ex.Expr, name: str, scope: Scope) -> EnumMember | None:
        """The member `name` of what `owner` names, if that is an enum: a class or one made by a call."""
        if not isinstance(owner, (ex.Name, ex.Attribute)):
            return None
        symbol = self.resolver.dealias(self.resolver.resolve(owner, scope))
        if isinstance(symbol, ClassSymbol) and self._classes.is_enum(symbol.decl):
            return self._member(symbol.decl.key, self._classes.definition_of(symbol.decl), name)
        if not isinstance(symbol, ValueSymbol) or not isinstance(symbol.expr, ex.Call):
            return None
        key = f"{symbol.scope.module.file.module}:{symbol.qualname}"
        return self._member(key, self._classes.definition_of_call(symbol, symbol.expr), name)

    def construct(self, decl: ClassDecl, call: ex.Call, scope: Scope) -> Value | NotConstant:
        """`Point(1, y=2)` of a dataclass or named tuple, or `Color("red")` of an enum."""
        definition = self._classes.definition_of(decl)
        if isinstance(definition, EnumDefinition) and len(call.args) == 1 and not call.keywords:
            value = self.evaluate(call.args[0], scope)
            for member, candidate in definition.members:
                if value == candidate and isinstance(candidate, Constant):
                    return EnumMember(decl.key, member, candidate)
        if not isinstance(definition, ObjectDefinition):
            return NotConstant(f"it calls `{decl.name}`", call.pos)
        if definition.kind is ObjectKind.MODEL:
            return self._model(decl, definition, call, scope)
        if definition.kind is ObjectKind.TYPED_DICT:
            return self._known_call("builtins.dict", call, scope)  # which it makes
        if self._classes.changes(decl.key):
            return NotConstant(f"code of `{decl.name}` runs when it is built", call.pos)
        arguments: list[tuple[str, Value]] = []
        fields = [field.name for field in definition.fields if field.init]
        named = [(word.name, word.value) for word in call.keywords]
        for name, item in [*zip(fields, call.args, strict=False), *named]:
            argument = self.evaluate(item, scope)
            if isinstance(argument, NotConstant):
                return argument
            if name is None or name not in fields:
                return NotConstant(f"`{decl.name}` takes no such argument", item.pos)
            arguments.append((name, argument))
        required = {field.name for field in definition.fields if field.required and field.init}
        if len(call.args) > len(fields) or required - {name for name, _ in arguments}:
            return NotConstant(f"the arguments do not fit `{decl.name}`", call.pos)
        return Construction(decl.key, tuple(arguments))

    def _model(self, decl: ClassDecl, definition: ObjectDefinition, call: ex.Call, scope: Scope) -> Value | NotConstant:
        """`Point(x=1)` of a pydantic model, whose constructor takes the fields under their aliases."""
        names = {field.name: field.name for field in definition.fields} if self._classes.takes_names(decl.key) else {}
        names.update({field.wire: field.name for field in definition.fields})
        arguments: dict[str, Value] = {}
        for word in call.keywords:
            argument = self.evaluate(word.value, scope)
            if isinstance(argument, NotConstant):
                return argument
            if word.name not in names:
                return NotConstant(f"`{decl.name}` has no such field", word.pos)
            arguments[names[word.name]] = argument
        required = {field.name for field in definition.fields if field.required}
        if call.args or required - arguments.keys():
            return NotConstant(f"the arguments do not fit `{decl.name}`", call.pos)
        fields = self._classes.built(decl.key, definition, arguments)
        if isinstance(fields, str):
            return NotConstant(fields, call.pos)
        return Construction(decl.key, tuple(fields.items()))

    def call(self, call: ex.Call, scope: Scope) -> Value | NotConstant:
        symbol = self.resolver.dealias(self.resolver.resolve(call.func, scope))
        if isinstance(symbol, ClassSymbol):
            return self.construct(symbol.decl, call, scope)
        if not isinstance(symbol, KnownSymbol):
            return NotConstant("it is a call", call.pos)
        return self._known_call(symbol.name, call, scope)

    def _known_call(self, name: str, call: ex.Call, scope: Scope) -> Value | NotConstant:
        names = [word.name for word in call.keywords if word.name is not None]
        if len(names) != len(call.keywords):
            return NotConstant("it unpacks another dict", call.pos)
        values = self.all([*call.args, *(word.value for word in call.keywords)], scope)
        if isinstance(values, NotConstant):
            return values
        count = len(call.args)
        made = built(name, values[:count], tuple(zip(names, values[count:], strict=True)))
        return NotConstant(made, call.pos) if isinstance(made, str) else made


def _constant(constants: Constants, expr: ex.Constant, scope: Scope) -> Value | NotConstant:
    if expr.value is None or isinstance(expr.value, (bool, int, float, str, bytes)):
        return Constant(expr.value)
    return NotConstant(f"it is `{expr.value!r}`" if expr.value is not ... else "it is `...`", expr.pos)


def _name(constants: Constants, expr: ex.Name, scope: Scope) -> Value | NotConstant:
    return constants.symbol_value(constants.resolver.resolve(expr, scope), expr)


def _attribute(constants: Constants, expr: ex.Attribute, scope: Scope) -> Value | NotConstant:
    if expr.attr in ("value", "name"):
        owner = constants.evaluate(expr.value, scope)
        if isinstance(owner, EnumMember):
            return owner.value if expr.attr == "value" else Constant(owner.name)
    member = constants.member_of(expr.value, expr.attr, scope)
    if member is not None:
        return member
    return constants.symbol_value(constants.resolver.resolve(expr, scope), expr)


def _sequence(
    constants: Constants, expr: ex.Tuple | ex.ListDisplay | ex.SetDisplay, scope: Scope
) -> Value | NotConstant:
    values = constants.all(expr.items, scope)
    if isinstance(values, NotConstant):
        return values
    kind = {ex.Tuple: "tuple", ex.ListDisplay: "list", ex.SetDisplay: "set"}[type(expr)]
    return Sequence(kind, values)


def _mapping(constants: Constants, expr: ex.DictDisplay, scope: Scope) -> Value | NotConstant:
    pairs: list[tuple[Value, Value]] = []
    for key, value in expr.items:
        if key is None:
            return NotConstant("it unpacks another dict", value.pos)
        both = constants.all((key, value), scope)
        if isinstance(both, NotConstant):
            return both
        pairs.append((both[0], both[1]))
    return Mapping(tuple(pairs))


def _item(constants: Constants, expr: ex.Subscript, scope: Scope) -> Value | NotConstant:
    """`Size["L"]` of an enum, `LIMITS["max"]` and `NAMES[0]` of constants."""
    index = constants.evaluate(expr.index, scope)
    if isinstance(index, Constant) and isinstance(index.value, str):
        member = constants.member_of(expr.value, index.value, scope)
        if member is not None:
            return member
    whole = constants.evaluate(expr.value, scope)
    for part in (index, whole):
        if isinstance(part, NotConstant):
            return NotConstant("it is an item of something known only at run time", expr.pos, part.unresolved)
    if isinstance(whole, Mapping):
        found = [value for key, value in whole.items if key == index]
        return found[-1] if found else NotConstant("it is a key that is not there", expr.pos)
    if isinstance(whole, Sequence) and whole.kind in ("list", "tuple") and isinstance(index, Constant):
        at = index.value
        if isinstance(at, int) and -len(whole.items) <= at < len(whole.items):
            return whole.items[at]
    return NotConstant("it is an item that can't be known", expr.pos)


def _unary(constants: Constants, expr: ex.Unary, scope: Scope) -> Value | NotConstant:
    operand = constants.evaluate(expr.operand, scope)
    if isinstance(operand, NotConstant):
        return operand
    if isinstance(operand, Constant) and (expr.op == "not" or isinstance(operand.value, (int, float))):
        try:
            return Constant(_SIGNS[expr.op](operand.value))
        except TypeError:
            return NotConstant("it is an operation that fails", expr.pos)
    return NotConstant("it is an operation", expr.pos)


def _chain(constants: Constants, expr: ex.Chain, scope: Scope) -> Value | NotConstant:
    values = constants.all(expr.items, scope)
    if isinstance(values, NotConstant):
        return values
    if all(isinstance(value, Sequence) for value in values) and expr.op == "+":
        kinds = {value.kind for value in values if isinstance(value, Sequence)}
        items = tuple(item for value in values if isinstance(value, Sequence) for item in value.items)
        return Sequence(kinds.pop(), items) if len(kinds) == 1 else NotConstant("it is an operation", expr.pos)
    plain: list[Any] = [_plain_value(value) for value in values]
    if expr.op not in _ARITHMETIC or any(value is None for value in plain):
        return NotConstant("it is an operation", expr.pos)
    result = plain[0]
    for other in plain[1:]:
        if not _affordable(expr.op, result, other):
            return NotConstant("it is too large", expr.pos)
        try:
            result = _ARITHMETIC[expr.op](result, other)
        except (TypeError, ValueError, ArithmeticError):
            return NotConstant("it is an operation that fails", expr.pos)
    if isinstance(result, (bool, int, float, str, bytes)):
        return Constant(result)
    return NotConstant("it is an operation", expr.pos)


def _plain_value(value: Value) -> bool | int | float | str | bytes | None:
    """The operand an operator sees; members of int and str enums behave as their values."""
    if isinstance(value, EnumMember):
        value = value.value
    return value.value if isinstance(value, Constant) else None


def _affordable(op: str, left: object, right: object) -> bool:
    """Whether a result stays within `MAX_TEXT` characters and `MAX_BITS` bits."""
    if isinstance(left, (str, bytes)) or isinstance(right, (str, bytes)):
        size = max(len(side) for side in (left, right) if isinstance(side, (str, bytes)))
        times = max([abs(side) for side in (left, right) if isinstance(side, int)], default=1)
        return op in ("+", "*") and size * (times if op == "*" else 2) <= MAX_TEXT
    if isinstance(left, int) and isinstance(right, int):
        if op == "**":
            return right < 0 or left.bit_length() * right <= MAX_BITS
        if op == "<<":
            return 0 <= right <= MAX_BITS and left.bit_length() + right <= MAX_BITS
        return left.bit_length() + right.bit_length() <= 2 * MAX_BITS
    return True


def _formatted(constants: Constants, expr: ex.FormattedString, scope: Scope) -> Value | NotConstant:
    text: list[str] = []
    for part in expr.parts:
        if isinstance(part, str):
            text.append(part)
            continue
        value = constants.evaluate(part, scope) if part is not None else None
        if isinstance(value, Constant) and isinstance(value.value, (str, int, float)):
            text.append(str(value.value))
        else:
            return NotConstant("it is an f-string with parts known only at run time", expr.pos)
    joined = "".join(text)
    return Constant(joined) if len(joined) <= MAX_TEXT else NotConstant("it is too large", expr.pos)


def _conditional(constants: Constants, expr: ex.Conditional, scope: Scope) -> Value | NotConstant:
    truth = constants.resolver.conditions.truth(expr.test, scope)
    if truth is None:
        return NotConstant("it depends on a condition", expr.pos)
    return constants.evaluate(expr.body if truth else expr.orelse, scope)


def _call(constants: Constants, expr: ex.Call, scope: Scope) -> Value | NotConstant:
    return constants.call(expr, scope)


_HANDLERS: dict[type[ex.Expr], Callable[[Constants, Any, Scope], Value | NotConstant]] = {
    ex.Constant: _constant,
    ex.Name: _name,
    ex.Attribute: _attribute,
    ex.Tuple: _sequence,
    ex.ListDisplay: _sequence,
    ex.SetDisplay: _sequence,
    ex.DictDisplay: _mapping,
    ex.Subscript: _item,
    ex.Unary: _unary,
    ex.Chain: _chain,
    ex.FormattedString: _formatted,
    ex.Conditional: _conditional,
    ex.Call: _call,
}
