"""What calls of the standard library's value types make of constants, as pydantic dumps it.

date(2020, 1, 2)   →   Text("date", "2020-01-02")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta, timezone, tzinfo
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
_ZONE = "timezone"
UTC = Text(_ZONE, "0:0")
"""`timezone.utc`. Zones have no JSON form, and are of use in a date and time only: here by their days and seconds."""
_MAKER_OF: Mapping[str, Callable[..., Any]] = {
    **{python: _MAKERS[kind] for python, kind in BY_PYTHON.items() if kind in _MAKERS},
    "datetime.timezone": timezone,
}
MADE = frozenset(_MAKER_OF)
"""The known names whose calls can be values."""


def format_value(name: str, values: tuple[Value, ...], named: tuple[tuple[str, Value], ...]) -> Text | str:
    """The value of a call of one of `MADE`, or why it can't be known ("it is …")."""
    given = [*values, *(value for _, value in named)]
    if not all(map(_is_argument, given)):
        return "it is a call"
    plain = [_argument(value) for value in given]
    words = {word: item for (word, _), item in zip(named, plain[len(values) :], strict=True)}
    try:
        made = _MAKER_OF[name](*plain[: len(values)], **words)
    except (TypeError, ValueError, ArithmeticError):
        return "it is a call that fails"
    if isinstance(made, Decimal) and not made.is_finite():
        return "it is a number that is not finite"
    if isinstance(made, timezone):
        offset = made.utcoffset(None)
        whole = not offset.microseconds and not offset.seconds % 60  # pydantic writes no more than minutes
        return Text(_ZONE, f"{offset.days}:{offset.seconds}") if whole else "it is a call"
    return Text(BY_PYTHON[name].value, _written(made))


def _is_argument(value: Value) -> bool:
    """Whether a value is a number or text of reasonable length, None, a time zone or a duration."""
    if isinstance(value, Text):
        return value.kind in (_ZONE, FormatKind.DURATION.value)
    if not isinstance(value, Constant) or isinstance(value.value, bytes):
        return False
    return len(str(value.value)) <= _LONGEST


def _argument(value: Value) -> int | float | str | tzinfo | timedelta | None:
    if isinstance(value, Text) and value.kind == _ZONE:
        days, seconds = value.text.split(":")
        return timezone(timedelta(int(days), int(seconds)))
    if isinstance(value, Text):
        return _from_duration(value.text)
    assert isinstance(value, Constant)
    assert not isinstance(value.value, bytes)
    return value.value


def _written(value: object) -> str:
    if isinstance(value, timedelta):
        return _duration(value)
    if isinstance(value, (date, time)):
        text = value.isoformat()
        return f"{text.removesuffix('+00:00')}Z" if text.endswith("+00:00") else text
    return str(value)


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


_DURATION = re.compile(r"(-?)P(?:(\d+)Y)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d+))?S)?)?")


def _from_duration(text: str) -> timedelta:
    """What `_duration` wrote."""
    found = _DURATION.fullmatch(text)
    assert found is not None
    sign, years, days, hours, minutes, seconds, fraction = (part or "0" for part in found.groups())
    microseconds = int(fraction.ljust(6, "0"))
    size = timedelta(int(years) * 365 + int(days), int(seconds), microseconds, 0, int(minutes), int(hours))
    return -size if sign == "-" else size
