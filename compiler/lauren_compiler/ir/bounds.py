"""Whether a value keeps bounds, as JSON Schema's keywords of the same meaning say."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any

from .types import Bounds

_TESTS: dict[str, Callable[[Any, Any], bool]] = {
    "ge": operator.ge,
    "gt": operator.gt,
    "le": operator.le,
    "lt": operator.lt,
    "multiple_of": lambda value, of: is_multiple(value, of),
    "min_length": lambda value, least: len(value) >= least,
    "max_length": lambda value, most: len(value) <= most,
    "pattern": lambda value, pattern: re.search(whole_end(pattern), value) is not None,
}


def within(bounds: Bounds, value: object) -> bool:
    """Whether a value of the bounded type keeps every bound."""
    return all(_TESTS[name](value, bound) for name, bound in bounds.given)


def is_multiple(value: int | float, of: int | float) -> bool:
    """Whether `value` is a multiple, as the package jsonschema decides it: by quotient for a float, by rest else."""
    if not isinstance(of, float):
        return value % of == 0
    try:
        quotient = value / of
        return int(quotient) == quotient
    except OverflowError:
        from fractions import Fraction

        return Fraction(value) % Fraction(of) == 0


def whole_end(pattern: str) -> str:
    """The pattern with `$` for the very end, as ECMA 262 has it; Python's also stands before a last newline."""
    parts: list[str] = []
    in_class = False
    position = 0
    while position < len(pattern):
        character = pattern[position]
        if character == "\\":
            parts.append(pattern[position : position + 2])
            position += 2
            continue
        if character == "[" and not in_class:
            in_class = True
            # A bracket that closes nothing is the class's first member.
            opening = re.match(r"\[\^?\]?", pattern[position:])
            text = opening.group() if opening else character
            parts.append(text)
            position += len(text)
            continue
        in_class = in_class and character != "]"
        parts.append("\\Z" if character == "$" and not in_class else character)
        position += 1
    return "".join(parts)
