"""Dates, times and durations from text, by the grammar of pydantic (speedate's): RFC 3339 with a few liberties.

What is no such text is None. Digits are ASCII digits; the standard library's `fromisoformat` takes other forms in
other versions, so it is not used.
"""

from __future__ import annotations

import math
import re
from datetime import UTC, date, datetime, time, timedelta, timezone

_DATE = "([0-9]{4})-([0-9]{2})-([0-9]{2})"
_CLOCK = "([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]+))?)?"
_ZONE = "(?:([Zz])|([+\u2212-])([0-9]{2}):?([0-9]{2}))?"
_DAY = re.compile(_DATE)
_TIME = re.compile(_CLOCK + _ZONE)
_MOMENT = re.compile(f"{_DATE}[Tt _]{_CLOCK}{_ZONE}")
_INTEGER = re.compile("[+-]?[0-9]+")
_NUMBER = re.compile("[+-]?(?:[0-9]+\\.[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_EPOCH = datetime(1970, 1, 1)
_MILLISECONDS_FROM = 20_000_000_000
"""A timestamp beyond this counts milliseconds."""

_PART = re.compile("(T)|([0-9]+)(?:[.,]([0-9]*))?([A-Z])")
_DAYS = re.compile("([0-9]+) ?[dD](?:ays?|AYS?)?,? ?(.*)", re.DOTALL)
_HOURS = re.compile("([0-9]*):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]+))?)?")
_DATE_UNITS = {"Y": 365, "M": 30, "W": 7, "D": 1}
_TIME_UNITS = {"H": 3600, "M": 60, "S": 1}
_MOST = 2**32 - 1
_MOST_DAYS = 999_999_999
_MOST_HOURS = 999_999_999


def day(text: str) -> date | None:
    """`2024-12-31`, or a timestamp of a midnight."""
    found = _DAY.fullmatch(text)
    if found is not None:
        return _valid(lambda: date(*map(int, found.groups())))
    moment = _stamped(text) if _INTEGER.fullmatch(text) else None
    return moment.date() if moment is not None and moment.time() == time() else None


def moment(text: str) -> datetime | None:
    """`2024-12-31T23:59:00.5+01:00`; seconds and offset may be absent. Or a timestamp, which is in UTC."""
    found = _MOMENT.fullmatch(text)
    if found is not None:
        year, month, number = map(int, found.groups()[:3])
        clock = _time(found.groups()[3:])
        return _valid(lambda: datetime.combine(date(year, month, number), clock)) if clock is not None else None
    stamp = _stamped(text)
    return None if stamp is None else stamp.replace(tzinfo=UTC)


def clock(text: str) -> time | None:
    """`23:59:00.5Z`; seconds and offset may be absent."""
    found = _TIME.fullmatch(text)
    return None if found is None else _time(found.groups())


def span(text: str) -> timedelta | None:
    """`P1DT2H`, `1 day, 02:00:00` or `26:00:00`, with a sign in front of all of it."""
    bare = text[1:] if text[:1] in ("+", "-") else text
    if bare[:1] == "P":
        parts = _iso_span(bare[1:]) if len(bare) >= 3 else None
    elif "d" in text or "D" in text or len(bare.encode("utf-8", "surrogatepass")) < 5:
        parts = _days_span(bare)
    else:
        parts = _hours_span(bare)
    if parts is None or parts[0] > _MOST or (parts[1] > _MOST and bare[:1] == "P"):
        return None
    days, seconds, micros = parts
    seconds += micros // 1_000_000
    if days + seconds // 86_400 > _MOST_DAYS:
        return None
    made = timedelta(days, seconds, micros % 1_000_000)
    return _valid(lambda: -made) if text[:1] == "-" else made


def _time(parts: tuple[str | None, ...]) -> time | None:
    """A time from what `_CLOCK` and `_ZONE` found."""
    hour, minute, second, fraction, utc, sign, hours, minutes = parts
    zone = UTC if utc else None
    if sign is not None:
        offset = int(hours or 0) * 60 + int(minutes or 0)
        if int(minutes or 0) > 59 or offset >= 24 * 60:
            return None
        zone = timezone(timedelta(minutes=offset if sign == "+" else -offset))
    return _valid(lambda: time(int(hour or 0), int(minute or 0), int(second or 0), _micros(fraction), zone))


def _micros(fraction: str | None) -> int:
    """Digits behind the point as microseconds; more than six are cut off."""
    return int((fraction or "0")[:6].ljust(6, "0"))


def _stamped(text: str) -> datetime | None:
    """A number of seconds or milliseconds since 1970."""
    if _INTEGER.fullmatch(text) and len(text) < 25:
        stamp = int(text)
        unit = 1000 if abs(stamp) > _MILLISECONDS_FROM else 1
        seconds, rest = divmod(stamp, unit)
        return _valid(lambda: _EPOCH + timedelta(seconds=seconds, milliseconds=rest))
    if _NUMBER.fullmatch(text):
        number = float(text)
        if not math.isfinite(number):
            return None
        unit = 1000 if abs(number) > _MILLISECONDS_FROM else 1_000_000
        whole = math.floor(number)
        micros = whole * unit + _rounded((number - whole) * unit)
        return _valid(lambda: _EPOCH + timedelta(microseconds=micros))
    return None


def _iso_span(text: str) -> tuple[int, int, int] | None:
    """Days, seconds and microseconds of what follows `P`: units in any order, a fraction only at the last."""
    days = seconds = micros = place = 0
    units = _DATE_UNITS
    ended = False
    while place < len(text):
        found = _PART.match(text, place)
        if found is None or (found[1] and units is _TIME_UNITS):
            return None
        place = found.end()
        if found[1]:
            units = _TIME_UNITS
            continue
        unit = units.get(found[4])
        if unit is None or ended or len(found[2]) > 20 or int(found[2]) * unit > _MOST:
            return None
        ended = found[3] is not None
        more = _fraction(found[3]) * unit if found[3] else 0.0
        whole = int(more)
        if units is _DATE_UNITS:
            days += int(found[2]) * unit + whole
            more = (more - whole) * 86_400.0
            whole = int(more)
        else:
            seconds += int(found[2]) * unit
        seconds += whole
        micros += _rounded((more - whole) * 1e6)
    return days, seconds, micros


def _fraction(digits: str) -> float:
    """The digits behind the point as a float, computed as speedate does, so that it is rounded alike."""
    numerator, denominator = 0.0, 1.0
    for digit in digits:
        numerator = numerator * 10.0 + int(digit)
        denominator *= 10.0
    found = numerator / denominator
    return found if math.isfinite(found) else 0.0


def _days_span(text: str) -> tuple[int, int, int] | None:
    found = _DAYS.fullmatch(text)
    if found is None or len(found[1]) > 20:
        return None
    if not found[2]:
        return int(found[1]), 0, 0
    rest = _hours_span(found[2]) if len(found[2]) >= 5 else None
    return None if rest is None or rest[1] >= 86_400 else (int(found[1]), *rest[1:])


def _hours_span(text: str) -> tuple[int, int, int] | None:
    found = _HOURS.fullmatch(text)
    if found is None or len(found[1]) > 20:
        return None
    hours, minutes, seconds = (int(part or 0) for part in found.groups()[:3])
    if hours > _MOST_HOURS or minutes > 59 or seconds > 59:
        return None
    return 0, hours * 3600 + minutes * 60 + seconds, _micros(found[4])


def _rounded(value: float) -> int:
    """To the nearest integer, halves up."""
    whole = math.floor(value)
    return whole + (value - whole >= 0.5)


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Made = TypeVar("Made")


def _valid(make: Callable[[], Made]) -> Made | None:
    """What `make` gives; None if its numbers are out of range."""
    try:
        return make()
    except (ValueError, OverflowError):
        return None
