"""JSON in: the arguments of a call, from text, bytes or a dict.

A text must be JSON as RFC 8259 has it, with no key twice in one object, no NaN and no Infinity. What a parsed value
must not hold, whichever parser made it (numbers too large, too many levels, objects that are no JSON), the decoders
refuse. The common case pays for one scan by the C parser and one census of the result.
"""

from __future__ import annotations

from json.decoder import JSONDecodeError, JSONDecoder
from math import isfinite
from types import NoneType
from typing import Any, Never, cast

from .errors import ArgumentError, ToolInputError

MAX_DEPTH = 256
MAX_DIGITS = 4300
_TOO_LARGE: int = 10**MAX_DIGITS
_PLAIN = frozenset({str, bool, NoneType})
_SPACE = " \t\n\r"
_LONGEST_KEY = 60


class JSONTextError(ValueError):
    """A text is no JSON that we accept; the message says why."""


def arguments_of(given: object) -> dict[str, Any]:
    """The JSON object that a call's `input` is. Raises ToolInputError if it is none."""
    if type(given) is dict:
        return cast("dict[str, Any]", given)
    if isinstance(given, str | bytes | bytearray):
        try:
            value = parse(given)
        except JSONTextError as error:
            raise ToolInputError([ArgumentError("", "a JSON object", message=f"the arguments are {error}")]) from None
        if type(value) is dict:
            return cast("dict[str, Any]", value)
        given = value
    elif isinstance(given, dict):
        return dict(cast("dict[str, Any]", given))
    raise ToolInputError([ArgumentError("", "a JSON object of arguments", _kind(given))])


def parse(given: str | bytes | bytearray) -> Any:
    """The value of a JSON text. Raises JSONTextError."""
    text = given if isinstance(given, str) else _decoded(given)
    try:
        value, end = _scan(text, 0 if text[:1] == "{" else len(text) - len(text.lstrip(_SPACE)))
        if end != len(text) and text[end:].strip(_SPACE):
            raise JSONTextError(f"not valid JSON: extra data at character {end + 1}")
        if census(value, MAX_DEPTH) != text.count(":"):
            _careful.decode(
                text
            )  # slow, for it looks at every key; there need be none twice: colons stand in texts, too
    except JSONTextError:
        raise
    except StopIteration as stop:
        raise JSONTextError(_nothing_at(text, cast(int, stop.value))) from None
    except JSONDecodeError as error:
        raise JSONTextError(f"not valid JSON: {error}") from None
    except RecursionError:
        raise JSONTextError(f"nested deeper than {MAX_DEPTH} levels") from None
    except ValueError:  # int() refuses more digits than sys.set_int_max_str_digits allows
        raise JSONTextError(f"not accepted: an integer has more than {MAX_DIGITS} digits") from None
    return value


def census(value: object, room: int) -> int:
    """How many object keys a value has in all; -1 if it is no plain JSON value, or one out of bounds.

    Plain: of exactly the types a parser makes. Bounds: `room` levels, `MAX_DIGITS` digits, finite numbers.
    """
    if type(value) is dict:
        return _census_of_object(cast("dict[object, object]", value), room)
    if type(value) is list:
        return _census_of_array(cast("list[object]", value), room)
    return 0 if _is_scalar(value) else -1


def _census_of_object(value: dict[object, object], room: int) -> int:
    if room == 0:
        return -1
    total = len(value)
    for key, item in value.items():
        if type(key) is not str:
            return -1
        kind = type(item)
        if kind is dict or kind is list:
            inner = census(item, room - 1)
            if inner < 0:
                return -1
            total += inner
        elif kind is not str and not _is_scalar(item):
            return -1
    return total


def _census_of_array(value: list[object], room: int) -> int:
    if room == 0:
        return -1
    kinds = set(map(type, value))
    if kinds <= _PLAIN:
        return 0
    if kinds == {int}:
        numbers = cast("list[int]", value)
        return 0 if min(numbers) > -_TOO_LARGE and max(numbers) < _TOO_LARGE else -1
    if kinds == {float}:
        return 0 if all(map(isfinite, cast("list[float]", value))) else -1
    total = 0
    for item in value:
        inner = census(item, room - 1)
        if inner < 0:
            return -1
        total += inner
    return total


def _is_scalar(value: object) -> bool:
    if type(value) is float:
        return isfinite(value)
    if type(value) is int:
        return -_TOO_LARGE < value < _TOO_LARGE
    return type(value) in _PLAIN


def _decoded(given: bytes | bytearray) -> str:
    try:
        return given.decode("utf-8")
    except UnicodeDecodeError as error:
        raise JSONTextError(f"not valid JSON: byte {error.start + 1} is not UTF-8") from None


def _nothing_at(text: str, position: int) -> str:
    if not text.strip(_SPACE):
        return "empty: a JSON object is needed, `{}` if there are none"
    return f"not valid JSON: a value is missing at character {position + 1}"


def _kind(value: object) -> str:
    names: dict[type, str] = {list: "an array", str: "a text", bool: "a boolean", int: "a number", float: "a number"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


def _refuse_constant(name: str) -> Never:
    raise JSONTextError(f"not accepted: {name} is no JSON number")


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        left = dict.fromkeys(found)
        twice = next(key for key, _ in pairs if left.pop(key, key) is not None)
        raise JSONTextError(f"not accepted: the key {twice[:_LONGEST_KEY]!r} stands twice in one object")
    return found


_scan: Any = cast(Any, JSONDecoder(parse_constant=_refuse_constant)).scan_once
_careful = JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_object_of)
