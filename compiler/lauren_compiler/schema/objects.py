"""The JSON Schemas of definitions and of their members."""

from __future__ import annotations

import json
from typing import assert_never

from ..ir.tools import Parameter, ToolSet
from ..ir.types import (
    AliasDefinition,
    Definition,
    Described,
    EnumDefinition,
    Field,
    ObjectDefinition,
    ObjectKind,
    Reference,
)
from .constants import json_of
from .types import Naming, Schema, enum_schema, tuple_schema, type_schema, with_keywords, with_texts


def definition_schema(definition: Definition, toolset: ToolSet, names: Naming) -> Schema:
    """What stands in `$defs` for a definition; a named tuple is an array and, as in pydantic, has no description."""
    match definition:
        case ObjectDefinition(kind=ObjectKind.NAMED_TUPLE):
            return _array(definition, toolset, names)
        case ObjectDefinition(kind=ObjectKind.STRUCT_ARRAY):
            return with_texts(_array(definition, toolset, names), None, definition.description)
        case ObjectDefinition(kind=ObjectKind.ROOT_MODEL):
            root = _shown(definition.fields[0], toolset, names)
            texts = with_texts(root, definition.title, definition.description)
            return with_keywords(texts, definition.keywords)
        case ObjectDefinition():
            return _object(definition, toolset, names)
        case EnumDefinition(members=members, description=description):
            values = [json_of(value, toolset.by_key) for _, value in members]
            return with_texts(enum_schema(values, single=False, null=False), None, description)
        case AliasDefinition(type=type_):
            return type_schema(type_, toolset, names)
        case _:
            assert_never(definition)


def property_schema(member: Parameter | Field, toolset: ToolSet, names: Naming) -> Schema:
    """The schema of a parameter or field: its type's, its own texts, its default."""
    description = member.description
    named = member.type.inner if isinstance(member.type, Described) else member.type
    if isinstance(named, Reference) and description == _description(toolset.by_key[named.key]):
        # Beside a reference, the text that the definition has anyway is left out.
        description = None
    shown = with_texts(type_schema(member.type, toolset, names), member.title, description)
    if isinstance(named, Reference) and _has_default(toolset.by_key[named.key], member):
        return shown  # so is a default that stands in the definition
    return _with_default(shown, member)


def _object(definition: ObjectDefinition, toolset: ToolSet, names: Naming) -> Schema:
    fields = [field for field in definition.fields if field.stored or not names.output]
    schema: Schema = {
        "type": "object",
        "properties": {field.wire: property_schema(field, toolset, names) for field in fields},
    }
    required = [field.wire for field in fields if field.required]
    if required:
        schema["required"] = required
    if definition.extra is not None:
        schema["additionalProperties"] = type_schema(definition.extra, toolset, names) or True
    elif definition.closed or definition.keeping:
        schema["additionalProperties"] = definition.keeping
    return with_keywords(with_texts(schema, definition.title, definition.description), definition.keywords)


def _array(definition: ObjectDefinition, toolset: ToolSet, names: Naming) -> Schema:
    items = [_shown(field, toolset, names) for field in definition.fields]
    schema = tuple_schema(items, definition.least)
    absent = {"minItems" if not definition.least else "", "maxItems" if definition.most is None else ""}
    return {key: part for key, part in schema.items() if key not in absent}


def _shown(field: Field, toolset: ToolSet, names: Naming) -> Schema:
    """The schema of a field with all its texts."""
    return _with_default(with_texts(type_schema(field.type, toolset, names), field.title, field.description), field)


def _with_default(schema: Schema, member: Parameter | Field) -> Schema:
    if member.default is None or member.default.json is None:
        return schema
    return {**schema, "default": json.loads(member.default.json)}


def _has_default(definition: Definition, member: Parameter | Field) -> bool:
    """Whether a root model has the default of one of its type for its root already."""
    if not isinstance(definition, ObjectDefinition) or definition.kind is not ObjectKind.ROOT_MODEL:
        return False
    inner, outer = definition.fields[0].default, member.default
    texts = [each.json for each in (inner, outer) if each is not None and each.json is not None]
    return len(texts) == 2 and json.loads(texts[0]) == json.loads(texts[1])


def _description(definition: Definition) -> str | None:
    match definition:
        case ObjectDefinition(kind=ObjectKind.NAMED_TUPLE):
            return None
        case ObjectDefinition(description=description) | EnumDefinition(description=description):
            return description
        case AliasDefinition(type=type_):
            return type_.description if isinstance(type_, Described) else None
        case _:
            assert_never(definition)
