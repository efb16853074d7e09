"""Whether a tool's result is what its `output_schema` promises.

Knows the JSON Schema keywords that compiled output schemas are made of, by their meaning in draft 2020-12; `format` is
a note to the reader there, and here. The compiler has checked the schema itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, cast

from .canonical import canonical, text
from .decoding import is_multiple
from .providers import manifest
from .table import Table

Schema = dict[str, Any]
Check = Callable[[Any, Any, Schema, "OutputSchema", str], Iterator[str]]


class OutputSchema:
    """One tool's output schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._definitions: Schema = schema.get("$defs", {})

    def faults(self, value: Any) -> list[str]:
        """All that is wrong with a JSON value, each with its place."""
        return list(self.each(value, self._schema, "the result"))

    def each(self, value: Any, schema: Any, path: str) -> Iterator[str]:
        """The faults of a value under a part of the schema."""
        if isinstance(schema, bool):
            if not schema:
                yield f"{path} is not foreseen"
            return
        for keyword, argument in schema.items():
            check = _CHECKS.get(keyword)
            if check is not None:
                yield from check(value, argument, schema, self, path)

    def holds(self, value: Any, schema: Any) -> bool:
        """Whether a value has no fault under a part of the schema."""
        return next(self.each(value, schema, ""), None) is None

    def definition(self, reference: str) -> Any:
        """What a `$ref` points to; all of them point into the root's `$defs`, or at the root."""
        return self._schema if reference == "#" else self._definitions[reference.removeprefix("#/$defs/")]


def output_schemas(table: Table) -> dict[str, OutputSchema]:
    """The output schemas of a build by `module:qualname`; tools that promise nothing have none."""
    tools = manifest(table)["tools"]
    return {
        f"{tool['module']}:{tool['qualname']}": OutputSchema(tool["output_schema"])
        for tool in tools
        if "output_schema" in tool
    }


def _kinds(value: Any) -> tuple[str, ...]:
    if isinstance(value, bool):
        return ("boolean",)
    if isinstance(value, float):
        return ("number", "integer") if value.is_integer() else ("number",)
    names: dict[type, tuple[str, ...]] = {
        type(None): ("null",),
        int: ("integer", "number"),
        str: ("string",),
        list: ("array",),
        dict: ("object",),
    }
    return names[type(value)]


def _key(value: Any) -> str:
    """Equal for values that JSON Schema calls equal: `1` and `1.0`, but neither and `true`."""
    return text(canonical(value))


