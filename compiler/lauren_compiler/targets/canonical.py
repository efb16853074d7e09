"""Schemas without what says nothing: two that admit the same values, and tell the model the same, become equal.

References are written out, `const` becomes `enum`, what admits everything goes, as do titles that are made of names.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_SCHEMAS = ("items", "additionalProperties", "propertyNames", "contentSchema", "not")
_LISTS = ("prefixItems", "oneOf", "allOf")
RECURSIVE = "x-recursive"
"""Stands for a reference to what is just being written out."""


def canonical(schema: Any, definitions: Mapping[str, Any], *, texts: bool, within: tuple[str, ...] = ()) -> Any:
    """The schema in that form; with `texts` false, without descriptions too."""
    if not isinstance(schema, dict):
        return schema
    given: dict[str, Any] = dict(schema)  # pyright: ignore[reportUnknownArgumentType]
    name = str(given.pop("$ref", "")).rpartition("/")[2]
    if name:
        if name in within or name not in definitions:
            return {RECURSIVE: name}
        return canonical({**definitions[name], **given}, definitions, texts=texts, within=(*within, name))
    found = {
        key: _part(key, value, definitions, texts, within)
        for key, value in given.items()
        if key not in ("title", "$defs", "discriminator") and (texts or key != "description")
    }
    return _simplified(found)


def _part(key: str, value: Any, definitions: Mapping[str, Any], texts: bool, within: tuple[str, ...]) -> Any:
    def inner(part: Any) -> Any:
        return canonical(part, definitions, texts=texts, within=within)

    if key == "properties":
        return {name: inner(each) for name, each in value.items()}
    if key in _SCHEMAS:
        return inner(value)
    if key == "anyOf":
        return _members([inner(each) for each in value])
    return [inner(each) for each in value] if key in _LISTS else value


def _members(parts: list[Any]) -> list[Any]:
    """The members of a union: nested ones flat, each once, in an order of their own."""
    flat: dict[str, Any] = {}
    for part in parts:
        nested: list[Any] = part["anyOf"] if part is not True and [*part] == ["anyOf"] else [part]
        for each in nested:
            flat.setdefault(json.dumps(each, sort_keys=True), each)
    return [flat[key] for key in sorted(flat)]


def _simplified(found: dict[str, Any]) -> Any:
    if "const" in found:
        found["enum"] = [found.pop("const")]
    values = found.get("enum")
    if values is not None and all(_fits(value, found.get("type")) for value in values):
        found.pop("type", None)
    for key in ("items", "additionalProperties"):
        if key in found and found[key] in ({}, True):
            del found[key]
    if "required" in found:
        found["required"] = sorted(found["required"])
        if not found["required"]:
            del found["required"]
    if found.get("properties") == {}:
        del found["properties"]
    members = found.get("anyOf")
    if members is not None and {} in members:
        del found["anyOf"]
    elif members is not None and len(members) == 1:
        found = {**members[0], **{key: value for key, value in found.items() if key != "anyOf"}}
    return found


def _fits(value: Any, kind: Any) -> bool:
    """Whether a constant is of that JSON type, so that the type says nothing more."""
    if kind is None:
        return True
    fits = _TYPES.get(kind, ())
    return isinstance(value, fits) and (bool in fits or not isinstance(value, bool))
