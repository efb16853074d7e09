"""JSON Schemas that users state: which keywords they may have, what they refer to, what they accept.

`KEYWORDS` are those that a decoder checks (`lauren_runtime/decoding/stated.py`), `REMARKS` those that say nothing of
what is accepted. A keyword that is neither is refused where the schema is read (`problems`), never dropped in silence.
Source: JSON Schema Core and Validation, draft 2020-12.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias, TypeGuard, cast

from .bounds import whole_end
from .dump import json_text

Path: TypeAlias = tuple[str, ...]

_ONE = frozenset("not if then else items contains additionalProperties propertyNames".split())
"""Keywords that hold a schema."""
_LIST = frozenset("allOf anyOf oneOf prefixItems".split())
"""Keywords that hold a list of schemas."""
_TABLE = frozenset("properties patternProperties $defs".split())
"""Keywords that hold schemas by name."""
_PLAIN = frozenset(
    """
    $ref type enum const multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern
    minItems maxItems uniqueItems minContains maxContains minProperties maxProperties required dependentRequired
    """.split()
)
KEYWORDS = _ONE | _LIST | _TABLE | _PLAIN
REMARKS = frozenset(
    """
    title description default examples deprecated readOnly writeOnly $comment format contentEncoding contentMediaType
    contentSchema discriminator
    """.split()
)
_PREFIX = "#/$defs/"
_MOST_LEVELS = 60


def problems(schema: object) -> list[tuple[Path, str]]:
    """What is wrong with a stated schema, each with the keys that lead there; none if a decoder can check all of it."""
    if not _is_object(schema):
        return [((), "a schema is a table (an object)")]
    found = [*_strange(schema, ())]
    if found:
        return found
    from jsonschema.exceptions import SchemaError
    from jsonschema.validators import Draft202012Validator

    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        return [(tuple(map(str, error.absolute_path)), error.message)]
    except (RecursionError, OverflowError) as error:
        return [((), f"it can't be read: {error}")]
    names = frozenset(schema.get("$defs", {}))
    for path, part in subschemas(schema):
        found += [(path, text) for text in _faults(part, path, names)]
    return found or [(path, "refers to itself alone") for path in _circles(schema)]


def _strange(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    """What JSON has not: dates and times of TOML, infinities, keys that are no strings; and too deep a nesting."""
    if len(path) > _MOST_LEVELS:
        yield path[:3], f"more than {_MOST_LEVELS} levels of nesting"
    elif isinstance(value, dict):
        for key, part in cast("dict[object, object]", value).items():
            if not isinstance(key, str):
                yield path, f"the key {key!r} is no string"
            yield from _strange(part, (*path, str(key)))
    elif isinstance(value, list):
        for index, part in enumerate(cast("list[object]", value)):
            yield from _strange(part, (*path, str(index)))
    elif not (value is None or isinstance(value, (str, int, float))) or value != value or value in (_INF, -_INF):
        yield path, f"{value!s} has no JSON form"


_INF = float("inf")


def subschemas(schema: Mapping[str, Any], path: Path = ()) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """The schema and every object schema inside it, with the keys that lead there."""
    yield path, schema
    for key, part in schema.items():
        if key in _ONE and _is_object(part):
            yield from subschemas(part, (*path, key))
        elif key in _LIST:
            for index, item in enumerate(part):
                yield from subschemas(item, (*path, key, str(index))) if _is_object(item) else ()
        elif key in _TABLE:
            for name, item in part.items():
                yield from subschemas(item, (*path, key, name)) if _is_object(item) else ()


def _faults(part: Mapping[str, Any], path: Path, names: frozenset[str]) -> Iterator[str]:
    for key, value in part.items():
        if key not in KEYWORDS and key not in REMARKS and not key.startswith("x-"):
            yield misspelt(key) or f"the keyword `{key}` is not checked by decoders, so a schema can't have it"
        elif key == "$defs" and path:
            yield "`$defs` stand at the root of the schema"
        elif key == "$ref" and value.removeprefix(_PREFIX) not in names:
            yield f"`$ref` to `{value}` leads out of the schema: it can name what stands in `$defs`"


def misspelt(key: str) -> str | None:
    """What is wrong with a keyword that is nearly another one; None if it is not."""
    import difflib

    near = difflib.get_close_matches(key, sorted(KEYWORDS | REMARKS), n=1, cutoff=0.85)
    return f"there is no keyword `{key}`; did you mean `{near[0]}`?" if near and near[0] != key else None


def _circles(schema: Mapping[str, Any]) -> Iterator[Path]:
    """Definitions that come back to themselves without a step into a value: no value would ever be decided."""
    definitions: Mapping[str, Any] = schema.get("$defs", {})
    for name in definitions:
        pending, seen = [definitions[name]], set[str]()
        while pending:
            part = pending.pop()
            for target in _at_once(part):
                if target == name:
                    yield ("$defs", name)
                    pending = []
                    break
                if target not in seen:
                    seen.add(target)
                    pending.append(definitions[target])


def _at_once(part: object) -> Iterator[str]:
    """The definitions that hold for the same value as a schema."""
    if not _is_object(part):
        return
    if "$ref" in part:
        yield part["$ref"].removeprefix(_PREFIX)
    for key in ("allOf", "anyOf", "oneOf"):
        for item in part.get(key, ()):
            yield from _at_once(item)
    for key in ("not", "if", "then", "else"):
        yield from _at_once(part.get(key))


def targets(schema: Mapping[str, Any]) -> frozenset[str]:
    """The names in `$defs` that the schema needs, directly or through others."""
    definitions: Mapping[str, Any] = schema.get("$defs", {})
    found: set[str] = set()
    pending = [{key: part for key, part in schema.items() if key != "$defs"}]
    while pending:
        for _, part in subschemas(pending.pop()):
            name = part["$ref"].removeprefix(_PREFIX) if "$ref" in part else None
            if name is not None and name not in found:
                found.add(name)
                if _is_object(definitions[name]):
                    pending.append(dict(definitions[name]))
    return frozenset(found)


def redirected(schema: Mapping[str, Any], to: Mapping[str, str]) -> dict[str, Any]:
    """The schema with each `$ref` replaced by what `to` has for it."""
    return _mapped(schema, lambda key, value: to[value] if key == "$ref" else value)


def for_decoding(text: str) -> str:
    """The schema as a decoder reads it: without remarks, and `$` in patterns meaning the very end."""
    schema = _mapped(json.loads(text), lambda key, value: whole_end(value) if key == "pattern" else value)
    return json_text(_whole_ends(_checked(schema)))


def _checked(schema: Mapping[str, Any]) -> dict[str, Any]:
    return _rebuilt({key: part for key, part in schema.items() if key in KEYWORDS}, _checked)


def _whole_ends(schema: Mapping[str, Any]) -> dict[str, Any]:
    named = {whole_end(name): part for name, part in schema.get("patternProperties", {}).items()}
    return _rebuilt({**schema, **({"patternProperties": named} if named else {})}, _whole_ends)


def _mapped(schema: Mapping[str, Any], change: Callable[[str, Any], Any]) -> dict[str, Any]:
    """The schema with `change` made to the plain keywords of it and of all schemas inside."""
    changed = {key: change(key, part) if key in _PLAIN else part for key, part in schema.items()}
    return _rebuilt(changed, lambda inner: _mapped(inner, change))


def _rebuilt(schema: Mapping[str, Any], inside: Callable[[Mapping[str, Any]], dict[str, Any]]) -> dict[str, Any]:
    """The schema with each schema directly inside it replaced."""

    def one(part: Any) -> Any:
        return inside(part) if _is_object(part) else part

    found: dict[str, Any] = {}
    for key, part in schema.items():
        if key in _ONE:
            found[key] = one(part)
        elif key in _LIST:
            found[key] = [one(item) for item in part]
        elif key in _TABLE:
            found[key] = {name: one(item) for name, item in part.items()}
        else:
            found[key] = part
    return found


_EVERY_KIND = frozenset(("null", "boolean", "number", "string", "array", "object"))


def kinds(schema: object, definitions: Mapping[str, Any]) -> frozenset[str]:
    """The types of JSON values that a schema may accept, as far as its keywords tell; integers are numbers."""
    if not _is_object(schema):
        return _EVERY_KIND if schema is not False else frozenset()
    found = _EVERY_KIND
    if "type" in schema:
        named = schema["type"]
        names = (named,) if isinstance(named, str) else tuple(named)
        found = frozenset("number" if name == "integer" else name for name in names)
    if "const" in schema or "enum" in schema:
        found &= frozenset(map(_kind, schema.get("enum", [schema.get("const")])))
    if "$ref" in schema:
        found &= kinds(definitions.get(schema["$ref"].removeprefix(_PREFIX)), definitions)
    for key in ("anyOf", "oneOf"):
        if key in schema:
            found &= frozenset[str]().union(*(kinds(part, definitions) for part in schema[key]))
    for part in schema.get("allOf", ()):
        found &= kinds(part, definitions)
    return found


def _kind(value: object) -> str:
    names = {"bool": "boolean", "int": "number", "float": "number", "str": "string", "list": "array", "dict": "object"}
    return "null" if value is None else names[type(value).__name__]


def satisfies(text: str, value: object) -> bool:
    """Whether a JSON value fits the schema."""
    return bool(_validator(text).is_valid(value))


@lru_cache(maxsize=256)
def _validator(text: str) -> Any:
    from jsonschema.validators import Draft202012Validator

    return Draft202012Validator(json.loads(text))


def _is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)