def _type(value: Any, wanted: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    names = cast("list[str]", wanted if isinstance(wanted, list) else [wanted])
    if not set(_kinds(value)) & set(names):
        yield f"{path} is {_kinds(value)[0]}, not {' or '.join(names)}"


def _enum(value: Any, allowed: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if _key(value) not in map(_key, allowed):
        yield f"{path} is {json.dumps(value)}, which is none of {json.dumps(allowed)}"


def _const(value: Any, wanted: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    yield from _enum(value, [wanted], schema, root, path)


def _properties(value: Any, parts: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        fields = cast(Schema, value)
        for name, part in parts.items():
            if name in fields:
                yield from root.each(fields[name], part, f"{path}.{name}")


def _required(value: Any, names: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{path} lacks {name!r}" for name in names if name not in value)


def _additional(value: Any, part: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        patterns = [re.compile(pattern) for pattern in schema.get("patternProperties", {})]
        for name, item in cast(Schema, value).items():
            if name not in schema.get("properties", {}) and not any(each.search(name) for each in patterns):
                yield from root.each(item, part, f"{path}.{name}")


def _patterns(value: Any, parts: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, item in cast(Schema, value).items():
            for pattern, part in parts.items():
                if re.search(pattern, name):
                    yield from root.each(item, part, f"{path}.{name}")


def _names(value: Any, part: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name in cast(Schema, value):
            yield from root.each(name, part, f"the key {name!r} of {path}")


def _items(value: Any, part: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if isinstance(value, list):
        items = cast("list[object]", value)
        first = len(schema.get("prefixItems", ()))
        for index, item in enumerate(items[first:], first):
            yield from root.each(item, part, f"{path}[{index}]")


def _prefix(value: Any, parts: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if isinstance(value, list):
        items = cast("list[object]", value)
        for index, (item, part) in enumerate(zip(items, parts, strict=False)):
            yield from root.each(item, part, f"{path}[{index}]")


def _unique(value: Any, wanted: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if wanted and isinstance(value, list):
        items = cast("list[object]", value)
        if len(set(map(_key, items))) != len(items):
            yield f"{path} has equal items"


def _any_of(value: Any, parts: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if not any(root.holds(value, part) for part in parts):
        yield f"{path} is none of what it may be"


def _one_of(value: Any, parts: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if sum(root.holds(value, part) for part in parts) != 1:
        yield f"{path} is not exactly one of what it may be"


def _all_of(value: Any, parts: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    for part in parts:
        yield from root.each(value, part, path)


def _not(value: Any, part: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if root.holds(value, part):
        yield f"{path} is what it must not be"


def _ref(value: Any, reference: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    yield from root.each(value, root.definition(reference), path)


def _pattern(value: Any, pattern: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
    if isinstance(value, str) and not re.search(_whole_end(pattern), value):
        yield f"{path} does not match {pattern!r}"


def _whole_end(pattern: str) -> str:
    """The pattern with `$` for the very end, as JSON Schema has it; Python's also stands before a last newline."""
    return _DOLLAR.sub(lambda found: "\\Z" if found[0] == "$" else found[0], pattern)


def _bound(kind: type | tuple[type, ...], words: str, within: Callable[[Any, Any], bool]) -> Check:
    """A limit on values of a kind."""

    def check(value: Any, limit: Any, schema: Schema, root: OutputSchema, path: str) -> Iterator[str]:
        if isinstance(value, kind) and not isinstance(value, bool) and not within(value, limit):
            yield f"{path} {words} {limit}"

    return check


def _is_multiple(value: Any, factor: Any) -> bool:
    return is_multiple(value, factor) if isinstance(factor, float) else value % factor == 0


_DOLLAR = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\$", re.DOTALL)
"""What may hold a dollar: an escape, a class, whose first bracket closes nothing, or nothing else."""
_NUMBER = (int, float)
_CHECKS: dict[str, Check] = {
    "type": _type,
    "enum": _enum,
    "const": _const,
    "$ref": _ref,
    "anyOf": _any_of,
    "oneOf": _one_of,
    "allOf": _all_of,
    "not": _not,
    "properties": _properties,
    "required": _required,
    "additionalProperties": _additional,
    "patternProperties": _patterns,
    "propertyNames": _names,
    "items": _items,
    "prefixItems": _prefix,
    "uniqueItems": _unique,
    "pattern": _pattern,
    "minItems": _bound(list, "has fewer items than", lambda value, limit: len(value) >= limit),
    "maxItems": _bound(list, "has more items than", lambda value, limit: len(value) <= limit),
    "minLength": _bound(str, "is shorter than", lambda value, limit: len(value) >= limit),
    "maxLength": _bound(str, "is longer than", lambda value, limit: len(value) <= limit),
    "minProperties": _bound(dict, "has fewer keys than", lambda value, limit: len(value) >= limit),
    "maxProperties": _bound(dict, "has more keys than", lambda value, limit: len(value) <= limit),
    "minimum": _bound(_NUMBER, "is less than", lambda value, limit: value >= limit),
    "maximum": _bound(_NUMBER, "is more than", lambda value, limit: value <= limit),
    "exclusiveMinimum": _bound(_NUMBER, "is not more than", lambda value, limit: value > limit),
    "exclusiveMaximum": _bound(_NUMBER, "is not less than", lambda value, limit: value < limit),
    "multipleOf": _bound(_NUMBER, "is no multiple of", _is_multiple),
}
