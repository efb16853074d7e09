"""Named tuples: `class X(NamedTuple)`, `NamedTuple("X", [...])`, `collections.namedtuple`, and classes based on these.

Sources: the documentation of `typing.NamedTuple` and `collections.namedtuple`; what pydantic makes of their fields.
"""

from __future__ import annotations

from collections.abc import Sequence as SequenceOf
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Anything, Default, Field, ObjectDefinition, ObjectKind
from ...ir.values import Constant as ConstantValue
from ...ir.values import Sequence, Value
from ...source.file import Pos
from ...source.span import Span
from ...syntax.declarations import ClassDecl, Scope
from ...syntax.expressions import Call, Constant, Expr, ListDisplay, Tuple
from ..constants import NotConstant
from ..defaults import schema_default
from ..symbols import KnownSymbol, ValueSymbol
from .class_calls import is_local
from .fields import field_subject, is_pydantic_field, make_field
from .kinds import Ancestry, other_base
from .members import Member, annotated_members, known_members

if TYPE_CHECKING:
    from ..types import TypeReader


_PROHIBITED = frozenset(
    """
    __new__ __init__ __slots__ __getnewargs__ _fields _field_defaults _field_types _make _replace _asdict _source
    """.split()
)
"""What a class with the base `NamedTuple` can't have of its own."""


class _Declared(Struct, frozen=True):
    """A field as it is declared; without an annotation it may be anything."""

    name: str
    pos: Pos
    annotation: Expr | None
    scope: Scope
    default: Value | NotConstant | None = None
    default_pos: Pos | None = None


