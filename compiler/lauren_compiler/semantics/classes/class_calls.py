"""Classes that a call makes: what holds for each way to make one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import ObjectDefinition
from ...syntax.expressions import Call
from ...syntax.made_classes import as_annotated, as_decorated
from ..symbols import ValueSymbol

if TYPE_CHECKING:
    from ..types import TypeReader


def read_attrs_call(
    types: TypeReader, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """`X = attrs.make_class("X", {"a": attrs.field(type=int)})`, which is `attr.s(these=…)` of an empty class.

    Source: the code of `attrs.make_class`.
    """
    from .attrs_class import read_attrs_class

    if is_local(types, symbol, call, via):
        return None
    decl = as_decorated(symbol.name, symbol.scope)
    if decl is not None:
        return read_attrs_class(types, decl, via)
    refuse(types, symbol, call, name, via)
    return None


def read_model_call(
    types: TypeReader, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """`X = pydantic.create_model("X", a=(int, 3), __base__=Base)`, which is a class with these fields.

    Source: pydantic's documentation of dynamic model creation.
    """
    from .kinds import ancestry
    from .pydantic_model import read_model

    if is_local(types, symbol, call, via):
        return None
    decl = as_annotated(symbol.name, symbol.scope)
    if decl is None or not types.classes.is_model(decl):
        refuse(types, symbol, call, name, via)
        return None
    definition = read_model(types, decl, ancestry(decl, types.resolver), via)
    return definition if definition is None or types.classes.can_build(decl, definition, via) else None


def refuse(types: TypeReader, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]) -> None:
    """Report a class that is made by a call which says more of it than is read."""
    message = f"`{symbol.name}`, a class made by `{name}`, is not covered by this version"
    help = "write it as a class statement"
    types.sink.add(rules.TYPE_NOT_COVERED.at(symbol.scope.module.file.span(call.pos), message, labels=via, help=help))


def is_local(types: TypeReader, symbol: ValueSymbol, call: Call, via: tuple[Label, ...]) -> bool:
    """Whether a class is made inside a function, which is reported: a decoder could not import it."""
    if "<locals>" not in symbol.qualname:
        return False
    message = f"`{symbol.name}` is defined inside a function, where a decoder can't import it from"
    types.sink.add(rules.LOCAL_CLASS.at(symbol.scope.module.file.span(call.pos), message, labels=via))
    return True
