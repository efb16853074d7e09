"""Methods of enums that have a say in their members' values: `__new__` and `_generate_next_value_`.

Source: the `enum` documentation ("When to use `__new__()` vs. `__init__()`", "`_generate_next_value_`"). Followed are a
`__new__` that makes the object and gives its attributes what it was passed, and what `functions.py` can follow.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from ...ir.values import Constant, Sequence, Value
from ...source.file import Pos
from ...syntax.declarations import ClassDecl, Definition, FunctionDecl, Lazy
from ..constants import NotConstant
from ..functions import followed, inside_of
from ..symbols import ClassSymbol, KnownSymbol
from .kinds import Ancestry

if TYPE_CHECKING:
    from ..types import TypeReader

_VALUE = "_value_"
_MAKING = ("__new__", "__init__", "__call__", "__prepare__")


class Methods(Struct, frozen=True):
    """`new` with what it gives to `_value_`, and what `auto()` asks, as far as a class or a base has its own."""

    new: FunctionDecl | None = None
    given: Lazy | None = None
    next: FunctionDecl | None = None

    def value(self, value: Value, pos: Pos, types: TypeReader) -> Value | NotConstant:
        """The value of a member that is written as `value`: a tuple holds the arguments of `__new__`."""
        if self.new is None or self.given is None:
            return value
        arguments = value.items if isinstance(value, Sequence) and value.kind == "tuple" else (value,)
        # `cls` is no constant, and what is given to the value does not ask for it.
        inside = inside_of(self.new, (Constant(None), *arguments), pos, types.constants)
        return inside if isinstance(inside, NotConstant) else types.constants.evaluate(self.given.expr, inside)

    def next_value(self, name: str, before: list[Constant], pos: Pos, types: TypeReader) -> Value | NotConstant | None:
        """What `auto()` gives; None where that is the library's to say."""
        if self.next is None:
            return None
        arguments = (Constant(name), Constant(1), Constant(len(before)), Sequence("list", tuple(before)))
        return followed(self.next, arguments, pos, types.constants)


Refused: TypeAlias = str
"""What sets the values and can't be followed."""


def methods_of(types: TypeReader, found: Ancestry) -> Methods | Refused:
    """The methods of an enum class, its own or inherited."""
    new = follow = None
    given: Lazy | None = None
    for owner in found.classes:
        if _VALUE in owner.body.bindings:
            return f"`{_VALUE}`"
        if owner.sets_attribute(_VALUE, except_in=("__new__", "_missing_")):
            return "its methods"
        metaclass = owner.keywords.get("metaclass")
        symbol = types.resolver.resolve(metaclass.expr, owner.signature_scope) if metaclass is not None else None
        if isinstance(symbol, ClassSymbol) and any(name in symbol.decl.body.bindings for name in _MAKING):
            return f"its metaclass `{symbol.decl.name}`"
        if new is None and "__new__" in owner.body.bindings:
            new = _method(owner, "__new__", types)
            given = new.given_to(_VALUE) if new is not None else None
            if given is None:
                return "`__new__`"
        if follow is None and "_generate_next_value_" in owner.body.bindings:
            follow = _method(owner, "_generate_next_value_", types)
            if follow is None or follow.plain_body is None:
                return "`_generate_next_value_`"
    return Methods(new, given, follow)


def _method(owner: ClassDecl, name: str, types: TypeReader) -> FunctionDecl | None:
    """The one method of that name, static or not decorated; None if there is anything else."""
    bindings = owner.body.bindings[name]
    decl = bindings[0].decl if len(bindings) == 1 and isinstance(bindings[0], Definition) else None
    if not isinstance(decl, FunctionDecl) or decl.is_async or bindings[0].guards:
        return None
    static = KnownSymbol("builtins.staticmethod")
    symbols = (types.resolver.dealias(types.resolver.resolve(each.expr, owner.body)) for each in decl.decorators)
    return decl if all(symbol == static for symbol in symbols) else None
