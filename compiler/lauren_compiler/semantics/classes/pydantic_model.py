"""Models of pydantic (version 2), as its metaclass collects their fields.

Source: pydantic's documentation of models, fields and inheritance; `tests/differential/test_models.py` compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Default, DictOf, Field, ListOf, ObjectDefinition, ObjectKind, Reference, SetOf, Type
from ...ir.values import Factory
from ...ir.walk import walk
from ...source.span import Span
from ...syntax.annotations import parse_annotation
from ...syntax.declarations import Assignment, ClassDecl, Definition, FunctionDecl
from ...syntax.expressions import Attribute, Call, Constant, Expr, Name, Subscript
from ..defaults import schema_default
from ..said import FieldDefault, Metadata
from ..symbols import KnownSymbol, Symbol
from .fields import description, field_subject, with_keywords
from .kinds import Ancestry
from .linearization import linearized
from .members import Member, annotated_members, known_members
from .pydantic_config import ModelConfig, read_config

if TYPE_CHECKING:
    from ..types import TypeReader

MODEL_BASES = frozenset({"pydantic.BaseModel", "pydantic.RootModel"})
_HOOKS = (
    "__get_pydantic_core_schema__",
    "__get_pydantic_json_schema__",
    "__get_validators__",
    "__pydantic_extra__",
    "Config",
)
"""What a class says with these, only running code can know."""
_SERIALIZERS = frozenset({"pydantic.computed_field", "pydantic.field_serializer", "pydantic.model_serializer"})
_PLAIN = _SERIALIZERS | {"builtins.property", "builtins.classmethod", "builtins.staticmethod", "functools.cache"}
_BUILDERS = ("__init__", "model_post_init", "__new__")


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is to be known of a model besides its definition.

    `changing`: its values need not be what was given, because code of its own runs when it is built. `reshaped`: why
    what it is written as differs from what it is read from, None if it does not.
    """

    by_name: bool
    changing: bool
    reshaped: str | None


@dataclass(frozen=True, slots=True)
class _Declared:
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
    types.classes.models[types.classes.key(decl)] = _facts(types, order, config, False)
    read = [_field(types, decl, item, via) for item in declared]
    fields = tuple(field for field, _ in (pair for pair in read if pair is not None))
    if len(fields) < len(declared):
        return None
    wires = [field.wire for field in fields]
    twice = next((wire for wire in wires if wires.count(wire) > 1), None)
    if twice is not None:
        _invalid(types, decl, via, f"two fields of `{decl.name}` have the name `{twice}` in JSON")
        return None
    reshaped = any(said.reshaped for _, said in (pair for pair in read if pair is not None))
    types.classes.models[types.classes.key(decl)] = _facts(types, order, config, reshaped)
    if not any("__hash__" in owner.body.bindings for owner in order):
        if not config.frozen or not all(_is_hashable(types, field.type) for field in fields):
            types.classes.unhashable.add(types.classes.key(decl))
    file = decl.scope.module.file
    return ObjectDefinition(
        ObjectKind.MODEL,
        file.module,
        decl.qualname,
        fields,
        description(decl),
        config.extra == "forbid",
        file.span(decl.name_pos),
        config.title,
        config.extra == "allow",
    )


def _is_covered(types: TypeReader, decl: ClassDecl, found: Ancestry, via: tuple[Label, ...]) -> bool:
    """Whether its source tells what a model takes; reported if not."""
    if "pydantic.RootModel" in found.known:
        message = f"`{decl.name}` is a `RootModel`, which this version does not cover"
        types.sink.add(rules.TYPE_NOT_COVERED.at(_place(decl), message, labels=via))
        return False
    for owner in found.classes:
        hook = next((name for name in _HOOKS if name in owner.body.bindings), None)
        if hook is not None:
            message = (
                f"`{hook}` of `{owner.name}`, which changes what `{decl.name}` takes, is not covered by this version"
            )
            types.sink.add(rules.TYPE_NOT_COVERED.at(_place(owner), message, labels=via))
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
        members = known_members(types, owner, annotated_members(owner, types), "field", via)
        sound = sound and members is not None
        for member in members or ():
            assert member.annotation is not None
            if member.name.startswith("_") or member.name == "model_config":
                continue
            qualifier = _qualifier(types, member.annotation, owner)
            if qualifier == KnownSymbol("typing.ClassVar"):
                found.pop(member.name, None)
            elif qualifier == KnownSymbol("typing.Final"):
                subject = field_subject(owner.name, member.name, via)
                message = f"`Final`, in the type of {subject.text}, is not covered in a pydantic model by this version"
                types.report(rules.TYPE_NOT_COVERED, member.annotation.pos, owner.body, subject, message)
                sound = False
            else:
                found[member.name] = _Declared(member, member.annotation, owner)
        own = {member.name for member in members or ()}
        bare = next((name for name in found if name not in own and name in owner.body.bindings), None)
        if bare is not None:
            message = f"`{owner.name}` gives field `{bare}` of `{decl.name}` a new value without an annotation"
            _invalid(types, owner, via, message)
            return None
    return list(found.values()) if sound else None


