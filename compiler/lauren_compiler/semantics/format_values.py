"""What calls of the standard library's value types make of constants, as pydantic dumps it.

date(2020, 1, 2)   →   Text("date", "2020-01-02")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from ipaddress import IPv4Address, IPv4Interface, IPv4Network, IPv6Address, IPv6Interface, IPv6Network
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any
from uuid import UUID

from ..ir.formats import BY_PYTHON
from ..ir.types import FormatKind
from ..ir.values import Constant, Text, Value

_LONGEST = 4_000
_MAKERS: Mapping[FormatKind, Callable[..., Any]] = {
    FormatKind.DATE: date,
    FormatKind.DATE_TIME: datetime,
    FormatKind.TIME: time,
    FormatKind.DURATION: timedelta,
    FormatKind.UUID: UUID,
    FormatKind.DECIMAL: Decimal,
    # Written as on the system where most tools run: a build is the same on all.
    FormatKind.PATH: PurePosixPath,
    FormatKind.POSIX_PATH: PurePosixPath,
    FormatKind.WINDOWS_PATH: PureWindowsPath,
    FormatKind.PURE_PATH: PurePosixPath,
    FormatKind.PURE_POSIX_PATH: PurePosixPath,
    FormatKind.PURE_WINDOWS_PATH: PureWindowsPath,
    FormatKind.IPV4: IPv4Address,
    FormatKind.IPV6: IPv6Address,
    FormatKind.IPV4_NETWORK: IPv4Network,
    FormatKind.IPV6_NETWORK: IPv6Network,
    FormatKind.IPV4_INTERFACE: IPv4Interface,
    FormatKind.IPV6_INTERFACE: IPv6Interface,
}
MADE = frozenset(python for python, kind in BY_PYTHON.items() if kind in _MAKERS)
"""The known names whose calls can be values."""


def format_value(name: str, values: tuple[Value, ...], named: tuple[tuple[str, Value], ...]) -> Text | str:
    """The value of a call of one of `MADE`, or why it can't be known ("it is …")."""
    kind = BY_PYTHON[name]
    given = [*values, *(value for _, value in named)]
    plain = [_argument(value) for value in given]
    if None in plain:
        return "it is a call"
    words = {word: item for (word, _), item in zip(named, plain[len(values) :], strict=True)}
    try:
        made = _MAKERS[kind](*plain[: len(values)], **words)
    except (TypeError, ValueError, ArithmeticError):
        return "it is a call that fails"
    if isinstance(made, Decimal) and not made.is_finite():
        return "it is a number that is not finite"
    return Text(kind.value, _written(made))


def _argument(value: Value) -> int | float | str | None:
    """A number or text of reasonable length."""
    if not isinstance(value, Constant) or not isinstance(value.value, (int, float, str)):
        return None
    return None if len(str(value.value)) > _LONGEST else value.value


def _written(value: object) -> str:
    if isinstance(value, timedelta):
        return _duration(value)
    return value.isoformat() if isinstance(value, (date, time)) else str(value)


def _duration(value: timedelta) -> str:
    """ISO 8601 as pydantic writes it: a sign before all of it, years of 365 days, no unit that is 0."""
    size = abs(value)
    minutes, seconds = divmod(size.seconds, 60)
    fraction = f".{size.microseconds:06}".rstrip("0") if size.microseconds else ""
    dates = ((size.days // 365, "Y"), (size.days % 365, "D"))
    times = ((minutes // 60, "H"), (minutes % 60, "M"))
    day = "".join(f"{count}{unit}" for count, unit in dates if count)
    clock = "".join(f"{count}{unit}" for count, unit in times if count)
    if seconds or fraction or not (day or clock):
        clock += f"{seconds}{fraction}S"
    return f"{'-' if value < timedelta() else ''}P{day}{'T' if clock else ''}{clock}"
