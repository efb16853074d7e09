"""The formats for tests: the annotation of each kind, texts that are of it, and texts that nearly are."""

from __future__ import annotations

import datetime
import decimal
import fractions
import ipaddress
import pathlib
import re
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st
from jsonschema import FormatChecker
from lauren_compiler.ir.formats import FORMATS
from lauren_compiler.ir.types import FormatKind
from lauren_runtime.decoding.formats import TEXTS

ANNOTATIONS: Mapping[FormatKind, Any] = {
    FormatKind.DATE: datetime.date,
    FormatKind.DATE_TIME: datetime.datetime,
    FormatKind.TIME: datetime.time,
    FormatKind.DURATION: datetime.timedelta,
    FormatKind.UUID: uuid.UUID,
    FormatKind.DECIMAL: decimal.Decimal,
    FormatKind.FRACTION: fractions.Fraction,
    FormatKind.PATH: pathlib.Path,
    FormatKind.PURE_PATH: pathlib.PurePath,
    FormatKind.PURE_POSIX_PATH: pathlib.PurePosixPath,
    FormatKind.PURE_WINDOWS_PATH: pathlib.PureWindowsPath,
    FormatKind.BINARY: bytes,
    FormatKind.IPV4: ipaddress.IPv4Address,
    FormatKind.IPV6: ipaddress.IPv6Address,
    FormatKind.IPV4_NETWORK: ipaddress.IPv4Network,
    FormatKind.IPV6_NETWORK: ipaddress.IPv6Network,
    FormatKind.IPV4_INTERFACE: ipaddress.IPv4Interface,
    FormatKind.IPV6_INTERFACE: ipaddress.IPv6Interface,
    FormatKind.REGEX: re.Pattern,
}
"""All but the paths of one operating system."""

_UUID = "12345678-1234-5678-1234-56781234abCD"
_CLOCKS = ("03:04", "23:59:59", "03:04:05.5", "03:04:05,1234567Z", "00:00z", "03:04+01:00", "03:04:05.1\u22120130")
_DURATIONS = (
    *("P1D", "-PT5S", "+P1W", "P1Y2M3DT4H5M6.7S", "P1.5D", "PT1,5S", "PT0.0000015S", "P1YT", "PT1H1H"),
    *("P999999999D", "-P999999999D", "1 day", "2 days, 03:04:05", "-3d 03:04", "1 DAY ", "1d03:04", "03:04:05.25"),
    *("-100:00:00", "12:30", "4:05:06", "P0.00000001Y"),
)
VALID: Mapping[FormatKind, tuple[str, ...]] = {
    FormatKind.DATE: ("2024-02-29", "0001-01-01", "9999-12-31", "0", "86400", "-86400", "1577836800000"),
    FormatKind.DATE_TIME: (
        *(f"2024-02-29{separator}{clock}" for separator, clock in zip("Tt _TTT", _CLOCKS, strict=True)),
        *("0", "1577836800", "1577836800123", "-5", "1577836800.5", "-0.25", "20000000001.5"),
        *("-30000000000000", "1.5e3", "+5", "5.", ".5"),
    ),
    FormatKind.TIME: _CLOCKS,
    FormatKind.DURATION: _DURATIONS,
    FormatKind.UUID: (_UUID, _UUID.replace("-", ""), f"{{{_UUID}}}", f"urn:uuid:{_UUID}"),
    FormatKind.DECIMAL: ("1.5", "-0", "1e5", " 1_000 ", ".5", "5.", "\u0663"),
    FormatKind.FRACTION: ("1/2", "-3/4", "1.5", " 7 ", "1e3"),
    **dict.fromkeys(
        (FormatKind.PATH, FormatKind.PURE_PATH, FormatKind.PURE_POSIX_PATH, FormatKind.PURE_WINDOWS_PATH),
        ("a/b", "", ".", "c:\\x", "~", "a//b/../c"),
    ),
    FormatKind.BINARY: ("", "x", "Ünï", "\0"),
    FormatKind.IPV4: ("1.2.3.4", "255.255.255.255"),
    FormatKind.IPV6: ("::1", "fe80::1%eth0", "::ffff:1.2.3.4", "1:2:3:4:5:6:7:8"),
    FormatKind.IPV4_NETWORK: ("10.0.0.0/8", "1.2.3.4", "1.2.3.0/255.255.255.0", "1.2.3.0/0.0.0.255"),
    FormatKind.IPV6_NETWORK: ("fe80::/10", "::1", "::/0"),
    FormatKind.IPV4_INTERFACE: ("10.0.0.1/8", "1.2.3.4"),
    FormatKind.IPV6_INTERFACE: ("fe80::1/10", "::1"),
    FormatKind.REGEX: ("a+", "^[a-z]*$", "(?P<x>a)(?P=x)"),
}
_LETTERS = "0123456789.,:+-\u2212/ _TtZzPDYMWHSdays{}abfx()%\u0663\n"


def texts(kind: FormatKind) -> st.SearchStrategy[str]:
    """Texts of the kind."""
    return st.sampled_from(VALID[kind])


@st.composite
def nearly(draw: st.DrawFn, kind: FormatKind) -> str:
    """Texts of the kind in which up to three characters were changed, put in or taken out."""
    text = draw(texts(kind))
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(text)))
        length = draw(st.integers(0, 1))
        text = text[:place] + draw(st.text(_LETTERS, max_size=2)) + text[place + length :]
    return text


CHECKER = FormatChecker(formats=())
"""The formats of the schemas, by the same table that decoders read texts by."""


def _checks(kind: FormatKind) -> Callable[[object], bool]:
    return lambda value: not isinstance(value, str) or TEXTS[kind.value](value) is not None


for _kind in ANNOTATIONS:
    CHECKER.checks(FORMATS[_kind].name or _kind.value)(_checks(_kind))