def _qualifier(types: TypeReader, annotation: Expr, owner: ClassDecl) -> Symbol | None:
    """What stands outermost in an annotation, quoted or not; an annotation that is no Python is left to its reader."""
    if isinstance(annotation, Constant) and isinstance(annotation.value, str):
        inner = parse_annotation(annotation, owner.scope.module.file)
        if inner is None:
            return None
        annotation = inner
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
    call = types.metadata.field_call(value, scope)
    with types.metadata.leniently():
        kind, metadata = types.read_annotated(item.annotation, scope, subject, plain_text=False)
        if call is not None:
            said = types.metadata.field(call, scope)
            metadata = metadata.merged(said)
            kind = kind and types.applied(kind, said, call.pos, scope, subject, item.annotation)
    kind = kind and with_keywords(kind, metadata)
    if call is not None:
        pass
    elif isinstance(value, Constant) and value.value is ...:
        metadata = metadata.merged(Metadata(required=True))
    elif value is not None:
        metadata = metadata.merged(Metadata(default=FieldDefault(types.constants.evaluate(value, scope), value)))
    if kind is None or metadata.broken:
        return None
    default = metadata.default
    shown: Default | None = None
    if default is not None and default.is_factory:
        shown = Default(None)
    elif default is not None:
        given = default.value
        shown = schema_default(given, kind, default.expr.pos, scope, subject.text, types.definitions, types.sink)
    member = item.member
    factory = default.value if default is not None and isinstance(default.value, Factory) else None
    texts = (metadata.description, metadata.title)
    span = scope.module.file.span(member.pos)
    field = Field(member.name, metadata.alias or member.name, kind, default is None, shown, *texts, span, factory)
    return field, metadata


def _is_hashable(types: TypeReader, kind: Type) -> bool:
    """Whether a frozen model that has such a field can be in a set."""
    for part in walk(kind):
        if isinstance(part, (ListOf, DictOf)) or (isinstance(part, SetOf) and not part.frozen):
            return False
        if isinstance(part, Reference) and part.key in types.classes.unhashable:
            return False
    return True


def _facts(types: TypeReader, order: tuple[ClassDecl, ...], config: ModelConfig, reshaped: bool) -> ModelFacts:
    decorators = {name for owner in order for name in _decorators(types, owner)}
    own = any(name in owner.body.bindings for owner in order for name in _BUILDERS)
    made = any(_is_made(binding) for owner in order for binding in owner.body.members)
    why = "a field has another name in what it is written as, or none" if reshaped else None
    serializer = min(decorators & _SERIALIZERS, default=None)
    if serializer is not None:
        why = f"`{serializer.removeprefix('pydantic.')}` changes what the model is written as"
    elif any("model_dump" in owner.body.bindings for owner in order):
        why = "a `model_dump` of its own changes what the model is written as"
    return ModelFacts(config.by_name, bool(decorators - _PLAIN) or own or made or config.changing or reshaped, why)


def _is_made(binding: object) -> bool:
    """Whether a member may be a validator that a call made: `check = field_validator("x")(function)`."""
    if not isinstance(binding, Assignment) or binding.annotation is not None or binding.name == "model_config":
        return False
    return binding.value is not None and isinstance(binding.value.expr, Call)


def _decorators(types: TypeReader, owner: ClassDecl) -> Iterator[str]:
    """The known names of what decorates the functions of a class; one that is not known is `?`."""
    for binding in owner.body.members:
        decl = binding.decl if isinstance(binding, Definition) else None
        for decorator in decl.decorators if isinstance(decl, FunctionDecl) else ():
            expr = decorator.expr
            target = expr.func if isinstance(expr, Call) else expr
            symbol = types.resolver.dealias(types.resolver.resolve(target, owner.body))
            yield symbol.name if isinstance(symbol, KnownSymbol) else "?"
