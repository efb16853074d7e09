"""Dataclasses, as `dataclasses.fields` and the generated `__init__` see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Field, ObjectDefinition, ObjectKind
from ...ir.values import Factory, Value
from ...source.file import Pos
from ...syntax.declarations import Assignment, ClassDecl, Scope
from ...syntax.expressions import Attribute, Call, Constant, Expr, Name, Subscript
from ..constants import NotConstant
from ..metadata import Metadata
from ..symbols import KnownSymbol, Symbol
from .fields import annotated_members, description, field_subject, make_field
from .kinds import Ancestry, decorator_call

if TYPE_CHECKING:
    from ..types import TypeReader


@dataclass(frozen=True, slots=True)
class _Declared:
    """A field as its class body declares it."""

    member: Assignment
    annotation: Expr
    owner: ClassDecl
    default: Value | Factory | NotConstant | None
    default_pos: Pos | None
    init: bool
    keyword_only: bool
    more: Metadata | None = None


def read_dataclass(
    types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """The definition of a dataclass, inherited fields first; None, reported, if it can't be built from its fields."""
    if not _has_generated_init(types, decl, found, via):
        return None
    declared: dict[str, _Declared] = {}
    sound = True
    for owner in reversed(found.classes):
        is_dataclass, call = decorator_call(owner, "dataclasses.dataclass", types.resolver)
        if is_dataclass:
            sound = _collect(types, owner, _flag(call, "kw_only", False), declared, via) and sound
    fields: list[Field] = []
    for item in sorted(declared.values(), key=lambda item: item.keyword_only):
        field = _field(types, decl, item, via)
        sound = sound and (field is not None or not item.init)
        if field is not None:
            fields.append(field)
    if not sound:
        return None
    _, call = decorator_call(decl, "dataclasses.dataclass", types.resolver)
    if _flag(call, "eq", True) and not _flag(call, "frozen", False) and not _flag(call, "unsafe_hash", False):
        if "__hash__" not in decl.body.bindings:
            types.classes.unhashable.add(decl.key)
    module = decl.scope.module.file
    span = module.span(decl.name_pos)
    return ObjectDefinition(
        ObjectKind.DATACLASS, module.module, decl.qualname, tuple(fields), description(decl), False, span
    )


def _has_generated_init(types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]) -> bool:
    """Whether the constructor is the one `dataclass` generates; reported if not."""
    for owner in found.classes:
        is_dataclass, call = decorator_call(owner, "dataclasses.dataclass", types.resolver)
        own = [name for name in ("__init__", "__new__") if name in owner.body.bindings]
        if own or (is_dataclass and not _flag(call, "init", True)):
            what = f"defines `{own[0]}`" if own else "is made with `init=False`"
            message = f"dataclass `{decl.name}` {what}, so its constructor can't be known to take its fields"
            place = owner.scope.module.file.span(owner.name_pos)
            types.sink.add(rules.INVALID_CLASS.at(place, message, labels=via))
            return False
        if is_dataclass:
            return True
    return True


def _collect(
    types: TypeReader,
    owner: ClassDecl,
    keyword_only: bool,
    declared: dict[str, _Declared],
    via: tuple[Label, ...],
) -> bool:
    """Add the fields one class declares; False, reported, if one can't be read."""
    sound = True
    for member in annotated_members(owner, types):
        assert member.annotation is not None
        annotation = member.annotation.expr
        qualifier = _qualifier(types, annotation, owner)
        if qualifier == KnownSymbol("dataclasses.KW_ONLY"):
            keyword_only = True
        elif qualifier == KnownSymbol("dataclasses.InitVar"):
            subject = field_subject(owner.name, member.name, via)
            message = f"`InitVar`, the type of {subject.text}, is not covered by this version"
            types.report(rules.TYPE_NOT_COVERED, annotation.pos, owner.body, subject, message)
            sound = False
        elif qualifier != KnownSymbol("typing.ClassVar"):
            if qualifier == KnownSymbol("typing.Final") and isinstance(annotation, Subscript):
                annotation = annotation.index
            item = _declare(types, member, annotation, owner, keyword_only)
            declared[member.name] = item
    return sound


def _qualifier(types: TypeReader, annotation: Expr, owner: ClassDecl) -> Symbol | None:
    """What stands outermost in an annotation, quoted or not."""
    if isinstance(annotation, Constant) and isinstance(annotation.value, str):
        subject = field_subject(owner.name, "", ())
        unquoted = types.unquoted(annotation, owner.body, subject)
        if unquoted is None:
            return None
        annotation = unquoted
    target = annotation.value if isinstance(annotation, Subscript) else annotation
    if isinstance(target, (Name, Attribute)):
        return types.resolver.dealias(types.resolver.resolve(target, owner.body))
    return None


def _declare(
    types: TypeReader, member: Assignment, annotation: Expr, owner: ClassDecl, keyword_only: bool
) -> _Declared:
    if member.value is None:
        return _Declared(member, annotation, owner, None, None, True, keyword_only)
    value = member.value.expr
    call = value if isinstance(value, Call) else None
    if call is None or types.resolver.resolve(call.func, owner.body) != KnownSymbol("dataclasses.field"):
        constant = types.constants.evaluate(value, owner.body)
        return _Declared(member, annotation, owner, constant, value.pos, True, keyword_only)
    metadata = call.keyword("metadata")
    default, pos = _field_default(types, call, owner)
    return _Declared(
        member,
        annotation,
        owner,
        default,
        pos,
        _flag(call, "init", True),
        _flag(call, "kw_only", keyword_only),
        types.metadata.mapping(metadata, owner.body) if metadata is not None else None,
    )


def _field_default(
    types: TypeReader, call: Call, owner: ClassDecl
) -> tuple[Value | Factory | NotConstant | None, Pos | None]:
    """The default in a `field(...)`, and its place."""
    if (given := call.keyword("default")) is not None:
        return types.constants.evaluate(given, owner.body), given.pos
    if (factory := call.keyword("default_factory")) is not None:
        made = types.metadata.factory(factory, owner.body)
        return made if isinstance(made, Factory) else Factory("", ""), factory.pos
    return None, None


def _flag(call: Call | None, name: str, default: bool) -> bool:
    value = call.keyword(name) if call is not None else None
    return bool(value.value) if isinstance(value, Constant) else default


def _field(types: TypeReader, decl: ClassDecl, item: _Declared, via: tuple[Label, ...]) -> Field | None:
    scope: Scope = item.owner.body
    subject = field_subject(decl.name, item.member.name, via)
    if not item.init:
        place = scope.module.file.span(item.member.pos)
        message = f"{subject.text} is not in the schema: its constructor does not take it"
        types.sink.add(rules.EXCLUDED_MEMBER.at(place, message, label="`init=False`"))
        return None
    required = item.default is None
    return make_field(
        types,
        item.member,
        item.annotation,
        scope,
        subject,
        required=required,
        default=item.default,
        default_pos=item.default_pos,
        more=item.more,
    )
