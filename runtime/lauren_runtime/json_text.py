"""JSON in: the arguments of a call, from text, bytes or a dict.

A text must be JSON as RFC 8259 has it, with no key twice in one object, no NaN and no Infinity. What a parsed value
must not hold, whichever parser made it (numbers too large, too many levels, objects that are no JSON), the decoders
refuse. The common case pays for one scan by the C parser, and for counting the colons and the keys.
"""

from __future__ import annotations

from json.decoder import JSONDecodeError, JSONDecoder
from math import isfinite
from types import NoneType
from typing import TYPE_CHECKING, Any, Never, cast

from .errors import ArgumentError, ToolInputError

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 256
MAX_DIGITS = 4300
_TOO_LARGE: int = 10**MAX_DIGITS
_typeof: Callable[[object], object] = type
"""`type` under a name that type checkers do not narrow by."""
_PLAIN = frozenset({str, bool, NoneType})
_SPACE = " \t\n\r"
_LONGEST_KEY = 60


class JSONTextError(ValueError):
    """A text is no JSON that we accept; the message says why."""


def arguments_of(given: Any) -> dict[str, Any]:
    """The JSON object that a call's `input` is. Raises ToolInputError if it is none."""
    if _typeof(given) is str:
        value: Any = None
        try:
            value, end = _scan(given, 0)
        except (StopIteration, ValueError, RecursionError):
            end = -1  # `parse` will tell
        if end == len(given) and _typeof(value) is dict:
            # As many keys as colons: then there are no others inside, and none was there twice.
            colons = given.count(":")
            if colons == len(value) or has_keys(value, colons):
                found: dict[str, Any] = value
                return found
    return _arguments_of(given)


def quickest() -> Callable[[Any], dict[str, Any]]:
    """What does the same with orjson, where that is installed; else `arguments_of`.

    Its values differ in one: an integer of more than 64 bits is a float. Decoders doubt such floats (`FAR`), and the
    text of doubtful arguments has to be parsed by `arguments_of`.
    """
    from importlib import import_module

    try:
        loads: Any = import_module("orjson").loads
    except ImportError:
        return arguments_of

    def parsed(given: Any) -> dict[str, Any]:
        if _typeof(given) is str:
            try:
                value = loads(given)
            except ValueError:  # it takes less, and says other things
                return arguments_of(given)
            if _typeof(value) is dict:
                colons = given.count(":")
                if colons == len(value) or has_keys(value, colons):
                    found: dict[str, Any] = value
                    return found
        return arguments_of(given)

    return parsed


def _arguments_of(given: Any) -> dict[str, Any]:
    if _typeof(given) is dict:
        found: dict[str, Any] = given
        return found
    if isinstance(given, str | bytes | bytearray):
        try:
            value = parse(given)
        except JSONTextError as error:
            raise ToolInputError([ArgumentError("", "a JSON object", message=f"the arguments are {error}")]) from None
        if _typeof(value) is dict:
            return cast("dict[str, Any]", value)
        given = value
    elif isinstance(given, dict):
        return dict(cast("dict[str, Any]", given))
    raise ToolInputError([ArgumentError("", "a JSON object of arguments", _kind(given))])


def parse(given: str | bytes | bytearray) -> Any:
    """The value of a JSON text. Raises JSONTextError."""
    text = given if isinstance(given, str) else _decoded(given)
    try:
        value, end = _careful(text, 0 if text[:1] == "{" else len(text) - len(text.lstrip(_SPACE)))
        if end != len(text) and text[end:].strip(_SPACE):
            raise JSONTextError(f"not valid JSON: extra data at character {end + 1}")
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


def has_keys(value: dict[str, Any], colons: int) -> bool:
    """Whether a parsed object has as many keys in all as its text has colons: then none was there twice, and lost.

    If not, it is not sure: colons stand in texts, too.
    """
    keys = len(value)
    for item in value.values():
        if _typeof(item) is dict:
            keys += len(item)
    if keys == colons:  # as of most: what is in an object is flat
        return True
    keys = len(value)
    holders: list[Any] = [value.values()]
    for holder in holders:  # grows while it is read
        for item in holder:
            kind = _typeof(item)
            if kind is dict:
                keys += len(item)
                holders.append(item.values())
            elif kind is list:
                holders.append(item)
        if keys == colons:
            return True
    return False


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
    if text.startswith("```", position):
        return "not valid JSON: they stand in a code fence, which has to be left out"
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
_careful: Any = cast(Any, JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_object_of)).scan_once
"""The same with a look at every key of every object, which takes twice as long."""
