"""What counts as JSON here: depth, size of integers, finite numbers, kinds of value.

Limits and refusals are the same for arguments that were parsed by us, by another parser, or handed over as objects.
"""

from __future__ import annotations

from .kinds import is_container, is_object
from .place import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

typeof: Callable[[object], object] = type
"""`type` under a name that type checkers do not narrow by: what comes in stays `Any`."""

MAX_DEPTH = 256
"""Containers inside each other; the arguments' own object is the first."""

MAX_DIGITS = 4300
"""Digits of an integer; also CPython's own limit for reading one from text."""

MOST = 10**MAX_DIGITS - 1
LEAST = -MOST

HIGH = 2**30 - 1
LOW = -HIGH
"""Integers of one digit of CPython's, which it compares in one step; others have to be compared with `MOST`."""

FAR = 2.0**63
"""From here on a float may have been an integer: parsers of 64 bits make floats of those that are longer. Where it
makes a difference the quick path doubts such a float, and the text is then parsed by one that makes none."""


def foreign(arguments: object) -> tuple[list[Fault], bool]:
    """What in `arguments` is no JSON within the limits, and whether the rest can still be looked at.

    NaN, infinities, integers that are too long and Python values that JSON has not are faults of their own place;
    keys that are no strings, and too deep a nesting, leave nothing else to say.
    """
    faults: list[Fault] = []
    usable = True
    pending: list[tuple[Any, tuple[str | int, ...]]] = [(arguments, ())]
    while pending:
        value, path = pending.pop()
        if is_container(value):
            if len(path) >= MAX_DEPTH:
                faults.append(Fault(path[:3], f"at most {MAX_DEPTH} levels of nesting", "deeper nesting"))
                return faults, False
            strange = _strange_keys(value) if is_object(value) else []
            if strange:
                faults.append(Fault(path, "an object with string keys", f"the key {_short(strange[0])}"))
                usable = False
            pending.extend(_children(value, path))
        elif (expected := _wrong(value)) is not None:
            faults.append(Fault(path, expected, _short(value)))
    return faults, usable


def _strange_keys(members: dict[Any, Any]) -> list[Any]:
    return [key for key in members if not isinstance(key, str)]


def _children(value: Any, path: tuple[str | int, ...]) -> list[tuple[Any, tuple[str | int, ...]]]:
    members: Any = value.items() if is_object(value) else enumerate(value)
    # What can hold nothing and is surely JSON is not worth a visit.
    return [(item, (*path, step)) for step, item in members if type(item) is not str and item is not None]


def _wrong(value: Any) -> str | None:
    """What was expected in place of a leaf, None if the leaf is all right."""
    if isinstance(value, (str, bool)) or value is None:
        return None
    if isinstance(value, int):
        return None if LEAST <= value <= MOST else f"an integer of at most {MAX_DIGITS:,} digits"
    if isinstance(value, float):
        return None if value - value == 0.0 else "a finite number"
    return "a JSON value"


def _short(value: Any) -> str:
    from .wording import described

    return described(value)


def is_json(value: Any, room: int = MAX_DEPTH - 1) -> bool:
    """Whether an object or array, which holds at most `room` levels, is surely JSON within the limits.

    As `foreign`, without the faults. Raises TypeError for a key that is no string. A container which holds itself is
    found to be too deep.
    """
    holder: Any = value
    if typeof(holder) is dict:
        "".join(holder)
        holder = holder.values()
    elif typeof(holder) is not list:
        return False
    for item in holder:
        kind = typeof(item)
        if kind is str or item is None or kind is bool:
            continue
        if kind is int:
            if not LOW <= item <= HIGH and not LEAST <= item <= MOST:
                return False
        elif kind is float:
            if not -FAR < item < FAR:
                return False
        elif not room or not is_json(item, room - 1):
            return False
    return True
