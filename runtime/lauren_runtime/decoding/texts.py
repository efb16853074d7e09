"""Reading what a model wrote as text where it should have written JSON; and integers as keys of objects."""

from __future__ import annotations

from .bounds import MAX_DEPTH, MAX_DIGITS, foreign
from .kinds import is_container, is_object
from .place import LAX, STRICT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from .place import Place

_FIRST_OF_NUMBERS = "-0123456789"
_BOOLEANS = {"true": True, "false": False, "True": True, "False": False}


def json_scalar(text: str) -> object:
    """The number or boolean that `text` spells (Python's `True` and `False` too), None if it spells neither."""
    text = text.strip(" \t\r\n")
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if not text or text[0] not in _FIRST_OF_NUMBERS:
        return None
    found = _parsed(text)
    return found if isinstance(found, (int, float)) else None


def lossless_integer(text: str) -> int | None:
    """The integer that `text` spells: `5`, `-5`, `5.0`; None for anything that would have to be rounded."""
    text = text.strip(" \t\r\n")
    if not text or text[0] not in _FIRST_OF_NUMBERS:
        return None
    whole, dot, fraction = text.partition(".")
    if dot and (not fraction or fraction.strip("0")):
        return None
    found = json_scalar(whole)
    return found if isinstance(found, int) and not isinstance(found, bool) else None


def json_container(text: str, kind: type[dict[Any, Any] | list[Any]], at: Place) -> Any:
    """The object or array that `text` spells, None if it spells none that is JSON within the limits."""
    if at.spelled is None:
        at.spelled = {}
    if text not in at.spelled:
        at.spelled[text] = _parsed(text)
    found: Any = at.spelled[text]
    if type(found) is not kind or _depth_exceeds(found, MAX_DEPTH - len(at.path)):
        return None
    return found


def _parsed(text: str) -> Any:
    """The JSON value of `text`; None if it is none within the limits, or has a key twice."""
    import json

    try:
        found = json.loads(text, parse_constant=_refuse, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError):
        return None
    return None if foreign(found)[0] else found


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _depth_exceeds(value: Any, limit: int) -> bool:
    level: list[Any] = [value]
    for _ in range(limit):
        level = [
            item
            for holder in level
            for item in (holder.values() if is_object(holder) else holder)
            if is_container(item)
        ]
        if not level:
            return False
    return True


def string_key(key: str, at: Place) -> object:
    """A key of `dict[str, …]`."""
    at.loosen(STRICT)
    return key


def integer_key(key: str, at: Place) -> object:
    """A key of `dict[int, …]`: what pydantic reads as one from a key of a JSON object.

    Decimal digits with an optional sign, single underscores between digits, leading zeros, `.0`, space around.
    """
    at.loosen(LAX)
    text = key.strip()
    sign = text[:1] if text[:1] in ("+", "-") else ""
    whole, dot, fraction = text[len(sign) :].partition(".")
    digits = whole.replace("_", "")
    if (
        not (digits.isascii() and digits.isdigit())
        or "__" in whole
        or whole[0] == "_"
        or whole[-1] == "_"
        or (dot and (not fraction or fraction.strip("0")))
        or len(digits) > MAX_DIGITS
    ):
        return at.fail("an integer as key", key)
    return int(sign + digits)


def number_key(key: str, at: Place) -> object:
    """A key of `dict[float, …]`: what Python reads as a finite number from ASCII text, as pydantic does."""
    at.loosen(LAX)
    text = key.strip()
    try:
        number = float(text) if text.isascii() else None
    except ValueError:
        number = None
    if number is None or number - number != 0.0:
        return at.fail("a number as key", key)
    return number


_TRUTHS: dict[str, bool] = {
    **dict.fromkeys(("1", "on", "t", "true", "y", "yes"), True),
    **dict.fromkeys(("0", "f", "false", "n", "no", "off"), False),
}


def boolean_key(key: str, at: Place) -> object:
    """A key of `dict[bool, …]`: the words that pydantic reads as one, in capitals too."""
    at.loosen(LAX)
    truth = _TRUTHS.get(key.lower())
    return at.fail("true or false as key", key) if truth is None else truth
