"""Kinds of JSON values. Subclasses of Python's types count as their base; `bool` is no number."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard


def is_object(value: object) -> TypeGuard[dict[str, Any]]:
    """Whether `value` is a JSON object."""
    return isinstance(value, dict)


def is_array(value: object) -> TypeGuard[list[Any]]:
    """Whether `value` is a JSON array."""
    return isinstance(value, list)


def is_container(value: object) -> bool:
    """Whether `value` is either."""
    return isinstance(value, (dict, list))
