"""What makes an attrs class, and what the arguments of its decorator say.

Source: attrs' API reference, `attrs.define` and `attr.s`; `tests/differential/test_attrs.py` compares.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import Struct

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.values import Constant
from ...syntax.declarations import ClassDecl, Scope
from ...syntax.expressions import Call, Expr
from ..constants import NotConstant
from ..resolver import Resolver
from ..symbols import KnownSymbol, ValueSymbol

if TYPE_CHECKING:
    from ..types import TypeReader

_MODERN: dict[str, bool | None] = {
    "init": None,
    "kw_only": False,
    "force_kw_only": False,
    "auto_attribs": None,
    "eq": None,
    "hash": None,
    "unsafe_hash": None,
    "frozen": False,
    "auto_detect": True,
    "collect_by_mro": True,
}
_CLASSIC = {**_MODERN, "force_kw_only": True, "auto_attribs": False, "auto_detect": False, "collect_by_mro": False}
_MAKERS: dict[str, dict[str, bool | None]] = {
    "attrs.define": _MODERN,
    "attrs.mutable": _MODERN,
    "attrs.frozen": {**_MODERN, "frozen": True},
    "attrs.s": _CLASSIC,
    "attrs.attrs": _CLASSIC,
    "attrs.attributes": _CLASSIC,
    "attrs.make_class": _CLASSIC,
    "attrs.dataclass": {**_CLASSIC, "auto_attribs": True},
}
"""The decorators, with the defaults of those of their arguments that count here."""


class AttrsFlags(Struct, frozen=True):
    """The arguments of a class's decorator. `values` are the flags by name; `these` is the value of that argument, and
    `scope` where it is read."""

    values: dict[str, bool | None]
    these: Expr | None
    scope: Scope

    @property
    def generates_hash(self) -> bool | None:
        """Whether the class gets a `__hash__`; None if it is left as it was, and instances are unequal or hashable."""
        values = self.values
        said = values["hash"] if values["unsafe_hash"] is None else values["unsafe_hash"]
        if said is not None or values["eq"] is False:
            return said or None
        return bool(values["frozen"])


def attrs_maker(decl: ClassDecl, resolver: Resolver) -> tuple[str, Call | None, Scope] | None:
    """The decorator that makes an attrs class, by its known name, its call if it is called, and where that stands.

    `model = attrs.define(kw_only=True)` and then `@model` counts too.
    """
    for decorator in decl.decorators:
        expr, scope = decorator.expr, decl.scope
        call = expr if isinstance(expr, Call) else None
        symbol = resolver.dealias(resolver.resolve(call.func if call is not None else expr, scope))
        if call is None and isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, Call):
            call, scope = symbol.expr, symbol.scope
            symbol = resolver.dealias(resolver.resolve(call.func, scope))
        if isinstance(symbol, KnownSymbol) and symbol.name in _MAKERS:
            return symbol.name, call, scope
    return None


def is_attrs_class(order: Iterable[ClassDecl], types: TypeReader) -> bool:
    """Whether a class or one of its bases is made by attrs."""
    return any(attrs_maker(owner, types.resolver) is not None for owner in order)


def attrs_flags(types: TypeReader, owner: ClassDecl, via: tuple[Label, ...]) -> AttrsFlags | None:
    """What is said of a class that attrs makes; None, reported, if it can't be known."""
    maker = attrs_maker(owner, types.resolver)
    assert maker is not None
    name, call, scope = maker
    values = dict(_MAKERS[name])
    these: Expr | None = None
    unknown = call.args[0] if call is not None and call.args else None
    for word in call.keywords if call is not None else ():
        value = types.constants.evaluate(word.value, scope)
        flag = value.value if isinstance(value, Constant) else value
        if word.name in values and (flag is None or isinstance(flag, bool)):
            # `eq=None` and the like stand for the default.
            values[word.name] = values[word.name] if flag is None else flag
        elif word.name == "these":
            these = word.value if flag is not None else None
        elif word.name is None or word.name in values or (word.name == "field_transformer" and flag is not None):
            unknown = word.value
    if unknown is None:
        return AttrsFlags(values, these, scope)
    value = types.constants.evaluate(unknown, scope)
    label = value.why if isinstance(value, NotConstant) else ""
    message = f"the fields of the attrs class `{owner.name}` can't be known from the source"
    types.sink.add(rules.INVALID_CLASS.at(scope.module.file.span(unknown.pos), message, label=label, labels=via))
    return None
