"""The complete decoders of scalars: exact check first, then repair, else a fault. See docs/decoding.md."""

from __future__ import annotations

from .place import LAX, STRICT
from .texts import json_scalar, lossless_integer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .place import Place


def string(value: object, at: Place) -> object:
    """A string. JSON has no other form of one, so nothing is repaired."""
    if at.exactness > STRICT:
        at.exactness = STRICT
    if type(value) is not str and not isinstance(value, str):
        at.fail("a string", value)
    return value


def integer(value: object, at: Place) -> object:
    """An integer; `1.0` is one, `true` is not. Mends `"5"` and `"5.0"`."""
    if type(value) is int:
        return value
    if type(value) is str:
        number = lossless_integer(value) if at.repair else None
        if number is None:
            return at.fail("an integer", value)
        at.mend("text read as an integer", value, number)
        return number
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        at.loosen(LAX)
        return int(value)
    return integer(str(value), at) if isinstance(value, str) else at.fail("an integer", value)


def number(value: object, at: Place) -> object:
    """A number, as a float. Mends `"1.5"`."""
    if isinstance(value, float):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return _widened(value, at)
    if at.repair and isinstance(value, str):
        found = json_scalar(value)
        if isinstance(found, (int, float)) and not isinstance(found, bool):
            at.mend("text read as a number", value, found)
            return found if isinstance(found, float) else _widened(found, at)
    return at.fail("a number", value)


def _widened(value: int, at: Place) -> object:
    at.loosen(STRICT)
    try:
        return float(value)
    except OverflowError:
        return at.fail("a number that a float can hold", value)


def boolean(value: object, at: Place) -> object:
    """`true` or `false`. Mends `"true"` and `"False"`."""
    if value is True or value is False:
        return value
    if at.repair and isinstance(value, str):
        found = json_scalar(value)
        if isinstance(found, bool):
            at.mend("text read as a boolean", value, found)
            return found
    return at.fail("true or false", value)


def null(value: object, at: Place) -> object:
    """Null."""
    return None if value is None else at.fail("null", value)


def anything(value: object, at: Place) -> object:
    """Any JSON value, as it is: that it is JSON was checked for the arguments as a whole."""
    at.loosen(STRICT)
    return value
