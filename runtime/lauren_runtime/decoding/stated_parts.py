"""Keywords of stated schemas that look into a value: limits, items of arrays, members of objects.

Each holds for values of its own kind only: a length says nothing of a number.
"""

from __future__ import annotations

import operator

from .containers import only
from .keys import distinct
from .kinds import is_array, is_object
from .limits import is_multiple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .place import Place
    from .stated import Keyword, Stated

_LONGEST = 100


def _numeric(keyword: str, keeps: Callable[[Any, Any], bool], words: str) -> tuple[str, Keyword]:
    def check(of: Stated, schema: Any, value: Any, at: Place) -> Any:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or keeps(value, schema[keyword]):
            return value
        return at.fail(f"a number ({words.format(schema[keyword])})", value)

    return keyword, check


def _measured(keyword: str, kind: type[Any], keeps: Callable[[int, int], bool], words: str) -> tuple[str, Keyword]:
    def check(of: Stated, schema: Any, value: Any, at: Place) -> Any:
        if not isinstance(value, kind) or keeps(len(value), schema[keyword]):
            return value
        return at.fail(words.format(schema[keyword]), value)

    return keyword, check


def _multiple(value: Any, of: Any) -> bool:
    return is_multiple(value, of) if isinstance(of, float) else value % of == 0


def _pattern(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    text: str = schema["pattern"]
    if not isinstance(value, str) or of.pattern(text).found_in(value):
        return value
    return at.fail(f"a string (matching {text[:_LONGEST]})", value)


def _items(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    """`prefixItems`, and `items` for those behind them."""
    if not is_array(value):
        return value
    first = schema.get("prefixItems", [])
    rest = schema.get("items", True)
    found: list[Any] = []
    for index, item in enumerate(value):
        at.path.append(index)
        found.append(of.decode(first[index] if index < len(first) else rest, item, at))
        at.path.pop()
    return found


def _prefix(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    return value if "items" in schema else _items(of, schema, value, at)


def _unique(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    if not schema["uniqueItems"] or not is_array(value):
        return value
    once = distinct(value)
    if len(once) == len(value):
        return value
    if not at.repair:
        return at.fail("items that are all different", value)
    at.mend("equal items read as one", value, once)
    return once


def _contains(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    if not is_array(value):
        return value
    count = sum(of.fits(schema["contains"], item) for item in value)
    if schema.get("minContains", 1) <= count <= schema.get("maxContains", count):
        return value
    return at.fail("an array with the right number of certain items", value)


def _required(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    if is_object(value):
        for name in schema["required"]:
            if at.enter(value, name, "a value"):
                at.leave(None)
    return value


def _dependent(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    for name, others in schema["dependentRequired"].items() if is_object(value) else ():
        if name in value:
            _required(of, {"required": others}, value, at)
    return value


def _members(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    """`properties`, `patternProperties`, and `additionalProperties` for what neither names."""
    if not is_object(value):
        return value
    named: dict[str, Any] = schema.get("properties", {})
    matching: dict[str, Any] = schema.get("patternProperties", {})
    rest = schema.get("additionalProperties", True)
    found: dict[str, Any] = {}
    unknown: dict[str, Any] = {}
    for name, item in value.items():
        parts = [named[name]] if name in named else []
        parts += [part for pattern, part in matching.items() if of.pattern(pattern).found_in(name)]
        if not parts and rest is False:
            unknown[name] = item
        at.path.append(name)
        for part in parts or ([] if rest is False else [rest]):
            item = of.decode(part, item, at)
        at.path.pop()
        found[name] = item
    only(unknown, at, tuple(named))
    return found


def _first_of(keyword: str, *earlier: str) -> tuple[str, Keyword]:
    """`_members` once for a schema that has several of its keywords."""

    def check(of: Stated, schema: Any, value: Any, at: Place) -> Any:
        return value if any(other in schema for other in earlier) else _members(of, schema, value, at)

    return keyword, check


def _names(of: Stated, schema: Any, value: Any, at: Place) -> Any:
    for name in value if is_object(value) else ():
        at.path.append(name)
        of.decode(schema["propertyNames"], name, at)
        at.path.pop()
    return value


KEYWORDS: tuple[tuple[str, Keyword], ...] = (
    _numeric("minimum", operator.ge, "at least {}"),
    _numeric("exclusiveMinimum", operator.gt, "more than {}"),
    _numeric("maximum", operator.le, "at most {}"),
    _numeric("exclusiveMaximum", operator.lt, "less than {}"),
    _numeric("multipleOf", _multiple, "a multiple of {}"),
    _measured("minLength", str, operator.ge, "a string of at least {} characters"),
    _measured("maxLength", str, operator.le, "a string of at most {} characters"),
    ("pattern", _pattern),
    ("prefixItems", _prefix),
    ("items", _items),
    ("uniqueItems", _unique),
    _measured("minItems", list, operator.ge, "an array of at least {} items"),
    _measured("maxItems", list, operator.le, "an array of at most {} items"),
    ("contains", _contains),
    ("required", _required),
    ("dependentRequired", _dependent),
    _first_of("properties"),
    _first_of("patternProperties", "properties"),
    _first_of("additionalProperties", "properties", "patternProperties"),
    ("propertyNames", _names),
    _measured("minProperties", dict, operator.ge, "an object with at least {} keys"),
    _measured("maxProperties", dict, operator.le, "an object with at most {} keys"),
)
"""In the order in which they are looked at; a keyword that refuses the value is the last."""
