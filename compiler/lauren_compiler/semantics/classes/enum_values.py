"""Values of enum members that methods of the enum make: `__new__` and `_generate_next_value_`.

    class Language(str, Enum):
        def __new__(cls, code: str, label: str) -> "Language":
            made = str.__new__(cls, code)
            made._value_ = code                                  what the member's value is
            made.label = label
            return made

        GERMAN = ("de", "German")                                →  "de"

Source: the `enum` documentation, "Supported `_sunder_` names" and "When to use `__new__()` vs. `__init__()`". Followed
are bodies that only assign, choose and return.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...ir.values import Constant, Sequence, Value
from ...syntax.declarations import ClassDecl, Definition, FunctionDecl
from ...syntax.expressions import Attribute, Call, Expr, Name
from ...syntax.plain import Assign, Return
from ..constants import Constants, NotConstant
from ..symbols import ClassSymbol, KnownSymbol
from .kinds import Ancestry

if TYPE_CHECKING:
    from ..types import TypeReader

_NEW, _NEXT = "__new__", "_generate_next_value_"
_VALUE, _MISSING = "_value_", "_missing_"
_MAKING = ("__new__", "__init__", "__call__", "__prepare__")


class ValueMethods(Struct, frozen=True, eq=False):
    """The methods of an enum that set its members' values."""

    new: FunctionDecl | None = None
    following: FunctionDecl | None = None


def value_methods(types: TypeReader, found: Ancestry) -> ValueMethods | str:
    """The methods that set values, own or inherited; or what else does, in a way that is not followed."""
    known: dict[str, FunctionDecl] = {}
    for owner in found.classes:
        if _VALUE in owner.body.bindings:
            return f"`{_VALUE}`"
        if owner.sets_attribute(_VALUE, except_in=(_NEW, _MISSING)):
            return "its methods"
        metaclass = owner.keywords.get("metaclass")
        symbol = types.resolver.resolve(metaclass.expr, owner.signature_scope) if metaclass is not None else None
        if isinstance(symbol, ClassSymbol) and any(name in symbol.decl.body.bindings for name in _MAKING):
            return f"its metaclass `{symbol.decl.name}`"
        for name in (_NEW, _NEXT):
            if name in owner.body.bindings and name not in known:
                decl = _method(owner, name, types)
                if decl is None:
                    return f"`{name}`"
                known[name] = decl
    return ValueMethods(known.get(_NEW), known.get(_NEXT))


def _method(owner: ClassDecl, name: str, types: TypeReader) -> FunctionDecl | None:
    """The one method of that name, static or not decorated, that can be followed; None if it is anything else."""
    bindings = owner.body.bindings[name]
    decl = bindings[0].decl if len(bindings) == 1 and isinstance(bindings[0], Definition) else None
    if not isinstance(decl, FunctionDecl) or bindings[0].guards or decl.plain_body is None:
        return None
    static = KnownSymbol("builtins.staticmethod")
    symbols = (types.resolver.dealias(types.resolver.resolve(each.expr, owner.body)) for each in decl.decorators)
    return decl if all(symbol == static for symbol in symbols) else None


def following(
    decl: FunctionDecl, name: str, before: list[Constant], call: Call, constants: Constants
) -> Value | NotConstant:
    """What `auto()` gives by a `_generate_next_value_` of the enum's own."""
    from ..functions import called_with

    given = (Constant(name), Constant(1), Constant(len(before)), Sequence("list", tuple(before)))
    return called_with(decl, given, call, constants)


def made_by_new(decl: FunctionDecl, written: Value, expr: Expr, constants: Constants) -> Value | NotConstant:
    """The value that `__new__` sets for a member, from what is written for it."""
    from ..functions import bind, with_arguments  # few enums have methods that set values

    refused = NotConstant("what `__new__` sets it to is not followed", expr.pos)
    arguments = written.items if isinstance(written, Sequence) and written.kind == "tuple" else (written,)
    scope = with_arguments(decl, (Constant(None), *arguments), expr, constants)
    if isinstance(scope, NotConstant):
        return scope
    member, value = "", None
    for step in decl.plain_body or ():
        if isinstance(step, Return):
            returned = step.value.expr
            known = isinstance(returned, Name) and returned.id == member and value is not None
            return value if known and value is not None else refused
        if not isinstance(step, Assign):
            return refused
        target, source = step.target.expr, step.value.expr
        if isinstance(target, Name) and _makes_member(source):
            member = target.id
        elif isinstance(target, Attribute):
            if not isinstance(target.value, Name) or target.value.id != member:
                return refused
            if target.attr == _VALUE:
                value = constants.evaluate(source, scope)
                if isinstance(value, NotConstant):
                    return value
        else:
            given = constants.evaluate(source, scope)
            inside = given if isinstance(given, NotConstant) else bind(target, given, scope)
            if isinstance(inside, NotConstant):
                return inside
            scope = inside
    return refused


def _makes_member(expr: Expr) -> bool:
    """Whether this is `str.__new__(cls, …)` or the like."""
    return isinstance(expr, Call) and isinstance(expr.func, Attribute) and expr.func.attr == "__new__"
