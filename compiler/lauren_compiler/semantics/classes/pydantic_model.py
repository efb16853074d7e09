"""Models of pydantic (version 2), as its metaclass collects their fields.

Source: pydantic's documentation of models, fields and inheritance; `tests/differential/test_models.py` compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Adapted, Anything, Default, DictOf, Field, ObjectDefinition, ObjectKind, Type
from ...ir.values import Constant as ConstantValue
from ...ir.values import Factory
from ...ir.walk import walk
from ...source.span import Span
from ...syntax.annotations import parse_annotation
from ...syntax.declarations import ClassDecl
from ...syntax.expressions import Attribute, Constant, Expr, Name, Subscript
from ..defaults import schema_default
from ..said import FieldDefault, Metadata
from ..skipped import hides_null
from ..symbols import KnownSymbol, Symbol
from .fields import described_below, description, field_subject, wire_name, with_keywords
from .kinds import MODEL_BASES, Ancestry
from .linearization import linearized
from .members import Member, annotated_members, known_members
from .model_config import ModelConfig
from .model_facts import facts_of, is_hashable
from .pydantic_config import read_config
from .pydantic_rules import attributes_are_allowed

if TYPE_CHECKING:
    from ..types import TypeReader

_HOOKS = ("__get_pydantic_core_schema__", "__get_pydantic_json_schema__", "__get_validators__")
"""What a class says with these, only running code can know."""


class _Declared(Struct, frozen=True):
    member: Member
    annotation: Expr
    owner: ClassDecl


def read_model(types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]) -> ObjectDefinition | None:
    """The definition of a model, inherited fields first; None, reported, if it is not covered."""
    if not _is_covered(types, decl, found, via):
        return None
    order = linearized(decl, types.resolver)
    if order is None:
        _invalid(types, decl, via, f"the bases of `{decl.name}` can't be brought into an order")
        return None
    config = read_config(types, order, via)
    declared = _declared(types, decl, order, via)
    if config is None or declared is None:
        return None
    if not attributes_are_allowed(types, order, MODEL_BASES, via, ignoring=config.ignoring):
        return None
    key = types.classes.key(decl)
    types.classes.models[key] = facts_of(types, order, config, False)
    with types.configured(config):
        read = [_field(types, decl, item, via) for item in declared]
        extra = _extra(types, decl, order, via) if config.extra == "allow" else None
    known = [pair for pair in read if pair is not None]
    if len(known) < len(read):
        return None
    fields = tuple(field for field, said in known if not said.skipped)
    if not _fits(types, decl, known, via) or not _takes_aliases(types, decl, fields, config, via):
        return None
    reshaped = any(said.reshaped or _is_reshaped(field.type) for field, said in known)
    types.classes.models[key] = facts_of(types, order, config, reshaped)
    if not any("__hash__" in owner.body.bindings for owner in order):
        if not config.frozen or not all(is_hashable(types, field.type) for field in fields):
            types.classes.unhashable.add(key)
    is_root = "pydantic.RootModel" in found.known
    file = decl.scope.module.file
    more = config.more
    return ObjectDefinition(
        ObjectKind.ROOT_MODEL if is_root else ObjectKind.MODEL,
        file.module,
        decl.qualname,
        fields,
        more.description if more.description is not None else description(decl),
        config.extra == "forbid" and not is_root,
        file.span(decl.name_pos),
        more.title or config.title,
        config.extra == "allow" and not is_root,
        keywords=more.schema_keywords,
        extra=extra,
    )


def _fits(types: TypeReader, decl: ClassDecl, known: list[tuple[Field, Metadata]], via: tuple[Label, ...]) -> bool:
    """Whether every field has a name of its own in JSON, and a value if it is in no schema; reported if not."""
    wires = [field.wire for field, _ in known]
    twice = next((wire for wire in wires if wires.count(wire) > 1), None)
    if twice is not None:
        _invalid(types, decl, via, f"two fields of `{decl.name}` have the name `{twice}` in JSON")
        return False
    hidden = next((field for field, said in known if said.skipped and field.required), None)
    if hidden is not None:
        message = f"field `{hidden.name}` of `{decl.name}` is required, and in no schema that a model would see"
        _invalid(types, decl, via, message)
    return hidden is None


def _takes_aliases(
    types: TypeReader, decl: ClassDecl, fields: tuple[Field, ...], config: ModelConfig, via: tuple[Label, ...]
) -> bool:
    """Whether fields are taken under the names that they have in JSON; reported if not."""
    aliased = next((field for field in fields if field.wire != field.name), None)
    if config.by_alias or aliased is None:
        return True
    message = f"`{decl.name}` does not take the alias of its field `{aliased.name}`, which is not covered"
    label = "`validate_by_alias=False` in its configuration"
    help = "leave the alias out, or make it a `serialization_alias`"
    types.sink.add(rules.TYPE_NOT_COVERED.at(aliased.span, message, label=label, labels=via, help=help))
    return False


def _is_reshaped(kind: Type) -> bool:
    return any(isinstance(part, Adapted) and part.reshaped for part in walk(kind))


def _extra(types: TypeReader, decl: ClassDecl, order: tuple[ClassDecl, ...], via: tuple[Label, ...]) -> Type | None:
    """The type of unknown keys, by the annotation of `__pydantic_extra__`."""
    for owner in order:
        for member in annotated_members(owner, types):
            if member.name == "__pydantic_extra__" and isinstance(member, Member) and member.annotation is not None:
                subject = field_subject(decl.name, member.name, via)
                with types.metadata.leniently():
                    kind = types.argument(member.annotation, owner.body, subject)
                return kind.value if isinstance(kind, DictOf) and not isinstance(kind.value, Anything) else None
    return None


def _is_covered(types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]) -> bool:
    """Whether its source tells what a model takes; reported if not."""
    for owner in found.classes:
        hook = next((name for name in _HOOKS if name in owner.body.bindings), None)
        if hook is not None:
            message = f"what `{decl.name}` takes is for `{hook}` of `{owner.name}` to say, which only runs at run time"
            help = "state the schema where it is used: `Annotated[..., WithJsonSchema({...})]`"
            types.sink.add(rules.TYPE_NOT_COVERED.at(_place(owner), message, labels=via, help=help))
            return False
    return True


def _place(decl: ClassDecl) -> Span:
    return decl.scope.module.file.span(decl.name_pos)


def _invalid(types: TypeReader, decl: ClassDecl, via: tuple[Label, ...], message: str) -> None:
    types.sink.add(rules.INVALID_CLASS.at(_place(decl), message, labels=via))


def _declared(
    types: TypeReader, decl: ClassDecl, order: tuple[ClassDecl, ...], via: tuple[Label, ...]
) -> list[_Declared] | None:
    """The fields in order; an override stands in the place of the first declaration. None, reported, for a field that
    something else than an annotation overrides, which pydantic refuses."""
    found: dict[str, _Declared] = {}
    sound = True
    for owner in reversed(order):
        found.update(_root_of(types, owner))
        members = known_members(types, owner, annotated_members(owner, types), "field", via)
        sound = sound and members is not None
        for member in members or ():
            assert member.annotation is not None
            if member.name.startswith("_") or member.name == "model_config":
                continue
            annotation = _unquoted(member.annotation, owner)
            qualifier = _qualifier(types, annotation, owner)
            final = qualifier == KnownSymbol("typing.Final")
            if qualifier == KnownSymbol("typing.ClassVar") or (final and member.value is not None):
                found.pop(member.name, None)
                continue
            if final and isinstance(annotation, Subscript):
                annotation = annotation.index
            found[member.name] = _Declared(member, annotation, owner)
        own = {member.name for member in members or ()}
        bare = next((name for name in found if name not in own and name in owner.body.bindings), None)
        if bare is not None:
            message = f"`{owner.name}` gives field `{bare}` of `{decl.name}` a new value without an annotation"
            _invalid(types, owner, via, message)
            return None
    return list(found.values()) if sound else None


def _root_of(types: TypeReader, owner: ClassDecl) -> Iterator[tuple[str, _Declared]]:
    """The field of `class A(RootModel[X])`."""
    for base in owner.bases:
        expr = base.expr
        if isinstance(expr, Subscript) and types.resolver.base_symbol(expr, owner) == KnownSymbol("pydantic.RootModel"):
            yield "root", _Declared(Member("root", expr.index.pos, expr.index, None), expr.index, owner)


def _unquoted(annotation: Expr, owner: ClassDecl) -> Expr:
    """The expression in a string; an annotation that is no Python is left to its reader."""
    if isinstance(annotation, Constant) and isinstance(annotation.value, str):
        return parse_annotation(annotation, owner.scope.module.file) or annotation
    return annotation


def _qualifier(types: TypeReader, annotation: Expr, owner: ClassDecl) -> Symbol | None:
    """What stands outermost in an annotation."""
    target = annotation.value if isinstance(annotation, Subscript) else annotation
    if not isinstance(target, (Name, Attribute)):
        return None
    return types.resolver.dealias(types.resolver.resolve(target, owner.body))


def _field(
    types: TypeReader, decl: ClassDecl, item: _Declared, via: tuple[Label, ...]
) -> tuple[Field, Metadata] | None:
    """One field and what is said of it; None, reported, if its type can't be made."""
    scope = item.owner.body
    subject = field_subject(decl.name, item.member.name, via)
    value = item.member.value
    with types.metadata.leniently():
        said = types.metadata.field_default(value, scope)
        kind, metadata = types.read_annotated(item.annotation, scope, subject, plain_text=False)
        if said is not None and value is not None:
            metadata = metadata.merged(said)
            kind = kind and types.applied(kind, said, value.pos, scope, subject, item.annotation)
    kind = kind and with_keywords(kind, metadata)
    if isinstance(value, Constant) and value.value is ...:
        metadata = metadata.merged(Metadata(required=True))
    elif value is not None and said is None:
        metadata = metadata.merged(Metadata(default=FieldDefault(types.constants.evaluate(value, scope), value)))
    if kind is None or metadata.broken:
        return None
    default = metadata.default
    shown: Default | None = None
    if default is not None and default.is_factory:
        shown = Default(None)
    elif (
        default is not None
        and default.value == ConstantValue(None)
        and hides_null(item.annotation, scope, types.resolver)
    ):
        shown = Default("null")
    elif default is not None:
        given = default.value
        shown = schema_default(given, kind, default.pos, scope, subject.text, types.definitions, types.sink)
    member = item.member
    factory = default.value if default is not None and isinstance(default.value, Factory) else None
    text = metadata.description
    if text is None:
        text = described_below(types, item.owner, member.name)
    span = scope.module.file.span(member.pos)
    wire = wire_name(types, member.name, metadata, member.pos, scope, subject)
    if wire is None:
        return None
    field = Field(member.name, wire, kind, default is None, shown, text, metadata.title, span, factory)
    return field, metadata
