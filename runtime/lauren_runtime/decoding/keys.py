"""Equality of JSON values as JSON Schema has it: `1` and `1.0` are equal, `true` and `1` are not."""

from __future__ import annotations

from .kinds import is_array, is_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable
    from typing import Any


def json_key(value: Any) -> Hashable:
    """A hashable that is equal for equal JSON values, and for those only. What is no JSON is equal to itself."""
    if isinstance(value, bool):
        return (bool, value)
    if is_array(value):
        return (list, *map(json_key, value))
    if is_object(value):
        return (dict, frozenset((name, json_key(item)) for name, item in value.items()))
    if value is None or isinstance(value, (str, int, float)):
        return value
    return (object, id(value))


def distinct(items: list[Any]) -> list[Any]:
    """The items without those equal to an earlier one."""
    seen: dict[Hashable, Any] = {}
    for item in items:
        seen.setdefault(json_key(item), item)
    return list(seen.values())
