"""What the quick path calls: checks of whole containers that say yes, or raise a doubt.

A doubt is no error: the call is then decoded by the complete path, which repairs, or tells what is wrong.
"""

from __future__ import annotations

from operator import countOf

from .bounds import LEAST, MOST, typeof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Doubt(Exception):
    """The quick path cannot tell."""


DOUBTS = (Doubt, KeyError, IndexError, TypeError, ValueError, AssertionError, OverflowError, RecursionError)
"""What may come of looking at a value as if it were right."""


def text(value: Any) -> Any:
    """A string."""
    if typeof(value) is not str:
        raise Doubt
    return value


def whole(value: Any) -> Any:
    """An integer."""
    if typeof(value) is not int or not LEAST <= value <= MOST:
        raise Doubt
    return value


def real(value: Any) -> Any:
    """A number, as a float."""
    if typeof(value) is float and value - value == 0.0:
        return value
    if typeof(value) is not int:
        raise Doubt
    return float(value)


def truth(value: Any) -> Any:
    """A boolean."""
    if value is not True and value is not False:
        raise Doubt
    return value


def nothing(value: Any) -> Any:
    """Null."""
    if value is not None:
        raise Doubt
    return value


def array(value: Any) -> Any:
    """An array."""
    if typeof(value) is not list:
        raise Doubt
    return value


def texts(value: Any) -> Any:
    """An array of strings, uncopied. Joining raises TypeError for an item that is no string."""
    if typeof(value) is not list:
        raise Doubt
    "".join(value)
    return value


def wholes(value: Any) -> Any:
    """An array of integers, uncopied. The sum overflows if one is too long for a float, let alone for us."""
    if typeof(value) is not list or list(map(type, value)).count(int) != len(value):
        raise Doubt
    sum(value, 0.0)
    return value


def reals(value: Any) -> Any:
    """An array of numbers as floats, uncopied if they are floats. NaN and infinities show in the sum."""
    if typeof(value) is not list:
        raise Doubt
    if list(map(type, value)).count(float) != len(value):
        return [real(item) for item in value]
    total = sum(value, 0.0)
    if total - total != 0.0:
        raise Doubt
    return value


def truths(value: Any) -> Any:
    """An array of booleans, uncopied."""
    if typeof(value) is not list or countOf(map(type, value), bool) != len(value):
        raise Doubt
    return value


def record(value: Any) -> Any:
    """An object."""
    if typeof(value) is not dict:
        raise Doubt
    # Raises TypeError for a key that is no string; one of a subclass of str is as good.
    "".join(value)
    return value


def record_of(value: Any, items: Callable[[Any], Any]) -> Any:
    """An object of scalars, uncopied unless `items`, one of the functions for arrays, had to convert."""
    values = list(record(value).values())
    taken = items(values)
    return value if taken is values else dict(zip(value, taken, strict=True))


def once(items: Any, kind: Callable[[Any], Any]) -> Any:
    """A set of items that are all different."""
    taken = kind(items)
    if len(taken) != len(items):
        raise Doubt
    return taken
