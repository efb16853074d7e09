"""Expressions evaluated without running anything: literals, names of constants, enum members, simple arithmetic.

    LIMIT = 10                          evaluate(`LIMIT * 2`)  →  Constant(20)
    class Mode(Enum): FAST = "fast"     evaluate(`Mode.FAST`)  →  EnumMember("shop:Mode", "FAST", Constant("fast"))

What can't be known is a `NotConstant` with the reason, for the message.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Protocol

from ..ir.types import EnumDefinition, ObjectDefinition, ObjectKind
from ..ir.values import Constant, Construction, EnumMember, Mapping, Sequence, Value, key_of
from ..syntax import expressions as ex
from ..syntax.declarations import ClassDecl, Scope
from .expression_values import HANDLERS, or_why
from .not_constant import NotConstant as NotConstant
from .resolver import Resolver
from .symbols import ClassSymbol, DynamicSymbol, FunctionSymbol, KnownSymbol, Symbol, Unresolved, ValueSymbol

_MAX_DEPTH = 60
_MOST_ITEMS = 10_000
_MOST_CALLS = 10


class Classes(Protocol):
    """What constants ask of class reading. Nothing that is wrong with a class is reported for it."""

    def is_enum(self, decl: ClassDecl) -> bool | None: ...

    def hides_defaults(self, decl: ClassDecl) -> bool: ...

    def canonical_member(self, key: str, name: str) -> str: ...

    def has_aliases(self, key: str) -> bool: ...

    def definition_of(self, decl: ClassDecl) -> object: ...

    def form_of(self, decl: ClassDecl, brackets: ex.Subscript | None, scope: Scope) -> tuple[str, object]: ...

    def definition_of_call(self, symbol: ValueSymbol, call: ex.Call) -> object: ...

    def takes_names(self, key: str) -> bool: ...

    def changes(self, key: str) -> bool: ...

    def built(self, key: str, definition: ObjectDefinition, arguments: dict[str, Value]) -> dict[str, Value] | str: ...


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
        self._gone_through = 0
        self._following = 0
        self._open: dict[int, dict[str, Value]] = {}

    def evaluate(self, expr: ex.Expr, scope: Scope) -> Value | NotConstant:
        """The value of `expr`, as its scope sees it."""
        handler = HANDLERS.get(type(expr))
        if handler is None:
            return NotConstant(f"it is {getattr(expr, 'what', 'an expression')}", expr.pos)
        if self._depth > _MAX_DEPTH:
            return NotConstant("it is nested too deep, or defined by itself", expr.pos)
        if self._depth == 0:
            self._gone_through = 0
        self._depth += 1
        try:
            return handler(self, expr, scope)
        finally:
            self._depth -= 1

    def affords(self, count: int) -> bool:
        """Whether an expression may go through so many more items."""
        self._gone_through += count
        return self._gone_through <= _MOST_ITEMS

    @contextmanager
    def following(self) -> Generator[bool]:
        """While the body of a function is followed, and those that it calls; False if that goes too far."""
        self._following += 1
        try:
            yield self._following <= _MOST_CALLS
        finally:
            self._following -= 1

    def all(self, items: Iterable[ex.Expr], scope: Scope) -> tuple[Value, ...] | NotConstant:
        """The values of several expressions, or the first that is not constant."""
        values: list[Value] = []
        for item in items:
            value = self.evaluate(item, scope)
            if isinstance(value, NotConstant):
                return value
            values.append(value)
        return tuple(values)

    def truth(self, expr: ex.Expr, scope: Scope) -> bool | None:
        """The truth of a test on constants and on the environment; None if it can't be known."""
        if isinstance(expr, ex.Unary) and expr.op == "not":
            inner = self.truth(expr.operand, scope)
            return None if inner is None else not inner
        decided = self.resolver.conditions.truth(expr, scope)
        if decided is not None:
            return decided
        from . import operations

        if not isinstance(expr, ex.Compare):
            value = self.evaluate(expr, scope)
            return None if isinstance(value, NotConstant) else operations.truth(value)
        left, right = self.evaluate(expr.left, scope), self.evaluate(expr.right, scope)
        if isinstance(left, NotConstant) or isinstance(right, NotConstant):
            return None
        return operations.comparison(expr.op, left, right)

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
        if symbol == KnownSymbol("datetime.UTC"):
            from .format_values import UTC

            return UTC
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
        reached = [b for b in scope.bindings[name] if self.resolver.conditions.reached(b.guards, scope) is not False]
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
        return self._member(*self._enum_of(owner, scope), name)

    def members_in_order(self, owner: ex.Expr, scope: Scope) -> tuple[EnumMember, ...] | None:
        """What a loop over an enum goes through; None for anything else, and for flags, of which it leaves some out."""
        key, definition = self._enum_of(owner, scope)
        if not isinstance(definition, EnumDefinition) or definition.flag:
            return None
        found = [EnumMember(key, name, value) for name, value in definition.members if isinstance(value, Constant)]
        return tuple(found) if len(found) == len(definition.members) else None

    def members_by_name(self, owner: ex.Expr, scope: Scope) -> Mapping | NotConstant | None:
        """`__members__` of an enum, where aliases have their place too; None for anything else."""
        members = self.members_in_order(owner, scope)
        if members is None:
            return None
        if self._classes.has_aliases(self._enum_of(owner, scope)[0]):
            return NotConstant("it has aliases among its members, whose place can't be known", owner.pos)
        return Mapping(tuple((Constant(member.name), member) for member in members))

    def _enum_of(self, owner: ex.Expr, scope: Scope) -> tuple[str, object]:
        """The key and definition of what is named, if that is an enum: a class or one made by a call."""
        symbol = (
            self.resolver.dealias(self.resolver.resolve(owner, scope))
            if isinstance(owner, (ex.Name, ex.Attribute))
            else None
        )
        if isinstance(symbol, ClassSymbol) and self._classes.is_enum(symbol.decl):
            return symbol.decl.key, self._classes.definition_of(symbol.decl)
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, ex.Call):
            return self._made_by_call(symbol, symbol.expr)
        return "", None

    def _made_by_call(self, symbol: ValueSymbol, call: ex.Call) -> tuple[str, object]:
        """The key and definition of a class that a call makes."""
        key = f"{symbol.scope.module.file.module}:{symbol.qualname}"
        return key, self._classes.definition_of_call(symbol, call)

    def _is_new_type(self, symbol: ValueSymbol, call: ex.Call) -> bool:
        maker = self.resolver.dealias(self.resolver.resolve(call.func, symbol.scope))
        return maker == KnownSymbol("typing.NewType")

    def construct(self, decl: ClassDecl, call: ex.Call, scope: Scope) -> Value | NotConstant:
        """`Point(1, y=2)` of a dataclass or named tuple, `Box[int](1)` of a generic one, `Color("red")` of an enum."""
        brackets = call.func if isinstance(call.func, ex.Subscript) else None
        key, definition = self._classes.form_of(decl, brackets, scope)
        return self._constructed(decl.name, key, definition, call, scope)

    def _constructed(self, name: str, key: str, definition: object, call: ex.Call, scope: Scope) -> Value | NotConstant:
        if isinstance(definition, EnumDefinition) and len(call.args) == 1 and not call.keywords:
            value = self.evaluate(call.args[0], scope)
            wanted = None if isinstance(value, NotConstant) else key_of(value)
            for member, candidate in definition.members:
                if isinstance(candidate, Constant) and key_of(candidate) == wanted:
                    return EnumMember(key, member, candidate)
        if not isinstance(definition, ObjectDefinition):
            return NotConstant(f"it calls `{name}`", call.pos)
        if definition.kind is ObjectKind.MODEL:
            return self._model(name, key, definition, call, scope)
        if definition.kind is ObjectKind.TYPED_DICT:
            return self._known_call("builtins.dict", call, scope)  # which it makes
        if self._classes.changes(key):
            return NotConstant(f"code of `{name}` runs when it is built", call.pos)
        arguments: list[tuple[str, Value]] = []
        fields = [field.name for field in definition.fields if field.init]
        named = [(word.name, word.value) for word in call.keywords]
        for field, item in [*zip(fields, call.args, strict=False), *named]:
            argument = self.evaluate(item, scope)
            if isinstance(argument, NotConstant):
                return argument
            if field is None or field not in fields:
                return NotConstant(f"`{name}` takes no such argument", item.pos)
            arguments.append((field, argument))
        required = {field.name for field in definition.fields if field.required and field.init}
        if len(call.args) > len(fields) or required - {field for field, _ in arguments}:
            return NotConstant(f"the arguments do not fit `{name}`", call.pos)
        return Construction(key, tuple(arguments))

    def _model(
        self, name: str, key: str, definition: ObjectDefinition, call: ex.Call, scope: Scope
    ) -> Value | NotConstant:
        """`Point(x=1)` of a pydantic model, whose constructor takes the fields under their aliases."""
        names = {field.name: field.name for field in definition.fields} if self._classes.takes_names(key) else {}
        names.update({field.wire: field.name for field in definition.fields})
        arguments: dict[str, Value] = {}
        for word in call.keywords:
            argument = self.evaluate(word.value, scope)
            if isinstance(argument, NotConstant):
                return argument
            if word.name not in names:
                return NotConstant(f"`{name}` has no such field", word.pos)
            arguments[names[word.name]] = argument
        required = {field.name for field in definition.fields if field.required}
        if call.args or required - arguments.keys():
            return NotConstant(f"the arguments do not fit `{name}`", call.pos)
        fields = self._classes.built(key, definition, arguments)
        if isinstance(fields, str):
            return NotConstant(fields, call.pos)
        return Construction(key, tuple(fields.items()))

    def call(self, call: ex.Call, scope: Scope) -> Value | NotConstant:
        named = call.func.value if isinstance(call.func, ex.Subscript) else call.func
        symbol = self.resolver.dealias(self.resolver.resolve(named, scope))
        if isinstance(symbol, ClassSymbol):
            return self.construct(symbol.decl, call, scope)
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, ex.Call) and symbol.expr is not call:
            if self._is_new_type(symbol, symbol.expr) and len(call.args) == 1 and not call.keywords:
                return self.evaluate(call.args[0], scope)  # it gives back what it is given
            key, definition = self._made_by_call(symbol, symbol.expr)
            return self._constructed(symbol.name, key, definition, call, scope)
        if isinstance(symbol, KnownSymbol):
            return self._known_call(symbol.name, call, scope)
        if isinstance(symbol, FunctionSymbol) and self._following and len(call.args) == 1 and not call.keywords:
            from .functions import called

            argument = self.evaluate(call.args[0], scope)
            return argument if isinstance(argument, NotConstant) else called(symbol, argument, call, self)
        if isinstance(symbol, FunctionSymbol):
            return self._known_call(symbol.decl.key, call, scope)
        if isinstance(call.func, ex.Attribute) and isinstance(symbol, DynamicSymbol):
            return self._method(call.func, call, scope)
        return NotConstant("it is a call", call.pos)

    def _method(self, func: ex.Attribute, call: ex.Call, scope: Scope) -> Value | NotConstant:
        """A method of a constant."""
        from . import operations

        owner = self.evaluate(func.value, scope)
        if isinstance(owner, NotConstant):
            return NotConstant("it is a call", call.pos)
        arguments = self._arguments(call, scope, consumed=func.attr == "join")
        if isinstance(arguments, NotConstant):
            return arguments
        return or_why(operations.method(owner, func.attr, *arguments), call)

    def _arguments(
        self, call: ex.Call, scope: Scope, *, consumed: bool = False
    ) -> tuple[tuple[Value, ...], dict[str, Value]] | NotConstant:
        """The arguments by position and by keyword. An only one that is `consumed` may be a generator."""
        if consumed and len(call.args) == 1:
            from .iteration import is_gone_through, iterated

            if is_gone_through(self, call.args[0], scope):
                items = iterated(self, call.args[0], scope)
                return items if isinstance(items, NotConstant) else ((Sequence("list", items),), {})
        names = [word.name for word in call.keywords if word.name is not None]
        if len(names) != len(call.keywords):
            return NotConstant("it unpacks another dict", call.pos)
        values = self.all([*call.args, *(word.value for word in call.keywords)], scope)
        if isinstance(values, NotConstant):
            return values
        count = len(call.args)
        return values[:count], dict(zip(names, values[count:], strict=True))

    def _known_call(self, name: str, call: ex.Call, scope: Scope) -> Value | NotConstant:
        from . import operations
        from .built import built
        from .iteration import CONSUMERS

        consumed = name in CONSUMERS and not call.keywords
        if name == "builtins.len" and len(call.args) == 1:  # of an enum too, which is gone through
            consumed = self.members_in_order(call.args[0], scope) is not None
        arguments = self._arguments(call, scope, consumed=consumed)
        if isinstance(arguments, NotConstant):
            return arguments
        values, named = arguments
        made = operations.function(name, values, named)
        return or_why(built(name, values, tuple(named.items())) if made is None else made, call)
