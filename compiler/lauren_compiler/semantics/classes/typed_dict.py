"""TypedDicts, in class form and in functional form; each class of an inheritance has its own totality."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Field, ObjectDefinition, ObjectKind
from ...syntax.declarations import Assignment, ClassDecl, Lazy, Scope
from ...syntax.expressions import Call, Constant, DictDisplay, Expr, Subscript
from ..symbols import KnownSymbol, ValueSymbol
from .fields import annotated_members, description, field_subject, make_field
from .kinds import Ancestry

if TYPE_CHECKING:
    from ..types import TypeReader

_QUALIFIERS = {"typing.Required": True, "typing.NotRequired": False, "typing.ReadOnly": None}


def read_typed_dict(
    types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """The definition of a TypedDict class; None, reported, if a key's type can't be made."""
    fields: dict[str, Field] = {}
    sound = True
    for owner in reversed(found.classes):
        total = _constant_flag(owner.keywords.get("total"), True)
        for member in annotated_members(owner, types):
            assert member.annotation is not None
            field = _key(types, decl.name, member, member.annotation.expr, owner.body, total, via)
            if field is None:
                sound = False
            else:
                fields[field.name] = field
    closed = any(_constant_flag(owner.keywords.get("closed"), False) for owner in found.classes)
    if not sound:
        return None
    file = decl.scope.module.file
    return ObjectDefinition(
        ObjectKind.TYPED_DICT,
        file.module,
        decl.qualname,
        tuple(fields.values()),
        description(decl),
        closed,
        file.span(decl.name_pos),
    )


def read_typed_dict_call(
    types: TypeReader, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """`X = TypedDict("X", {"key": type}, total=False)`."""
    scope = symbol.scope
    file = scope.module.file
    display = call.args[1] if len(call.args) == 2 else None
    if not isinstance(display, DictDisplay):
        message = f"the keys of the TypedDict `{symbol.name}` can't be known from the source"
        types.sink.add(rules.INVALID_CLASS.at(file.span(call.pos), message, labels=via))
        return None
    given = call.keyword("total")
    total = bool(given.value) if isinstance(given, Constant) else True
    fields: list[Field] = []
    sound = True
    for key, annotation in display.items:
        if not (isinstance(key, Constant) and isinstance(key.value, str)):
            message = f"a key of the TypedDict `{symbol.name}` is no string"
            types.sink.add(rules.INVALID_CLASS.at(file.span(annotation.pos), message, labels=via))
            return None
        member = Assignment(key.value, key.pos, 0, None, None, None)
        field = _key(types, symbol.name, member, annotation, scope, total, via)
        sound = sound and field is not None
        if field is not None:
            fields.append(field)
    if not sound:
        return None
    return ObjectDefinition(
        ObjectKind.TYPED_DICT, file.module, symbol.qualname, tuple(fields), None, False, file.span(call.pos)
    )


def _key(
    types: TypeReader,
    owner: str,
    member: Assignment,
    annotation: Expr,
    scope: Scope,
    total: bool,
    via: tuple[Label, ...],
) -> Field | None:
    subject = field_subject(owner, member.name, via)
    required = total
    unquoted = types.unquoted(annotation, scope, subject)
    while isinstance(unquoted, Subscript):
        symbol = types.resolver.dealias(types.resolver.resolve(unquoted.value, scope))
        if not isinstance(symbol, KnownSymbol) or symbol.name not in _QUALIFIERS:
            break
        qualified = _QUALIFIERS[symbol.name]
        required = required if qualified is None else qualified
        unquoted = types.unquoted(unquoted.index, scope, subject)
    if unquoted is None:
        return None
    return make_field(types, member, unquoted, scope, subject, required=required, default=None, default_pos=None)


def _constant_flag(value: Lazy | None, default: bool) -> bool:
    expr = value.expr if value is not None else None
    return bool(expr.value) if isinstance(expr, Constant) else default
