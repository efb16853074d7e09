"""Warnings of characters that are not seen, in whatever a schema tells a model besides docstrings: descriptions in
metadata, titles, names, allowed values, stated schemas.

Defaults and patterns are left alone: no model has to read them as words, and a separator may be such a character.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

from ..diagnostics.model import Sink
from ..ir.tools import Parameter, ToolSet
from ..ir.types import (
    Definition,
    Described,
    EnumDefinition,
    LiteralOf,
    ObjectDefinition,
    Reference,
    Scalar,
    Stated,
    Type,
)
from ..ir.values import Constant, EnumMember, Value
from ..ir.walk import types_of, walk
from .texts import check_visible

_NO_WORDS = frozenset({"default", "pattern"})


def check_parameters_visible(parameters: Iterable[Parameter], documented: Iterable[str], sink: Sink) -> None:
    """Warn at parameters whose part of the schema holds such characters; texts of a docstring were looked at there."""
    known = set(documented)
    for parameter in parameters:
        own = [text for text in (parameter.description, parameter.title) if text is not None and text not in known]
        found = [*own, parameter.wire, *_texts_of(parameter.type)]
        check_visible("".join(found), parameter.span, sink)


def check_definitions_visible(toolset: ToolSet, sink: Sink) -> None:
    """Warn at the classes, fields and enums that the schemas of the tools name."""
    for _, definition in toolset.definitions:
        inside = [text for type_ in types_of(definition) for text in _texts_of(type_)]
        if isinstance(definition, ObjectDefinition):
            inside = list(_of_keywords(definition.keywords))
            for field in definition.fields:
                told = [field.wire, field.description or "", field.title or "", *_texts_of(field.type)]
                check_visible("".join(told), field.span, sink)
            inside += [] if definition.extra is None else list(_texts_of(definition.extra))
        check_visible("".join([*_own_texts(definition), *inside]), definition.span, sink)


def _own_texts(definition: Definition) -> Iterator[str]:
    if isinstance(definition, (ObjectDefinition, EnumDefinition)):
        yield definition.description or ""
    if isinstance(definition, ObjectDefinition):
        yield definition.title or ""
    elif isinstance(definition, EnumDefinition):
        yield from _of_values(value for _, value in definition.members)


def _texts_of(type_: Type) -> Iterator[str]:
    """What a type's own schema tells; definitions have places of their own."""
    if isinstance(type_, (Scalar, Reference)):
        return
    for part in walk(type_):
        if isinstance(part, Described):
            yield from (part.description or "", part.title or "")
            yield from _of_keywords(part.keywords)
        elif isinstance(part, LiteralOf):
            yield from _of_values(part.values)
        elif isinstance(part, Stated):
            yield from _of_keywords(part.schema)


def _of_values(values: Iterable[Value]) -> Iterator[str]:
    for value in values:
        shown = value.value if isinstance(value, EnumMember) else value
        if isinstance(shown, Constant) and isinstance(shown.value, str):
            yield shown.value


def _of_keywords(keywords: str | None) -> Iterator[str]:
    """All texts of a part of a schema, given as JSON text."""
    pending: list[Any] = [json.loads(keywords)] if keywords is not None else []
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, dict):
            members = cast("dict[str, Any]", value)
            yield from members
            pending += [item for name, item in members.items() if name not in _NO_WORDS]
