"""Named tuples: `class X(NamedTuple)`, `NamedTuple("X", [...])` and `collections.namedtuple`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Anything, Field, ObjectDefinition, ObjectKind
from ...ir.values import Constant as ConstantValue
from ...ir.values import Sequence
from ...syntax.declarations import ClassDecl
from ...syntax.expressions import Call, Constant, Expr, ListDisplay, Tuple
from ..symbols import KnownSymbol, ValueSymbol
from .fields import field_subject, is_pydantic_field, make_field
from .kinds import Ancestry, other_base
from .members import Member, annotated_members, known_members

if TYPE_CHECKING:
    from ..types import TypeReader


def read_named_tuple(
    types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """The definition of a class with the base `NamedTuple`; a subclass of one adds no fields."""
    owner = next(owner for owner in found.classes if _is_declared_by(owner, types))
    if (other := other_base(owner, types.resolver, "typing.NamedTuple")) is not None:
        message = f"named tuple `{owner.name}` has another base than `NamedTuple`, which Python refuses"
        types.sink.add(rules.INVALID_CLASS.at(owner.scope.module.file.span(other), message, labels=via))
        return None
    members = known_members(types, decl, annotated_members(owner, types), "field", via)
    fields = [_field(types, decl, owner, member, via) for member in members or ()]
    known = tuple(field for field in fields if field is not None)
    if members is None or len(known) != len(fields):
        return None
    late = next((late for early, late in pairwise(known) if late.required and not early.required), None)
    if late is not None:
        message = f"field `{late.name}` of named tuple `{decl.name}` has no default, and stands behind one that has"
        types.sink.add(rules.INVALID_CLASS.at(late.span, message, labels=via))
        return None
    if "__new__" in decl.body.bindings:
        span = decl.scope.module.file.span(decl.name_pos)
        message = f"named tuple `{decl.name}` defines `__new__`, so its constructor can't be known to take its fields"
        types.sink.add(rules.INVALID_CLASS.at(span, message, labels=via))
        return None
    file = decl.scope.module.file
    return ObjectDefinition(
        ObjectKind.NAMED_TUPLE,
        file.module,
        decl.qualname,
        known,
        None,
        False,
        file.span(decl.name_pos),
    )


def _is_declared_by(owner: ClassDecl, types: TypeReader) -> bool:
    bases = (types.resolver.base_symbol(base.expr, owner) for base in owner.bases)
    return KnownSymbol("typing.NamedTuple") in bases


def _field(
    types: TypeReader, decl: ClassDecl, owner: ClassDecl, member: Member, via: tuple[Label, ...]
) -> Field | None:
    scope = owner.body
    subject = field_subject(decl.name, member.name, via)
    assert member.annotation is not None
    if member.name.startswith("_"):
        message = f"{subject.text} starts with an underscore, which a named tuple refuses"
        types.report(rules.INVALID_CLASS, member.pos, scope, subject, message)
        return None
    value = member.value
    if is_pydantic_field(types, value, scope, subject):
        return None
    default = types.constants.evaluate(value, scope) if value is not None else None
    return make_field(
        types,
        member.name,
        member.pos,
        member.annotation,
        scope,
        subject,
        required=default is None,
        default=default,
        default_pos=value.pos if value is not None else None,
        keyed=False,
    )


def read_named_tuple_call(
    types: TypeReader, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """`X = NamedTuple("X", [("a", int)])` or `X = namedtuple("X", "a b")`."""
    file = symbol.scope.module.file
    span = file.span(call.pos)
    declared = call.args[1] if len(call.args) == 2 else None
    if "<locals>" in symbol.qualname:
        message = f"`{symbol.name}` is defined inside a function, where a decoder can't import it from"
        types.sink.add(rules.LOCAL_CLASS.at(span, message, labels=via))
        return None
    pairs = _typed_names(declared) if name == "typing.NamedTuple" else None
    names = _plain_names(types, declared, symbol) if name == "collections.namedtuple" and not call.keywords else None
    given = names if pairs is None else [key for key, _ in pairs]
    if given is None or len(set(given)) != len(given) or any(key.startswith("_") for key in given):
        message = f"the fields of the named tuple `{symbol.name}` can't be known from the source"
        types.sink.add(rules.INVALID_CLASS.at(span, message, labels=via))
        return None
    fields: list[Field | None] = []
    for item in names or ():
        fields.append(Field(item, item, Anything(), True, None, None, None, span))
    for key, annotation in pairs or ():
        subject = field_subject(symbol.name, key, via)
        fields.append(
            make_field(
                types,
                key,
                annotation.pos,
                annotation,
                symbol.scope,
                subject,
                required=True,
                default=None,
                default_pos=None,
                keyed=False,
            )
        )
    known = tuple(field for field in fields if field is not None)
    if len(known) != len(fields):
        return None
    return ObjectDefinition(ObjectKind.NAMED_TUPLE, file.module, symbol.qualname, known, None, False, span)


def _typed_names(declared: Expr | None) -> list[tuple[str, Expr]] | None:
    if not isinstance(declared, (ListDisplay, Tuple)):
        return None
    pairs: list[tuple[str, Expr]] = []
    for item in declared.items:
        if not isinstance(item, Tuple) or len(item.items) != 2:
            return None
        key, annotation = item.items
        if not isinstance(key, Constant) or not isinstance(key.value, str):
            return None
        pairs.append((key.value, annotation))
    return pairs


def _plain_names(types: TypeReader, declared: Expr | None, symbol: ValueSymbol) -> list[str] | None:
    value = types.constants.evaluate(declared, symbol.scope) if declared is not None else None
    if isinstance(value, ConstantValue) and isinstance(value.value, str):
        return value.value.replace(",", " ").split()
    if isinstance(value, Sequence):
        names = [item.value if isinstance(item, ConstantValue) else None for item in value.items]
        return [name for name in names if isinstance(name, str)] if all(isinstance(n, str) for n in names) else None
    return None
