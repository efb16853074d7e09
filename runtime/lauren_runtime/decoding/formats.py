"""Strings that stand for values of the standard library: one table from the kind of format to what reads it.

A text is taken just if pydantic's `TypeAdapter(T).validate_json(text, strict=True)` takes it. The modules of the types
are imported when the first text is read.
"""

from __future__ import annotations

from .bounds import FAR, typeof
from .place import EXACT, STRICT
from .quick import Doubt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .place import Place


class Format:
    """One kind of format in a generated module; `expected` says to a model what it has to give."""

    __slots__ = ("exactness", "expected", "number", "read")

    def __init__(self, kind: str, expected: str) -> None:
        self.expected = expected
        self.read = TEXTS[kind]
        self.number = NUMBERS.get(kind)
        # As pydantic ranks the branches of a union: these fit their texts exactly, and go before a plain string.
        self.exactness = EXACT if kind in _EXACT else STRICT

    def check(self, value: object, at: Place) -> object:
        """The complete decoder."""
        at.loosen(self.exactness)
        found = self._decoded(value)
        return at.fail(self.expected, value) if found is None else found

    def key(self, name: str, at: Place) -> object:
        """A key of an object."""
        at.loosen(self.exactness)
        found = self.read(name)
        return at.fail(f"{self.expected} as key", name) if found is None else found

    def quick(self, value: Any) -> Any:
        """The quick decoder."""
        found = self._decoded(value)
        if found is None or (typeof(value) is not str and not -FAR < value < FAR):
            raise Doubt
        return found

    def _decoded(self, value: object) -> object:
        if isinstance(value, str):
            return self.read(value)
        if self.number is not None and isinstance(value, (int, float)) and not isinstance(value, bool):
            return self.number(value)
        return None


def _date(text: str) -> object:
    from .clocks import day

    return day(text)


def _date_time(text: str) -> object:
    from .clocks import moment

    return moment(text)


def _time(text: str) -> object:
    from .clocks import clock

    return clock(text)


def _duration(text: str) -> object:
    from .clocks import span

    return span(text)


_HYPHENS = (8, 13, 18, 23)
_URN = "urn:uuid:"


def _uuid(text: str) -> object:
    """32 hexadecimal digits, bare or in the five groups; the groups also in braces or behind `urn:uuid:`."""
    if text.startswith(_URN):
        text, bare = text[len(_URN) :], False
    elif text[:1] == "{" and text[-1:] == "}":
        text, bare = text[1:-1], False
    else:
        bare = len(text) == 32
    digits = text
    if not bare:
        if len(text) != 36 or any(text[place] != "-" for place in _HYPHENS):
            return None
        digits = text.replace("-", "")
    if len(digits) != 32 or not set(digits) <= set("0123456789abcdefABCDEF"):
        return None
    from uuid import UUID

    return UUID(digits)


def _decimal(text: str) -> object:
    from decimal import Decimal, InvalidOperation

    try:
        found = Decimal(text)
    except (InvalidOperation, ValueError):
        return None
    return found if found.is_finite() else None


def _decimal_of(value: float) -> object:
    """The shortest decimal number that is the float, without exponent."""
    from decimal import Decimal

    if isinstance(value, int):
        return Decimal(value)
    return Decimal(format(Decimal(repr(value)), "f").removesuffix(".0"))


_LONGEST_EXPONENT = 3
"""A power of ten is computed in full: one of more than three digits is refused, where pydantic spends the memory."""


def _fraction(text: str) -> object:
    from fractions import Fraction

    exponent = text.lower().rpartition("e")
    if exponent[1] and len(exponent[2].strip().lstrip("+-").lstrip("0_")) > _LONGEST_EXPONENT:
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def _fraction_of(value: float) -> object:
    from fractions import Fraction

    return Fraction(value if isinstance(value, int) else repr(value))


def _text_bytes(text: str) -> object:
    """In UTF-8, which has no half surrogate pairs."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return None


def _text_bytearray(text: str) -> object:
    found = _text_bytes(text)
    return bytearray(found) if isinstance(found, bytes) else None


def _regex(text: str) -> object:
    import re

    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return None


def _path(name: str) -> Callable[[str], object]:
    def read(text: str) -> object:
        import pathlib

        try:
            return getattr(pathlib, name)(text)
        except NotImplementedError:  # a path of another operating system
            return None

    return read


def _address(name: str) -> Callable[[str], object]:
    def read(text: str) -> object:
        import ipaddress

        try:
            return getattr(ipaddress, name)(text)
        except ValueError:
            return None

    return read


TEXTS: dict[str, Callable[[str], object]] = {
    "date": _date,
    "date_time": _date_time,
    "time": _time,
    "duration": _duration,
    "uuid": _uuid,
    "decimal": _decimal,
    "fraction": _fraction,
    "path": _path("Path"),
    "posix_path": _path("PosixPath"),
    "windows_path": _path("WindowsPath"),
    "pure_path": _path("PurePath"),
    "pure_posix_path": _path("PurePosixPath"),
    "pure_windows_path": _path("PureWindowsPath"),
    "binary": _text_bytes,
    "bytearray": _text_bytearray,
    "ipv4": _address("IPv4Address"),
    "ipv6": _address("IPv6Address"),
    "ipv4_network": _address("IPv4Network"),
    "ipv6_network": _address("IPv6Network"),
    "ipv4_interface": _address("IPv4Interface"),
    "ipv6_interface": _address("IPv6Interface"),
    "regex": _regex,
}
"""The value of a text, None if it is none of the kind."""

NUMBERS: dict[str, Callable[[float], object]] = {"decimal": _decimal_of, "fraction": _fraction_of}
"""The value of a JSON number, for the kinds that have that form too."""

_EXACT = frozenset(("regex", "uuid"))
