"""Dataclasses, as `dataclasses.fields` and the generated `__init__` see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Field, ObjectDefinition, ObjectKind
from ...ir.values import Factory, Value
from ...source.file import Pos
from ...syntax.declarations import ClassDecl, Scope
from ...syntax.expressions import Attribute, Call, Constant, Expr, Name, Subscript
from ..constants import NotConstant
from ..resolver import Resolver
from ..said import Metadata
from ..symbols import KnownSymbol, Symbol, ValueSymbol
from .fields import constant_flag, description, field_subject, is_missing, is_pydantic_field, make_field
from .kinds import Ancestry, decorator_call
from .members import Member, annotated_members, known_members

if TYPE_CHECKING:
    from ..types import TypeReader


_DEFAULT_FLAGS = {"init": True, "eq": True, "unsafe_hash": False, "frozen": False, "kw_only": False}


@dataclass(frozen=True, slots=True)
class _Declared:
    """A field as its class body declares it."""

    name: str
    pos: Pos
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
    flags = {owner: _flags(types, owner, via) for owner in found.classes if is_dataclass(owner, types.resolver)}
    if None in flags.values() or not _has_generated_init(types, decl, found, flags, via):
        return None
    declared: dict[str, _Declared] = {}
    sound = True
    for owner in reversed(found.classes):
        own = flags.get(owner)
        if own is not None:
            sound = _collect(types, owner, own["kw_only"], declared, via) and sound
    fields: list[Field] = []
    for item in sorted(declared.values(), key=lambda item: item.keyword_only):
        field = _field(types, decl, item, via)
        sound = sound and (field is not None or not item.init)
        if field is not None:
            fields.append(field)
    if not sound:
        return None
    own = flags.get(decl)
    if own is not None and own["eq"] and not own["frozen"] and not own["unsafe_hash"]:
        if "__hash__" not in decl.body.bindings:
            types.classes.unhashable.add(types.classes.key(decl))
    module = decl.scope.module.file
    span = module.span(decl.name_pos)
    return ObjectDefinition(
        ObjectKind.DATACLASS, module.module, decl.qualname, tuple(fields), description(decl), False, span
    )


def refuse_dataclass_call(
    types: TypeReader, symbol: ValueSymbol, call: Call, name: str, via: tuple[Label, ...]
) -> ObjectDefinition | None:
    """`X = make_dataclass("X", …)`: reported, never read."""
    message = f"`{symbol.name}`, a dataclass made by a call, is not covered by this version"
    span = symbol.scope.module.file.span(call.pos)
    types.sink.add(rules.TYPE_NOT_COVERED.at(span, message, labels=via))
    return None


def is_dataclass(decl: ClassDecl, resolver: Resolver) -> bool:
    """Whether the class itself is decorated with `dataclass`."""
    return decorator_call(decl, "dataclasses.dataclass", resolver)[0]


def _flags(types: TypeReader, owner: ClassDecl, via: tuple[Label, ...]) -> dict[str, bool] | None:
    """The arguments of a class's `@dataclass(...)` that count here; None, reported, if one can't be known."""
    _, call = decorator_call(owner, "dataclasses.dataclass", types.resolver)
    words = call.keywords if call is not None else ()
    flags = dict(_DEFAULT_FLAGS)
    sound = True
    for word in words:
        if word.name is not None and word.name not in flags:
            continue
        if word.name is None:
            message = f"the arguments of the dataclass `{owner.name}` can't be known from the source"
            span = owner.scope.module.file.span(word.pos)
            types.sink.add(rules.INVALID_CLASS.at(span, message, label="unpacked from a dict", labels=via))
            return None
        what = f"`{word.name}` of the dataclass `{owner.name}`"
        value = constant_flag(types, word.value, owner.scope, flags[word.name], what, via)
        sound = sound and value is not None
        flags[word.name] = bool(value)
    return flags if sound else None


def _has_generated_init(
    types: TypeReader,
    decl: ClassDecl,
    found: Ancestry,
    flags: Mapping[ClassDecl, dict[str, bool] | None],
    via: tuple[Label, ...],
) -> bool:
    """Whether the constructor is the one `dataclass` generates; reported if not."""
    for owner in found.classes:
        given = flags.get(owner)
        own = [name for name in ("__init__", "__new__") if name in owner.body.bindings]
        if own or (given is not None and not given["init"]):
            what = f"defines `{own[0]}`" if own else "is made with `init=False`"
            message = f"dataclass `{decl.name}` {what}, so its constructor can't be known to take its fields"
            place = owner.scope.module.file.span(owner.name_pos)
            types.sink.add(rules.INVALID_CLASS.at(place, message, labels=via))
            return False
        if given is not None:
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
    members = known_members(types, owner, annotated_members(owner, types), "field", via)
    sound = members is not None
    for member in members or ():
        assert member.annotation is not None
        annotation = member.annotation
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
            item = _declare(types, member, annotation, owner, keyword_only, via)
            sound = sound and item is not None
            if item is not None:
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
    types: TypeReader,
    member: Member,
    annotation: Expr,
    owner: ClassDecl,
    keyword_only: bool,
    via: tuple[Label, ...],
) -> _Declared | None:
    """One field; None, reported, if its `field(...)` can't be known."""
    subject = field_subject(owner.name, member.name, via)
    if is_pydantic_field(types, member.value, owner.body, subject):
        return None
    place = (member.name, member.pos, annotation, owner)
    call = member.value if isinstance(member.value, Call) else None
    if call is None or types.resolver.resolve(call.func, owner.body) != KnownSymbol("dataclasses.field"):
        given = member.value
        constant = types.constants.evaluate(given, owner.body) if given is not None else None
        return _Declared(*place, constant, given.pos if given is not None else None, True, keyword_only)
    metadata = call.keyword("metadata")
    flags = [
        constant_flag(types, call.keyword(name), owner.body, default, f"`{name}` of {subject.text}", via)
        for name, default in (("init", True), ("kw_only", keyword_only))
    ]
    if None in flags or is_pydantic_field(types, call.keyword("default"), owner.body, subject):
        return None
    default, pos = _field_default(types, call, owner)
    more = types.metadata.mapping(metadata, owner.body) if metadata is not None else None
    return _Declared(*place, default, pos, bool(flags[0]), bool(flags[1]), more)


def _field_default(
    types: TypeReader, call: Call, owner: ClassDecl
) -> tuple[Value | Factory | NotConstant | None, Pos | None]:
    """The default in a `field(...)`, and its place."""
    given, factory = (
        None if expr is None or is_missing(types, expr, owner.body) else expr
        for expr in (call.keyword("default"), call.keyword("default_factory"))
    )
    if given is not None:
        return types.constants.evaluate(given, owner.body), given.pos
    if factory is not None:
        made = types.metadata.factory(factory, owner.body)
        return made if isinstance(made, Factory) else Factory("", ""), factory.pos
    return None, None


def _field(types: TypeReader, decl: ClassDecl, item: _Declared, via: tuple[Label, ...]) -> Field | None:
    scope: Scope = item.owner.body
    subject = field_subject(decl.name, item.name, via)
    if not item.init:
        place = scope.module.file.span(item.pos)
        message = f"{subject.text} is not in the schema: its constructor does not take it"
        types.sink.add(rules.EXCLUDED_MEMBER.at(place, message, label="`init=False`"))
        return None
    required = item.default is None
    return make_field(
        types,
        item.name,
        item.pos,
        item.annotation,
        scope,
        subject,
        required=required,
        default=item.default,
        default_pos=item.default_pos,
        more=item.more,
    )