def read_named_tuple(
    types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """The definition of a class with the base `NamedTuple`, or with one that a call makes; a subclass of either adds no
    fields."""
    called = next((base for base in found.called if base.name != "typing.TypedDict"), None)
    if called is not None:
        declared = _of_call(types, decl.name, called.call, called.scope, called.name, via)
        declared = declared and _annotated(types, found.classes, declared)
    else:
        declared = _of_class(types, decl, found, via)
    fields = None if declared is None else _fields(types, decl.name, declared, via)
    if fields is None:
        return None
    if "__new__" in decl.body.bindings:
        span = decl.scope.module.file.span(decl.name_pos)
        message = f"named tuple `{decl.name}` defines `__new__`, so its constructor can't be known to take its fields"
        types.sink.add(rules.INVALID_CLASS.at(span, message, labels=via))
        return None
    file = decl.scope.module.file
    span = file.span(decl.name_pos)
    return ObjectDefinition(ObjectKind.NAMED_TUPLE, file.module, decl.qualname, fields, None, False, span)


def read_named_tuple_call(
    types: TypeReader, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """`X = NamedTuple("X", [("a", int)])` or `X = namedtuple("X", "a b")`."""
    file = symbol.scope.module.file
    span = file.span(call.pos)
    if is_local(types, symbol, call, via):
        return None
    declared = _of_call(types, symbol.name, call, symbol.scope, name, via)
    fields = None if declared is None else _fields(types, symbol.name, declared, via)
    if fields is None:
        return None
    return ObjectDefinition(ObjectKind.NAMED_TUPLE, file.module, symbol.qualname, fields, None, False, span)


def _of_class(
    types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]
) -> SequenceOf[_Declared] | None:
    """The fields that the class with the base `NamedTuple` declares; None, reported, for a class that is none."""
    owner = next(owner for owner in found.classes if _is_declared_by(owner, types))
    if (other := other_base(owner, types.resolver, "typing.NamedTuple")) is not None:
        message = f"named tuple `{owner.name}` has another base than `NamedTuple`, which Python refuses"
        types.sink.add(rules.INVALID_CLASS.at(owner.scope.module.file.span(other), message, labels=via))
        return None
    for name in sorted(_PROHIBITED & owner.body.bindings.keys()):
        message = f"named tuple `{owner.name}` defines `{name}`, which Python refuses"
        types.sink.add(rules.INVALID_CLASS.at(_place(owner, name), message, labels=via))
        return None
    members = known_members(types, decl, annotated_members(owner, types), "field", via)
    if members is None:
        return None
    scope = owner.body
    declared: list[_Declared] = []
    for member in members:
        subject = field_subject(decl.name, member.name, via)
        if member.name.startswith("_"):
            message = f"{subject.text} starts with an underscore, which a named tuple refuses"
            types.report(rules.INVALID_CLASS, member.pos, scope, subject, message)
            return None
        if is_pydantic_field(types, member.value, scope, subject):
            return None
        value = member.value
        default = types.constants.evaluate(value, scope) if value is not None else None
        place = value.pos if value is not None else None
        declared.append(_Declared(member.name, member.pos, member.annotation, scope, default, place))
    for early, late in pairwise(declared):
        if early.default is not None and late.default is None:
            message = f"field `{late.name}` of named tuple `{decl.name}` has no default, and stands behind one that has"
            types.sink.add(rules.INVALID_CLASS.at(scope.module.file.span(late.pos), message, labels=via))
            return None
    return declared


def _place(owner: ClassDecl, name: str) -> Span:
    return owner.scope.module.file.span(owner.body.bindings[name][0].pos)


def _is_declared_by(owner: ClassDecl, types: TypeReader) -> bool:
    bases = (types.resolver.base_symbol(base.expr, owner) for base in owner.bases)
    return KnownSymbol("typing.NamedTuple") in bases


def _annotated(
    types: TypeReader, classes: tuple[ClassDecl, ...], declared: SequenceOf[_Declared]
) -> SequenceOf[_Declared]:
    """The fields of a call with the annotations that classes based on it give them."""
    given: dict[str, tuple[Expr, Scope]] = {}
    for owner in reversed(classes):
        for member in annotated_members(owner, types):
            if isinstance(member, Member) and member.annotation is not None:
                given[member.name] = (member.annotation, owner.body)
    return [
        replace(item, annotation=given[item.name][0], scope=given[item.name][1]) if item.name in given else item
        for item in declared
    ]


def _fields(
    types: TypeReader, name: str, declared: SequenceOf[_Declared], via: tuple[Label, ...]
) -> tuple[Field, ...] | None:
    """The fields; None, reported, if the type of one can't be made."""
    read = [_field(types, name, item, via) for item in declared]
    known = tuple(field for field in read if field is not None)
    return known if len(known) == len(read) else None


def _field(types: TypeReader, name: str, item: _Declared, via: tuple[Label, ...]) -> Field | None:
    subject = field_subject(name, item.name, via)
    if item.annotation is None:
        span, default = item.scope.module.file.span(item.pos), item.default
        shown: Default | None = None
        if default is not None:
            place = item.default_pos or item.pos
            shown = schema_default(default, Anything(), place, item.scope, subject.text, types.definitions, types.sink)
        return Field(item.name, item.name, Anything(), default is None, shown, None, None, span)
    return make_field(
        types,
        item.name,
        item.pos,
        item.annotation,
        item.scope,
        subject,
        required=item.default is None,
        default=item.default,
        default_pos=item.default_pos,
        keyed=False,
    )


def _of_call(
    types: TypeReader, name: str, call: Call, scope: Scope, maker: str, via: tuple[Label, ...]
) -> SequenceOf[_Declared] | None:
    """The fields of `NamedTuple("X", [("a", int)])` or `namedtuple("X", "a b", defaults=[1])`; None, reported, if they
    can't be known."""
    declared = _of_typed(call, scope) if maker == "typing.NamedTuple" else _of_plain(types, call, scope)
    names = [item.name for item in declared or ()]
    if declared is None or len(set(names)) < len(names) or any(each.startswith("_") for each in names):
        message = f"the fields of the named tuple `{name}` can't be known from the source"
        types.sink.add(rules.INVALID_CLASS.at(scope.module.file.span(call.pos), message, labels=via))
        return None
    return declared


def _of_typed(call: Call, scope: Scope) -> list[_Declared] | None:
    listed = call.args[1] if len(call.args) == 2 else call.keyword("fields")
    if not isinstance(listed, (ListDisplay, Tuple)):
        return None
    declared: list[_Declared] = []
    for item in listed.items:
        if not isinstance(item, Tuple) or len(item.items) != 2:
            return None
        key, annotation = item.items
        if not isinstance(key, Constant) or not isinstance(key.value, str):
            return None
        declared.append(_Declared(key.value, annotation.pos, annotation, scope))
    return declared


def _of_plain(types: TypeReader, call: Call, scope: Scope) -> list[_Declared] | None:
    if {word.name for word in call.keywords} - {"typename", "field_names", "defaults", "module"}:
        return None
    listed = call.args[1] if len(call.args) == 2 else call.keyword("field_names")
    given = types.constants.evaluate(listed, scope) if listed is not None else None
    names = _names(given)
    written = call.keyword("defaults")
    defaults = types.constants.evaluate(written, scope) if written is not None else ConstantValue(None)
    values: tuple[Value, ...] = ()
    if isinstance(defaults, Sequence) and defaults.kind in ("list", "tuple"):
        values = defaults.items
    elif defaults != ConstantValue(None):
        return None
    if names is None or len(values) > len(names):
        return None
    first = len(names) - len(values)
    return [
        _Declared(name, call.pos, None, scope, values[index - first] if index >= first else None, call.pos)
        for index, name in enumerate(names)
    ]


def _names(given: Value | NotConstant | None) -> list[str] | None:
    if isinstance(given, ConstantValue) and isinstance(given.value, str):
        return given.value.replace(",", " ").split()
    if isinstance(given, Sequence) and given.kind in ("list", "tuple"):
        names = [item.value for item in given.items if isinstance(item, ConstantValue) and isinstance(item.value, str)]
        return names if len(names) == len(given.items) else None
    return None
