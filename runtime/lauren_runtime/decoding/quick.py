"""What the quick path calls: checks of whole containers that say yes, or raise a doubt.

A doubt is no error: the call is then decoded by the complete path, which repairs, or tells what is wrong.
"""

from __future__ import annotations

from collections import deque
from math import isfinite
from operator import countOf

from .bounds import LEAST, MOST, typeof
from .layouts import MANY, are_short, is_keyed_by_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


class Doubt(Exception):
    """The quick path cannot tell."""


DOUBTS = (Doubt, KeyError, IndexError, TypeError, ValueError, AssertionError, OverflowError, RecursionError)
"""What may come of looking at a value as if it were right."""


blank = object.__new__
"""Makes an instance of a class that has no fields yet."""
_conjugate = float.conjugate
_integral = float.__trunc__


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
    """An array of strings, uncopied.

    No text starts behind its end, so that each item is looked at: TypeError for one that is no string. Joining them
    would tell the same, and copy them.
    """
    if typeof(value) is not list:
        raise Doubt
    "".startswith(tuple(value), 1)
    return value


def wholes(value: Any) -> Any:
    """An array of integers, uncopied. The sum overflows if one is too long for a float, let alone for us."""
    if typeof(value) is not list:
        raise Doubt
    if len(value) < MANY or not are_short(value):
        if [*map(type, value)].count(int) != len(value):
            raise Doubt
        sum(value, 0.0)
    return value


def reals(value: Any) -> Any:
    """An array of numbers as floats, uncopied if they are floats."""
    if typeof(value) is not list:
        raise Doubt
    return value if _are_floats(value) else [real(item) for item in value]


def _are_floats(values: Iterable[Any]) -> bool:
    """Whether all are floats. NaN and infinities have no integral part: ValueError, OverflowError.

    If the sum is finite, there are none; if not, it may only be too large.
    """
    try:
        if not isfinite(sum(map(_conjugate, values))):
            deque(map(_integral, values), 0)
    except TypeError:
        return False
    return True


def truths(value: Any) -> Any:
    """An array of booleans, uncopied."""
    if typeof(value) is not list or countOf(map(type, value), bool) != len(value):
        raise Doubt
    return value


def record(value: Any) -> Any:
    """An object."""
    if typeof(value) is not dict:
        raise Doubt
    if len(value) < MANY or not is_keyed_by_texts(value):
        # Raises TypeError for a key that is no string; one of a subclass of str is as good.
        "".join(value)
    return value


def record_of(value: Any, items: Callable[[Any], Any]) -> Any:
    """An object of scalars, uncopied unless `items`, one of the functions for arrays, had to convert."""
    values = list(record(value).values())
    taken = items(values)
    return value if taken is values else dict(zip(value, taken, strict=True))


def record_of_reals(value: Any) -> Any:
    """An object of numbers as floats, uncopied if they are floats."""
    if _are_floats(record(value).values()):
        return value
    return {key: real(item) for key, item in value.items()}


def once(items: Any, kind: Callable[[Any], Any]) -> Any:
    """A set of items that are all different."""
    taken = kind(items)
    if len(taken) != len(items):
        raise Doubt
    return taken
