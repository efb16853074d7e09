"""A class with annotations of its own → the object that lauren-ai writes out: dataclasses, TypedDicts and the like.

It asks the class for its `__annotations__`, which Python makes of the statements of its body, and evaluates none of
them. Where the class is a TypedDict, they are those of its bases too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ...ir.divergences import FIELD_TEXT, INHERITED_FIELDS, NAMED_TUPLE, OTHER_FIELDS, REQUIRED_FIELDS
from ...ir.types import ObjectDefinition, ObjectKind
from ...semantics.classes.members import Member, annotated_members
from ...semantics.symbols import ClassSymbol, Symbol, ValueSymbol
from ...syntax import expressions as ex
from ...syntax.declarations import ClassDecl, Scope

if TYPE_CHECKING:
    from .annotations import AnnotationReader


def object_schema(
    reader: AnnotationReader,
    symbol: Symbol,
    definition: ObjectDefinition,
    expr: ex.Expr,
    scope: Scope,
    depth: int,
) -> dict[str, Any]:
    """The object of a class that is no model and no enum."""
    before = len(reader.findings)
    properties: dict[str, Any] = {}
    for name, annotation, home in _annotations(reader, symbol, definition):
        if not name.startswith("_"):
            properties[name] = _field(reader, annotation, home, depth + 1)
    _note_differences(reader, definition, properties, expr, scope)
    if len(reader.findings) > before:
        here = scope.module.file.span(expr.pos)
        reader.findings[before:] = [type(each)(each.row, here) for each in reader.findings[before:]]
    return {"type": "object", "properties": properties, "required": list(properties)}


def _field(reader: AnnotationReader, annotation: ex.Expr, home: Scope, depth: int) -> dict[str, Any]:
    if home.module.future_annotations:
        reader.note(FIELD_TEXT, annotation, home)
        return {"type": "string"}
    return reader.schema(annotation, home, FIELD_TEXT, depth)


def _annotations(
    reader: AnnotationReader, symbol: Symbol, definition: ObjectDefinition
) -> Iterator[tuple[str, ex.Expr, Scope]]:
    """Name, annotation, and the scope that stands in."""
    if isinstance(symbol, ClassSymbol):
        owners = [symbol.decl]
        if definition.kind is ObjectKind.TYPED_DICT:
            owners = [*reversed(reader.types.resolver.linear_bases(symbol.decl))]
        for owner in owners:
            yield from _own(reader, owner)
    elif isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, ex.Call):
        yield from ((name, each, symbol.scope) for name, each in _of_call(symbol.expr))


def _own(reader: AnnotationReader, decl: ClassDecl) -> Iterator[tuple[str, ex.Expr, Scope]]:
    for member in annotated_members(decl, reader.types):
        if isinstance(member, Member) and member.annotation is not None:
            yield member.name, member.annotation, decl.body


def _of_call(call: ex.Call) -> Iterator[tuple[str, ex.Expr]]:
    """What `TypedDict("X", {...})` and `NamedTuple("X", [...])` annotate; other calls leave nothing to see."""
    listed = call.args[1] if len(call.args) > 1 else None
    if isinstance(listed, ex.DictDisplay):
        pairs = [(key, value) for key, value in listed.items if key is not None]
    elif isinstance(listed, (ex.ListDisplay, ex.Tuple)):
        pairs = [item.items for item in listed.items if isinstance(item, ex.Tuple) and len(item.items) == 2]
    else:
        pairs = []
    for name, annotation in pairs:
        if isinstance(name, ex.Constant) and isinstance(name.value, str):
            yield name.value, annotation


def _note_differences(
    reader: AnnotationReader, definition: ObjectDefinition, properties: dict[str, Any], expr: ex.Expr, scope: Scope
) -> None:
    """Which fields are others than those that the compiler has."""
    if definition.is_array:
        reader.note(NAMED_TUPLE, expr, scope)
    fields = {field.wire: field for field in definition.fields}
    own = {field.name for field in definition.fields}
    if any(not field.required for field in fields.values() if field.wire in properties):
        reader.note(REQUIRED_FIELDS, expr, scope)
    missing = [field for field in fields.values() if field.wire not in properties]
    if any(field.span.path != definition.span.path or not _is_inside(field, definition) for field in missing):
        reader.note(INHERITED_FIELDS, expr, scope)
    inside = [field for field in missing if field.span.path == definition.span.path and _is_inside(field, definition)]
    if inside or any(name not in fields for name in properties) or (own - fields.keys()) & properties.keys():
        reader.note(OTHER_FIELDS, expr, scope)


def _is_inside(field: Any, definition: ObjectDefinition) -> bool:
    """Whether a field stands below the head of the class, and so may be its own. An inherited one may stand there too,
    in a class further down; then both rows name it."""
    return bool(field.span.start.line > definition.span.start.line)
