"""Bounds that a comparison alone can't tell: multiples and patterns."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any


def is_multiple(value: int | float, of: float) -> bool:
    """Whether `value` is a multiple of a float, as the package jsonschema decides it: by the quotient."""
    try:
        quotient = value / of
        return int(quotient) == quotient
    except OverflowError:
        from fractions import Fraction

        return Fraction(value) % Fraction(of) == 0


class Pattern:
    """A regular expression, compiled when it is first needed; it may match anywhere in a text."""

    __slots__ = ("compiled", "text")

    compiled: re.Pattern[str]

    def __init__(self, text: str) -> None:
        self.text = text

    def __getattr__(self, name: str) -> Any:
        # Only reached while the slot is empty.
        if name != "compiled":
            raise AttributeError(name)
        import re

        self.compiled = re.compile(self.text)
        return self.compiled

    def found_in(self, text: str) -> bool:
        return self.compiled.search(text) is not None
