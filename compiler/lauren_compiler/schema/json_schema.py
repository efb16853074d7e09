"""The neutral JSON Schema (2020-12) of a tool's arguments and of its result.

The reference is pydantic's schema of the same annotations as fields of a model, without its generated titles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir.tools import Tool, ToolSet
from ..ir.types import Anything
from ..ir.walk import input_types, reachable
from .definitions import definition_names
from .objects import definition_schema, property_schema
from .references import unpacked, without_relays
from .types import Naming, Schema, type_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def input_schema(tool: Tool, toolset: ToolSet) -> Schema:
    """What a call of `tool` may hold: always an object, with every definition it needs in `$defs` at the root."""
    names = Naming(definition_names(tool, toolset))
    schema: Schema = {
        "type": "object",
        "properties": {parameter.wire: property_schema(parameter, toolset, names) for parameter in tool.parameters},
    }
    required = [parameter.wire for parameter in tool.parameters if parameter.required]
    if required:
        schema["required"] = required
    schema["additionalProperties"] = _additional(tool, toolset, names)
    refused = refused_names(tool)
    if tool.extra is not None and refused:
        schema["propertyNames"] = {"not": {"enum": list(refused)}}
    return _with_definitions(schema, reachable(input_types(tool), toolset), toolset, names)


def output_schema(tool: Tool, toolset: ToolSet) -> Schema | None:
    """What `tool` returns, as pydantic serialises it; None where the return type has no schema."""
    if tool.output is None:
        return None
    names = Naming(definition_names(tool, toolset), output=True)
    schema = type_schema(tool.output, toolset, names)
    return unpacked(_with_definitions(schema, reachable([tool.output], toolset), toolset, names))


def schema_document(schema: Mapping[str, Any]) -> Schema:
    """A tool's input schema as a document of its own, which says what dialect it is in."""
    return {"$schema": DIALECT, **schema}


def refused_names(tool: Tool) -> tuple[str, ...]:
    """Names that no call may use, in alphabetical order: they are parameters the model must not fill.

    These are the context, hidden parameters, the Python names of aliased ones, and what Python binds itself (`self`).
    """
    wires = {parameter.wire for parameter in tool.parameters}
    names = {parameter.name for parameter in tool.parameters} | set(tool.hidden)
    if tool.context is not None:
        names.add(tool.context.name)
    if tool.signature is not None:
        names.update(
            name for name, kind, _ in tool.signature.parameters if kind in ("positional_or_keyword", "keyword_only")
        )
    return tuple(sorted(names - wires))


def _additional(tool: Tool, toolset: ToolSet, names: Naming) -> Schema | bool:
    if tool.extra is None:
        return False
    if isinstance(tool.extra, Anything):
        return True
    return type_schema(tool.extra, toolset, names)


def _with_definitions(schema: Schema, keys: tuple[str, ...], toolset: ToolSet, names: Naming) -> Schema:
    definitions = {names[key]: definition_schema(toolset.by_key[key], toolset, names) for key in keys}
    return without_relays({**schema, "$defs": definitions} if definitions else schema)
