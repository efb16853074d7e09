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
    if isinstance(value, NotConstant):
        rule, why, label = rules.DEFAULT_NOT_JSON, "can't be known from the source", value.why
    elif isinstance(dumped := dump(value, definitions), NoJson):
        rule, why, label = rules.DEFAULT_NOT_JSON, "has no JSON form", f"{dumped.why} cannot be written as JSON"
    elif not accepts(kind, dumped, definitions):
        rule, why, label = rules.DEFAULT_BREAKS_SCHEMA, "is refused by its own type", "not a value of the type"
    else:
        return Default(json_text(dumped))
    message = f"the default of {subject} {why} and is left out of the schema"
    sink.add(rule.at(scope.module.file.span(pos), message, label=label))
    return Default(None)
