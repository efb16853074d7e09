"""The JSON Schema of a type; named types are references into `$defs`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias, assert_never, cast

from msgspec import Struct, field

from ..ir.formats import FORMATS
from ..ir.tags import known_tags
from ..ir.tools import ToolSet
from ..ir.types import (
    Adapted,
    Anything,
    Bounded,
    Bounds,
    Built,
    Described,
    DictOf,
    FormatKind,
    Formatted,
    JsonText,
    ListOf,
    LiteralOf,
    Reference,
    Scalar,
    ScalarKind,
    SetOf,
    Stated,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)
from ..ir.walk import fold, walk
from .constants import json_of, type_of

Schema: TypeAlias = dict[str, Any]

_NULL = Scalar(ScalarKind.NULL)


class Naming(Struct, frozen=True, eq=False):
    """The `$defs` name of each definition's key; in schemas of results, `output`, numbers of a format are strings.

    `types` and `definitions` are the schemas made so far where definitions have these names.
    """

    names: Mapping[str, str]
    output: bool = False
    types: dict[Type, Schema] = field(default_factory=dict["Type", "Schema"])
    definitions: dict[str, Schema] = field(default_factory=dict[str, "Schema"])

    def __getitem__(self, key: str) -> str:
        return self.names[key]


def type_schema(type_: Type, toolset: ToolSet, names: Naming) -> Schema:
    """The schema of `type_`."""
    known = names.types.get(type_)
    if known is None:
        known = fold(type_, lambda current, parts: _combine(current, parts, toolset, names))
        # To Python bounds of 1 and 1.0 are equal, in JSON they are not.
        if not any(isinstance(part, Bounded) for part in walk(type_)):
            names.types[type_] = known
    return known


def with_texts(schema: Schema, title: str | None, description: str | None) -> Schema:
    """`schema` with texts for the model, behind the keys that say what it is."""
    if title is None and description is None:
        return schema
    found: Schema = {key: part for key, part in schema.items() if key in ("$ref", "type")}
    if title is not None:
        found["title"] = title
    if description is not None:
        found["description"] = description
    # An inner text gives way.
    return {**found, **{key: part for key, part in schema.items() if key not in found}}


def _combine(type_: Type, parts: tuple[Schema, ...], toolset: ToolSet, names: Naming) -> Schema:
    match type_:
        case Anything():
            return {}
        case Scalar(kind):
            return {"type": kind.value}
        case LiteralOf():
            return enum_schema([json_of(value, toolset.by_key) for value in type_.values], single=True, null=True)
        case ListOf() | VariadicTupleOf(prefix=()):
            return {"type": "array", "items": parts[0]}
        case VariadicTupleOf():
            return {"type": "array", "prefixItems": list(parts[:-1]), "items": parts[-1], "minItems": len(parts) - 1}
        case SetOf():
            return {"type": "array", "items": parts[0], "uniqueItems": True}
        case TupleOf():
            return tuple_schema(list(parts), len(parts))
        case DictOf():
            return _mapping(*parts)
        case Union(discriminator=None):
            return _union(type_, parts)
        case Union():
            return _discriminated(type_, parts, toolset)
        case Reference(key):
            return {"$ref": f"#/$defs/{names[key]}"}
        case Described(title=title, description=description, keywords=keywords):
            return with_keywords(with_texts(parts[0], title, description), keywords)
        case Formatted(kind):
            return _formatted(kind, names.output)
        case Built() | Adapted():
            return parts[0]
        case Stated():
            return _stated(type_, names)
        case JsonText():
            return {"type": "string", "contentMediaType": "application/json", "contentSchema": parts[0]}
        case Bounded(Formatted(kind), bounds) if FORMATS[kind].number:
            return _bounded_number(parts[0], bounds)
        case Bounded(bounds=bounds):
            return {**parts[0], **_bounds(bounds, parts[0])}
        case _:
            assert_never(type_)


def with_keywords(schema: Schema, keywords: str | None) -> Schema:
    """`schema` with more keywords, a JSON object, which win over its own."""
    return schema if keywords is None else {**schema, **json.loads(keywords)}


def _discriminated(type_: Union, parts: tuple[Schema, ...], toolset: ToolSet) -> Schema:
    """Exactly one of the members; where a key tells which, it is named, with the member of each of its values.

    The key has to be there also where a member has a default for it: nothing else would tell.
    """
    distinct = _distinct(parts)
    tags = known_tags(type_, toolset.by_key)
    if tags is None:
        return {"oneOf": distinct}
    members = zip(tags.constants, parts, strict=True)
    mapping = {str(tag): part.get("$ref", part) for constants, part in members for tag in constants}
    needed = {} if tags.required else {"required": [tags.wire]}
    return {"discriminator": {"propertyName": tags.wire, "mapping": mapping}, "oneOf": distinct, **needed}


def _distinct(parts: Iterable[Schema]) -> list[Schema]:
    """Of equal schemas the last, in the place of the first, as pydantic has it; in JSON, 1 and 1.0 are equal."""
    return list({json.dumps(_in_integers(part), sort_keys=True): part for part in parts}.values())


def _in_integers(part: object) -> object:
    """A JSON value with integers for the floats that are equal to one."""
    if isinstance(part, dict):
        return {key: _in_integers(value) for key, value in cast("Schema", part).items()}
    if isinstance(part, list):
        return [_in_integers(value) for value in cast("list[object]", part)]
    return int(part) if isinstance(part, float) and part.is_integer() else part


def _formatted(kind: FormatKind, output: bool) -> Schema:
    """The schema of a string in a form of its own; of a number too, if one is taken: results are strings."""
    known = FORMATS[kind]
    text: Schema = {"type": "string", **({"format": known.name} if known.name is not None else {})}
    return {"anyOf": [{"type": "number"}, text]} if known.number and not output else text


def _stated(type_: Stated, names: Naming) -> Schema:
    """The schema as it is stated; its own definitions stand at the root, under names that nothing else has there."""
    from ..ir.stated import redirected

    schema: Schema = json.loads(type_.schema)
    renamed = {f"#/$defs/{name}": f"#/$defs/{names[reference.key]}" for name, reference in type_.definitions}
    return redirected({key: part for key, part in schema.items() if key != "$defs"}, renamed)


_KEYWORDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
}
_MEASURED = {"string": "Length", "array": "Items", "object": "Properties"}


def _bounds(bounds: Bounds, schema: Schema) -> Schema:
    """The keywords of bounds; a length is counted in what the type is made of."""
    found: Schema = {}
    for name, value in bounds.given:
        keyword = _KEYWORDS.get(name) or f"{name[:3]}{_MEASURED[schema['type']]}"
        found[keyword] = value
    if "minItems" in found:  # of a tuple, more may be needed already
        found["minItems"] = max(found["minItems"], schema.get("minItems", 0))
    return found


def _bounded_number(schema: Schema, bounds: Bounds) -> Schema:
    """Bounds of a type that is written as a number or a string stand, as floats, beside the number."""
    number, *others = schema.get("anyOf", [{}])
    if number.get("type") != "number":
        return schema
    keywords = {keyword: float(value) for keyword, value in _bounds(bounds, number).items()}
    return {"anyOf": [{**number, **keywords}, *others]}


def tuple_schema(items: list[Schema], needed: int) -> Schema:
    """An array of exactly these items, of which those behind the first `needed` may be absent."""
    prefix = {"prefixItems": items} if items else {}
    return {"type": "array", **prefix, "minItems": needed, "maxItems": len(items)}


def enum_schema(values: list[Any], *, single: bool, null: bool) -> Schema:
    """The schema of constants: with `single` one of them is a `const`, with `null` null has a type too."""
    choice: Schema = {"const": values[0]} if single and len(values) == 1 else {"enum": values}
    kind = type_of(values)
    return {"type": kind, **choice} if kind is not None and (null or kind != "null") else choice


def _mapping(key: Schema, value: Schema) -> Schema:
    # A title of a key or a value would name the whole mapping's part, so pydantic drops it.
    keys = key if "$ref" in key else {name: part for name, part in key.items() if name != "title"}
    values = {name: part for name, part in value.items() if name != "title"}
    schema: Schema = {"type": "object", "additionalProperties": values or True}
    if "$ref" in keys or (keys.get("type") == "string" and len(keys) > 1):
        schema["propertyNames"] = {name: part for name, part in keys.items() if name != "type"}
    return schema


def _union(type_: Union, parts: tuple[Schema, ...]) -> Schema:
    """Null stands last; a nested union without texts of its own melts in; equal members are one."""
    ordered = [part for member, part in zip(type_.members, parts, strict=True) if member != _NULL]
    if len(ordered) < len(parts):
        ordered.append({"type": "null"})
    flat: list[Schema] = []
    for part in ordered:
        flat.extend(part["anyOf"] if part.keys() == {"anyOf"} else [part])
    distinct = _distinct(flat)
    return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
