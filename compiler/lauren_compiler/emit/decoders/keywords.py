"""What is written as a call by keyword, and what can do without the call."""

from __future__ import annotations

from ...ir.types import ObjectDefinition

_LONGEST = 40


def is_keyword(name: str) -> bool:
    """Whether a name can stand in a call, `f(name=1)`; others go into a dict."""
    return name.isascii() and len(name) <= _LONGEST


def is_filled(definition: ObjectDefinition) -> bool:
    """Whether a class is a dataclass whose instances the quick path makes without its constructor (filled.py).

    With more than one field that may be absent, or one that is made anew, the constructor is quicker.
    """
    later = [each for each in definition.fields if not each.required]
    known = all(is_keyword(each.name) for each in definition.fields)
    return definition.plain and known and (not later or (len(later) == 1 and later[0].factory is None))
