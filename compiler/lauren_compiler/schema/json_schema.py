"""The neutral JSON Schema (2020-12) of a tool's arguments and of its result.

The reference is pydantic's schema of the same annotations as fields of a model, without its generated titles.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..ir.tools import Tool, ToolSet
from ..ir.types import AliasDefinition, Anything
from ..ir.walk import input_types, reachable
from .definitions import definition_names
from .objects import definition_schema, property_schema
from .references import unpacked, without_relays
from .types import Naming, Schema, type_schema

DIALECT = "https://json-schema.org/draft/2020-12/schema"


class Schemas:
    """The schemas of the tools of a set. What several have alike is made once, and stands in all of them: a schema is
    never changed, only copied."""

    def __init__(self, toolset: ToolSet) -> None:
        self._toolset = toolset
        self._namings: dict[tuple[tuple[str, ...], bool], Naming] = {}

    def of_arguments(self, tool: Tool) -> Schema:
        """What a call of `tool` may hold: always an object, with every definition it needs in `$defs` at the root."""
        keys, every = self._keys(tool)
        names = self._naming(every, output=False)
        schema: Schema = {
            "type": "object",
            "properties": {
                parameter.wire: property_schema(parameter, self._toolset, names) for parameter in tool.parameters
            },
        }
        required = [parameter.wire for parameter in tool.parameters if parameter.required]
        if required:
            schema["required"] = required
        schema["additionalProperties"] = self._additional(tool, names)
        if tool.extra is not None and (refused := refused_names(tool)):
            schema["propertyNames"] = {"not": {"enum": list(refused)}}
        return self._with_definitions(schema, keys, names)

    def of_result(self, tool: Tool) -> Schema | None:
        """What `tool` returns, as pydantic serialises it; None where the return type has no schema."""
        if tool.output is None:
            return None
        keys = reachable((tool.output,), self._toolset)
        every = keys and self._keys(tool)[1]
        names = self._naming(every, output=True)
        return unpacked(self._with_definitions(type_schema(tool.output, self._toolset, names), keys, names))

    def _keys(self, tool: Tool) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The definitions that the arguments need, and with them those of the result."""
        keys = reachable(input_types(tool), self._toolset)
        if tool.output is None:
            return keys, keys
        return keys, tuple(dict.fromkeys((*keys, *reachable((tool.output,), self._toolset))))

    def _naming(self, keys: tuple[str, ...], *, output: bool) -> Naming:
        naming = self._namings.get((keys, output))
        if naming is None:
            naming = self._namings[keys, output] = Naming(definition_names(keys, self._toolset), output)
        return naming

    def _additional(self, tool: Tool, names: Naming) -> Schema | bool:
        if tool.extra is None:
            return False
        if isinstance(tool.extra, Anything):
            return True
        return type_schema(tool.extra, self._toolset, names)

    def _with_definitions(self, schema: Schema, keys: tuple[str, ...], names: Naming) -> Schema:
        if keys:
            schema = {**schema, "$defs": {names[key]: self._definition(key, names) for key in keys}}
        aliases = {names[key] for key in keys if isinstance(self._toolset.by_key[key], AliasDefinition)}
        return without_relays(schema, aliases) if aliases else schema

    def _definition(self, key: str, names: Naming) -> Schema:
        if key not in names.definitions:
            names.definitions[key] = definition_schema(self._toolset.by_key[key], self._toolset, names)
        return names.definitions[key]


def input_schema(tool: Tool, toolset: ToolSet) -> Schema:
    """The schema of the arguments of one tool."""
    return Schemas(toolset).of_arguments(tool)


def output_schema(tool: Tool, toolset: ToolSet) -> Schema | None:
    """The schema of the result of one tool, if it has one."""
    return Schemas(toolset).of_result(tool)


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
