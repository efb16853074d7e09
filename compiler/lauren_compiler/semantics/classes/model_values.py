"""Whether the fields of a constant model are the arguments it is called with."""

from __future__ import annotations

from collections.abc import Mapping as MappingType

from ...ir.accepts import accepts
from ...ir.dump import NoJson, dump
from ...ir.types import Definition, ObjectDefinition, Reference
from ...ir.values import Mapping, Value
from ...ir.walk import walk


def alteration(
    definition: Definition,
    arguments: MappingType[str, Value],
    changing: bool,
    definitions: MappingType[str, Definition],
) -> str | None:
    """Why they need not be; None if they are. `changing` says that the model has code of its own."""
    name = definition.qualname
    if not isinstance(definition, ObjectDefinition) or changing:
        return f"code of `{name}` runs when it is built"
    for field in definition.fields:
        value = arguments.get(field.name)
        if value is None:
            continue
        dumped = dump(value, definitions)
        if isinstance(dumped, NoJson):
            return f"{dumped.why} cannot be written as JSON"
        if not accepts(field.type, dumped, definitions):
            return f"`{name}` may refuse `{field.name}`, or convert it"
        if isinstance(value, Mapping) and any(isinstance(part, Reference) for part in walk(field.type)):
            return f"`{field.name}` is made into an object"
    return None
