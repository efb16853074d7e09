"""TypedDicts, in class form and in functional form; each class of an inheritance has its own totality."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Field, ObjectDefinition, ObjectKind
from ...syntax.declarations import ClassDecl, Scope
from ...syntax.expressions import Call, Constant, DictDisplay, Expr, Subscript, Tuple, convert
from ..subject import Subject
from ..symbols import KnownSymbol, ValueSymbol
from .class_config import class_config
from .fields import constant_flag, description, field_subject, make_field
from .kinds import Ancestry, other_base
from .members import Member, annotated_members, known_members
from .model_config import ModelConfig

if TYPE_CHECKING:
    from ..types import TypeReader

_QUALIFIERS = {"typing.Required": True, "typing.NotRequired": False, "typing.ReadOnly": None}


class _Flags(Struct, frozen=True):
    """What the keywords of a TypedDict say."""

    total: bool
    closed: bool


def read_typed_dict(
    types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """The definition of a TypedDict class; None, reported, if a key's type can't be made."""
    config = class_config(types, decl, found.classes, via)
    if config is None:
        return None
    with types.configured(config):
        return _read(types, decl, found, config, via)


def _read(
    types: TypeReader, decl: ClassDecl, found: Ancestry, config: ModelConfig, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    fields: dict[str, Field] = {}
    sound, closed = True, config.extra == "forbid"
    for base in found.called:
        made = _called_fields(types, decl.name, base.call, base.scope, via)
        if made is None:
            return None
        fields.update((field.name, field) for field in made[0])
        closed = closed or made[1]
    for owner in reversed(found.classes):
        if (other := other_base(owner, types.resolver, "typing.TypedDict")) is not None:
            message = f"TypedDict `{owner.name}` has a base that is none, which Python refuses"
            types.sink.add(rules.INVALID_CLASS.at(owner.scope.module.file.span(other), message, labels=via))
            return None
        words = {word.arg: convert(word.value) for word in owner.stem.keywords}
        flags = _flags(types, decl.name, words, owner.signature_scope, via)
        members = known_members(types, decl, annotated_members(owner, types), "key", via)
        if flags is None or members is None:
            sound = False
            continue
        closed = closed or flags.closed
        for member in members:
            assert member.annotation is not None
            field = _key(types, decl.name, member, owner.body, flags.total, via)
            if field is None:
                sound = False
            else:
                fields[field.name] = field
    if not sound:
        return None
    file = decl.scope.module.file
    return ObjectDefinition(
        ObjectKind.TYPED_DICT,
        file.module,
        decl.qualname,
        tuple(fields.values()),
        config.more.description or description(decl),
        closed,
        file.span(decl.name_pos),
        config.more.title or config.title,
        config.extra == "allow" and not closed,
        keywords=config.more.schema_keywords,
    )


def read_typed_dict_call(
    types: TypeReader, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """`X = TypedDict("X", {"key": type}, total=False)`."""
    made = _called_fields(types, symbol.name, call, symbol.scope, via)
    if made is None:
        return None
    fields, closed = made
    file, extra = symbol.scope.module.file, types.config.extra
    return ObjectDefinition(
        ObjectKind.TYPED_DICT,
        file.module,
        symbol.qualname,
        fields,
        None,
        closed or extra == "forbid",
        file.span(call.pos),
        keeping=extra == "allow" and not closed,
    )


def _called_fields(
    types: TypeReader, name: str, call: Call, scope: Scope, via: tuple[Label, ...]
) -> tuple[tuple[Field, ...], bool] | None:
    """The keys of `TypedDict("X", {"key": type})`, and whether there may be no others; None, reported, if they can't be
    known."""
    file = scope.module.file
    display = call.args[1] if len(call.args) == 2 else None
    if not isinstance(display, DictDisplay):
        message = f"the keys of the TypedDict `{name}` can't be known from the source"
        types.sink.add(rules.INVALID_CLASS.at(file.span(call.pos), message, labels=via))
        return None
    flags = _flags(types, name, {word.name: word.value for word in call.keywords}, scope, via)
    fields: dict[str, Field] = {}
    sound = flags is not None
    for key, annotation in display.items:
        if not (isinstance(key, Constant) and isinstance(key.value, str)):
            message = f"a key of the TypedDict `{name}` is no string"
            types.sink.add(rules.INVALID_CLASS.at(file.span(annotation.pos), message, labels=via))
            return None
        member = Member(key.value, key.pos, annotation, None)
        field = _key(types, name, member, scope, flags is None or flags.total, via)
        sound = sound and field is not None
        if field is not None:
            fields[field.name] = field
    return (tuple(fields.values()), flags.closed) if flags is not None and sound else None


def _flags(
    types: TypeReader, name: str, words: Mapping[str | None, Expr], scope: Scope, via: tuple[Label, ...]
) -> _Flags | None:
    """The keywords of a TypedDict; None, reported, if one can't be known or is not covered."""
    values: dict[str, bool | None] = {"total": True, "closed": False}
    sound = True
    for word, expr in words.items():
        if word in values:
            what = f"`{word}` of the TypedDict `{name}`"
            values[word] = constant_flag(types, expr, scope, bool(values[word]), what, via)
            continue
        shown = f"`{word}=`" if word else "`**`"
        message = f"{shown} of the TypedDict `{name}` is not covered by this version"
        types.sink.add(rules.TYPE_NOT_COVERED.at(scope.module.file.span(expr.pos), message, labels=via))
        sound = False
    total, closed = values.values()
    return _Flags(total, closed) if sound and total is not None and closed is not None else None


def _key(
    types: TypeReader, owner: str, member: Member, scope: Scope, total: bool, via: tuple[Label, ...]
) -> Field | None:
    subject = field_subject(owner, member.name, via)
    assert member.annotation is not None
    annotation, required = _unqualified(types, member.annotation, scope, subject)
    if annotation is None:
        return None
    required = total if required is None else required
    return make_field(
        types,
        member.name,
        member.pos,
        annotation,
        scope,
        subject,
        required=required,
        default=None,
        default_pos=None,
    )


def _unqualified(
    types: TypeReader, annotation: Expr, scope: Scope, subject: Subject
) -> tuple[Expr | None, bool | None]:
    """A key's annotation without `Required` and the like, and what they say; PEP 655 has them in `Annotated` too."""
    expr = types.unquoted(annotation, scope, subject)
    if not isinstance(expr, Subscript):
        return expr, None
    arguments = types.annotated_arguments(expr, scope)
    if arguments is not None:
        inner, required = _unqualified(types, arguments[0], scope, subject)
        if inner is None:
            return None, None
        index = Tuple(expr.index.pos, (inner, *arguments[1:]))
        return Subscript(expr.pos, expr.value, index), required
    symbol = types.resolver.dealias(types.resolver.resolve(expr.value, scope))
    if not isinstance(symbol, KnownSymbol) or symbol.name not in _QUALIFIERS:
        return expr, None
    inner, required = _unqualified(types, expr.index, scope, subject)
    said = _QUALIFIERS[symbol.name]
    return inner, required if said is None else said
