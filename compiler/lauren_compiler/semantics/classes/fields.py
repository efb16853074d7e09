"""What dataclasses, TypedDicts and named tuples share: flags, and fields with their types, texts and defaults."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Default, Described, Field, Type
from ...ir.values import Constant as ConstantValue
from ...ir.values import Factory, Value
from ...source.file import Pos
from ...syntax.attribute_docstrings import attribute_docstrings
from ...syntax.declarations import ClassDecl, Scope
from ...syntax.docstrings.cleaning import cleandoc
from ...syntax.expressions import Attribute, Constant, Expr, Name, Subscript
from ..constants import NotConstant
from ..defaults import schema_default
from ..said import Metadata
from ..subject import Subject
from ..symbols import KnownSymbol, Symbol

if TYPE_CHECKING:
    from ..types import TypeReader


def constant_flag(
    types: TypeReader,
    expr: Expr | None,
    scope: Scope,
    default: bool,
    what: str,
    via: tuple[Label, ...],
) -> bool | None:
    """A flag of a class or field, called `what`; None, reported, if its value can't be known."""
    if expr is None or is_missing(types, expr, scope):
        return default
    value = types.constants.evaluate(expr, scope)
    if isinstance(value, ConstantValue):
        return bool(value.value)
    why = value.why if isinstance(value, NotConstant) else "it is no plain constant"
    message = f"the value of {what} can't be known from the source"
    types.sink.add(rules.INVALID_CLASS.at(scope.module.file.span(expr.pos), message, label=why, labels=via))
    return None


def is_missing(types: TypeReader, expr: Expr, scope: Scope) -> bool:
    """Whether an argument is `dataclasses.MISSING`, which says nothing."""
    return types.resolver.dealias(types.resolver.resolve(expr, scope)) == KnownSymbol("dataclasses.MISSING")


def is_pydantic_field(types: TypeReader, value: Expr | None, scope: Scope, subject: Subject) -> bool:
    """Whether a field's value is pydantic's `Field(...)`, which is reported: the class itself knows nothing of it."""
    call = types.metadata.field_call(value, scope)
    if call is None:
        return False
    message = f"`Field(...)` as the value of {subject.text} is not covered by this version"
    remedy = "put it into `Annotated`, and the default behind it"
    types.report(rules.TYPE_NOT_COVERED, call.pos, scope, subject, message, help=remedy)
    return True


def typed(
    types: TypeReader, annotation: Expr, scope: Scope, subject: Subject, more: Metadata | None, pos: Pos
) -> tuple[Type | None, Metadata]:
    """The type of a field and what is said of it: by its annotation, and (`more`, at `pos`) outside that."""
    kind, metadata = types.read_annotated(annotation, scope, subject, plain_text=False)
    if more is not None:
        metadata = metadata.merged(more)
        kind = kind and types.applied(kind, more, pos, scope, subject, annotation)
    return kind and with_keywords(kind, metadata), metadata


def make_field(
    types: TypeReader,
    name: str,
    pos: Pos,
    annotation: Expr,
    scope: Scope,
    subject: Subject,
    *,
    required: bool,
    default: Value | Factory | NotConstant | None,
    default_pos: Pos | None,
    more: Metadata | None = None,
    keyed: bool = True,
) -> Field | None:
    """One field; None, with a diagnostic, if its type can't be made. `more` is said of it outside its annotation.

    One that is not `keyed` is an item of an array, which has no key.
    """
    kind, metadata = typed(types, annotation, scope, subject, more, pos)
    if kind is None or metadata.broken:
        return None
    file = scope.module.file
    if metadata.default is not None or metadata.required:
        message = f"a default of {subject.text} inside `Annotated` is not covered by this version"
        types.report(rules.TYPE_NOT_COVERED, annotation.pos, scope, subject, message)
        return None
    shown: Default | None = None
    if default is not None:
        shown = schema_default(default, kind, default_pos or pos, scope, subject.text, types.definitions, types.sink)
    elif not required:
        shown = Default(None)
    wire = wire_name(types, name, metadata, pos, scope, subject) if keyed else name
    if wire is None:
        return None
    factory = default if isinstance(default, Factory) else None
    text = metadata.description
    if text is None and keyed and scope.owner is not None:
        text = described_below(types, scope.owner, name)
    texts = (text, metadata.title)
    return Field(name, wire, kind, required, shown, *texts, file.span(pos), factory)


def wire_name(types: TypeReader, name: str, said: Metadata, pos: Pos, scope: Scope, subject: Subject) -> str | None:
    """The key of a field in JSON: its alias, else what the alias generator of the configuration gives it; None,
    reported, if that can't be known."""
    generate = types.config.alias
    if said.alias is not None and (said.prioritised or generate is None):
        return said.alias
    value = ConstantValue(name) if generate is None else generate(name)
    if isinstance(value, ConstantValue) and isinstance(value.value, str):
        return value.value
    message = f"what the alias generator makes of {subject.text} can't be known from the source"
    label = value.why if isinstance(value, NotConstant) else "it is no text"
    help = "give the field its `alias`, or write a generator that only assigns, chooses and returns"
    types.report(rules.TYPE_NOT_COVERED, pos, scope, subject, message, label=label, help=help)
    return None


def described_below(types: TypeReader, owner: ClassDecl, name: str) -> str | None:
    """The docstring below a field, where the configuration makes it the description."""
    text = attribute_docstrings(owner).get(name) if types.config.documented else None
    return None if text is None else cleandoc(text)


def with_keywords(kind: Type, said: Metadata) -> Type:
    """The type of a field or parameter with the keywords that its own schema has besides the texts."""
    keywords = said.schema_keywords
    return kind if keywords is None else Described(kind, keywords=keywords)


def description(decl: ClassDecl) -> str | None:
    """The class's own docstring, as pydantic shows it."""
    return cleandoc(decl.docstring.text) or None if decl.docstring else None


def field_subject(decl_name: str, name: str, via: tuple[Label, ...]) -> Subject:
    """The subject of a field's annotation."""
    return Subject(f"field `{name}` of `{decl_name}`", via)


def qualifier(types: TypeReader, annotation: Expr, scope: Scope) -> Symbol | None:
    """What stands outermost in an annotation, quoted or not."""
    if isinstance(annotation, Constant) and isinstance(annotation.value, str):
        unquoted = types.unquoted(annotation, scope, Subject("a field"))
        if unquoted is None:
            return None
        annotation = unquoted
    target = annotation.value if isinstance(annotation, Subscript) else annotation
    if isinstance(target, (Name, Attribute)):
        return types.resolver.dealias(types.resolver.resolve(target, scope))
    return None
