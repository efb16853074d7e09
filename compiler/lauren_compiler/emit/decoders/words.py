"""Bounds in words for a model."""

from __future__ import annotations

from ...ir.types import Bounds

_WORDS = {
    "ge": "at least {}",
    "gt": "more than {}",
    "le": "at most {}",
    "lt": "less than {}",
    "multiple_of": "a multiple of {}",
    "pattern": "matching {}",
}
_COUNTED = {"min_length": "at least {} {}", "max_length": "at most {} {}"}


def words(bounds: Bounds, unit: str) -> str:
    """The bounds for a model: "at least 1, less than 5"."""
    parts: list[str] = []
    for name, bound in bounds.given:
        if name in _COUNTED:
            parts.append(_COUNTED[name].format(bound, unit if bound != 1 else unit.removesuffix("s")))
        else:
            parts.append(_WORDS[name].format(bound))
    return ", ".join(parts)
