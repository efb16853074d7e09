"""How our schema of a tool differs from the one its own runtime lists."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Schema = dict[str, Any]
_TEXTS = frozenset({"title", "description", "$schema", "markdownDescription"})

KINDS = {
    "closed": "Ours is closed (`additionalProperties: false`): unknown arguments are refused, not dropped.",
    "null": "The default is null: ours says `null` too, also where the type does not; strands hides it.",
    "open": "The framework drops `additionalProperties` of a dict's schema, and with it the type of the values.",
    "order": "The options of a union stand here as in the source; Python takes that of the first equal union made.",
    "default": "Ours leaves out a default that has no JSON form or breaks its own schema, and keeps every other.",
    "texts of parameters": "Ours has the docstring's text of each parameter. FastMCP takes none; strands joins lines "
    "otherwise, and puts `Parameter x` where there is none. A text made at run time is left out here, with a warning.",
    "text of the tool": "Ours is the docstring's text before its first section, its lines joined. FastMCP takes the "
    "whole docstring, strands all but its arguments.",
    "schema": "Anything else; each is listed below.",
}
"""The kinds of differences, each with its explanation."""


def differences(ours: Schema, theirs: Schema, our_text: str, their_text: str) -> Iterator[tuple[str, str]]:
    """(kind, detail) of each difference between two tools of one name."""
    if ours.get("additionalProperties") is False and theirs.get("additionalProperties") is not False:
        yield "closed", ""
    if _words(our_text) != _words(their_text):
        yield "text of the tool", ""
    mine, other = ours.get("properties", {}), theirs.get("properties", {})
    for name in sorted({*mine, *other}):
        if name not in mine or name not in other:
            yield "schema", f"`{name}` is only in {'ours' if name in mine else 'theirs'}"
        else:
            yield from _property(name, inlined(mine[name], ours), inlined(other[name], theirs))
    required = [sorted(schema.get("required", [])) for schema in (ours, theirs)]
    if required[0] != required[1]:
        yield "schema", f"required: ours {required[0]}, theirs {required[1]}"


def _property(name: str, ours: Schema, theirs: Schema) -> Iterator[tuple[str, str]]:
    if ours.get("description") != theirs.get("description"):
        yield "texts of parameters", name
    if ours.get("default", ...) != theirs.get("default", ...):
        yield "default", name
    left, right = bare(ours), bare(theirs)
    if left == right:
        return
    left, right = ordered(left), ordered(right)
    if left == right:
        yield "order", name
        return
    plain, other = without_null(left), without_null(right)
    if plain == other:
        yield "null", name
    elif {**plain, "additionalProperties": 0} == {**other, "additionalProperties": 0}:
        yield "open", name
    else:
        yield "schema", f"`{name}`: ours `{_text(left)}`, theirs `{_text(right)}`"


def bare(schema: Schema) -> Schema:
    """A property's schema without texts, and without its default, which is compared apart."""
    found: Schema = _without_texts(schema)
    found.pop("default", None)
    return found


def ordered(schema: Schema) -> Schema:
    """A property's schema with the options of its union in one order."""
    if "anyOf" not in schema:
        return schema
    return {**schema, "anyOf": sorted(schema["anyOf"], key=lambda option: json.dumps(option, sort_keys=True))}


def without_null(schema: Schema) -> Schema:
    """A union without its null."""
    options = schema.get("anyOf")
    if not options:
        return schema
    left = [option for option in options if option != {"type": "null"}]
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    return {**rest, **left[0]} if len(left) == 1 else {**rest, "anyOf": left}


def inlined(part: Any, root: Schema, depth: int = 0) -> Any:
    """A schema with its definitions in place; what contains itself stays a name from some depth on."""
    if isinstance(part, list):
        return [inlined(item, root, depth) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part and depth < 6:
        target = root.get("$defs", {}).get(part["$ref"].rpartition("/")[2], {})
        rest = {key: value for key, value in part.items() if key != "$ref"}
        return {**inlined(target, root, depth + 1), **inlined(rest, root, depth)}
    return {key: inlined(value, root, depth) for key, value in part.items() if key != "$ref"}


def _without_texts(part: Any) -> Any:
    if isinstance(part, list):
        return [_without_texts(item) for item in part]
    if not isinstance(part, dict):
        return part
    kept = {key: value for key, value in part.items() if key not in _TEXTS or not isinstance(value, str)}
    return {key: _without_texts(value) for key, value in kept.items()}


def _words(text: str) -> str:
    return " ".join(text.split())


def _text(schema: Schema) -> str:
    text = json.dumps(schema, sort_keys=True)
    return text if len(text) <= 120 else text[:117] + "…"
