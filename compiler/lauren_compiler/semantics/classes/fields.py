"""What dataclasses, TypedDicts and named tuples share: annotated members, their types, texts and defaults."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...diagnostics.model import Label
from ...diagnostics.rules import types as rules
from ...ir.types import Default, Field
from ...ir.values import Factory, Value
from ...source.file import Pos
from ...syntax.declarations import Assignment, ClassDecl, Scope
from ...syntax.expressions import Expr
from ..constants import NotConstant
from ..defaults import schema_default
from ..metadata import Metadata
from ..subject import Subject

if TYPE_CHECKING:
    from ..types import TypeReader


def annotated_members(decl: ClassDecl, types: TypeReader) -> Iterator[Assignment]:
    """The members with an annotation, in order; of one declared twice the last declaration, in the first's place."""
    found: dict[str, Assignment] = {}
    for binding in decl.body.members:
        if isinstance(binding, Assignment) and binding.annotation is not None:
            if types.resolver.conditions.reached(binding, decl.body) is not False:
                found[binding.name] = binding
    yield from found.values()


def make_field(
    types: TypeReader,
    member: Assignment,
    annotation: Expr,
    scope: Scope,
    subject: Subject,
    *,
    required: bool,
    default: Value | Factory | NotConstant | None,
    default_pos: Pos | None,
    more: Metadata | None = None,
) -> Field | None:
    """One field; None, with a diagnostic, if its type can't be made. `more` is said of it outside its annotation."""
    kind, metadata = types.read_annotated(annotation, scope, subject, plain_text=False)
    if more is not None:
        metadata = metadata.merged(more)
    if kind is not None and more is not None:
        kind = types.bounded(kind, more.bounds, member.pos, scope, subject)
    if kind is None or metadata.broken:
        return None
    file = scope.module.file
    if metadata.default is not None or metadata.required:
        message = f"a default of {subject.text} inside `Annotated` is not covered by this version"
        types.report(rules.TYPE_NOT_COVERED, annotation.pos, scope, subject, message)
        return None
    shown: Default | None = None
    if default is not None:
        pos = default_pos or member.pos
        shown = schema_default(default, kind, pos, scope, subject.text, types.definitions, types.sink)
    elif not required:
        shown = Default(None)
    wire = metadata.alias or member.name
    factory = default if isinstance(default, Factory) else None
    texts = (metadata.description, metadata.title)
    return Field(member.name, wire, kind, required, shown, *texts, file.span(member.pos), factory)


def description(decl: ClassDecl) -> str | None:
    """The class's own docstring, as pydantic shows it."""
    return inspect.cleandoc(decl.docstring.text) or None if decl.docstring else None


def field_subject(decl_name: str, name: str, via: tuple[Label, ...]) -> Subject:
    """The subject of a field's annotation."""
    return Subject(f"field `{name}` of `{decl_name}`", via)
