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
_LONGEST = 100


def words(bounds: Bounds, unit: str) -> str:
    """The bounds for a model: "at least 1, less than 5". The schema has all of what is cut here."""
    parts: list[str] = []
    for name, bound in bounds.given:
        if name in _COUNTED:
            parts.append(_COUNTED[name].format(bound, unit if bound != 1 else unit.removesuffix("s")))
        else:
            text = str(bound)
            parts.append(_WORDS[name].format(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"))
    return ", ".join(parts)
