"""Which definitions a schema needs, and which stand in the place of a reference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, cast

from .types import Schema

_PREFIX = "#/$defs/"


def unpacked(schema: Schema) -> Schema:
    """`schema` with what its root refers to put in its place, where nothing else refers to it (as pydantic does)."""
    if "$defs" not in schema:
        return schema
    definitions: Schema = dict(schema["$defs"])
    root: Schema = {key: part for key, part in schema.items() if key != "$defs"}
    uses = Counter(references(schema)) if root.keys() == {"$ref"} else Counter[str]()
    while root.keys() == {"$ref"} and uses[root["$ref"]] == 1:
        root = definitions.pop(root["$ref"].removeprefix(_PREFIX))
    return {**root, "$defs": definitions} if definitions else root


def without_relays(schema: Schema, aliases: Collection[str]) -> Schema:
    """`schema` with the definitions of `aliases` that only refer on put in the place of what they alone refer to.

    So pydantic has it: `type Place = Point` is one definition, unless `Point` is used beside it. A root model of a
    class is two: it has a title of its own there.
    """
    definitions: Schema = dict(schema.get("$defs", ()))
    if not any(definitions[name].keys() == {"$ref"} for name in aliases):
        return schema
    uses = Counter(references(schema))
    for name in tuple(definitions):
        step = name
        while step in aliases and name in definitions and _is_relay(definitions[name], uses):
            step = definitions[name]["$ref"].removeprefix(_PREFIX)
            definitions[name] = definitions.pop(step)
    return {**schema, "$defs": definitions}


def _is_relay(definition: Schema, uses: Counter[str]) -> bool:
    return definition.keys() == {"$ref"} and uses[definition["$ref"]] == 1


def is_object(schema: Mapping[str, Any]) -> bool:
    """Whether every value of `schema` is an object, by its root or by the definition its root refers to."""
    root = schema
    while "$ref" in root:
        root = schema["$defs"][root["$ref"].removeprefix(_PREFIX)]
    return root.get("type") == "object"


def references(schema: Any) -> Iterator[str]:
    """The target of every `$ref` in a schema document."""
    pending: list[Any] = [schema]
    while pending:
        part = pending.pop()
        if isinstance(part, dict):
            members = cast("Schema", part)
            target = members.get("$ref")
            if isinstance(target, str):
                yield target
            pending.extend(members.values())
        elif isinstance(part, list):
            pending.extend(cast("list[object]", part))
