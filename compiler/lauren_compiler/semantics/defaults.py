"""Defaults: from an expression to what the schema can say of it."""

from __future__ import annotations

from collections.abc import Mapping

from ..diagnostics.model import Sink
from ..diagnostics.rules import tools as rules
from ..ir.accepts import accepts
from ..ir.dump import NoJson, dump, json_text
from ..ir.types import Default, Definition, Type
from ..ir.values import Factory, Value
from ..source.file import Pos
from ..syntax.declarations import Scope
from .constants import NotConstant


def schema_default(
    value: Value | Factory | NotConstant,
    kind: Type,
    pos: Pos,
    scope: Scope,
    subject: str,
    definitions: Mapping[str, Definition],
    sink: Sink,
) -> Default:
    """The default as the schema shows it; left out, with a warning, if it can't be known, has no JSON form, or breaks
    the schema it would stand in."""
    if isinstance(value, Factory):
        return Default(None)
    span = scope.module.file.span(pos)
    if isinstance(value, NotConstant):
        message = f"the default of {subject} can't be known from the source and is left out of the schema"
        sink.add(rules.DEFAULT_NOT_JSON.at(span, message, label=value.why))
        return Default(None)
    dumped = dump(value, definitions)
    if isinstance(dumped, NoJson):
        message = f"the default of {subject} has no JSON form and is left out of the schema"
        sink.add(rules.DEFAULT_NOT_JSON.at(span, message, label=f"{dumped.why} cannot be written as JSON"))
        return Default(None)
    if not accepts(kind, dumped, definitions):
        message = f"the default of {subject} is refused by its own type and is left out of the schema"
        sink.add(rules.DEFAULT_BREAKS_SCHEMA.at(span, message, label="not a value of the type"))
        return Default(None)
    return Default(json_text(dumped))
