"""Equality of JSON values, which Python's `==` is not: there `True` is `1`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:
    from typing import Any


def same(left: object, right: object) -> bool:
    """Equality as JSON has it, at every depth: `1` is `1.0`, `true` is not `1`."""
    return identity(left) == identity(right)


def identity(value: object) -> Hashable:
    """What equal JSON values have in common, and only they. What is no JSON is equal as Python has it."""
    if _is_array(value):
        return ("array", tuple(map(identity, value)))
    if _is_object(value):
        return ("object", frozenset((name, identity(member)) for name, member in value.items()))
    return ("boolean", value) if isinstance(value, bool) else ("scalar", value)


def _is_array(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _is_object(value: object) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)
