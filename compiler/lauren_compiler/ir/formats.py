"""The value types of the standard library: what each is called in Python, in JSON Schema, and to a model.

Source: pydantic's conversion table and its schemas of these types.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from .types import BuiltKind, FormatKind


class Format(Struct, frozen=True):
    """`python` is the type's qualified name, `name` JSON Schema's `format`, `phrase` says what a model has to give.

    With `number` a JSON number is a form of it too.
    """

    python: str
    name: str | None
    phrase: str
    number: bool = False


_PATH = "a path"

FORMATS: Mapping[FormatKind, Format] = {
    FormatKind.DATE: Format("datetime.date", "date", "a date such as 2024-12-31"),
    FormatKind.DATE_TIME: Format("datetime.datetime", "date-time", "a date and time such as 2024-12-31T23:59:00Z"),
    FormatKind.TIME: Format("datetime.time", "time", "a time such as 23:59:00"),
    FormatKind.DURATION: Format("datetime.timedelta", "duration", "a duration such as P1DT2H30M"),
    FormatKind.UUID: Format("uuid.UUID", "uuid", "a UUID"),
    FormatKind.DECIMAL: Format("decimal.Decimal", None, "a number or a string of one", number=True),
    FormatKind.FRACTION: Format("fractions.Fraction", "fraction", 'a number or a string such as "3/4"', number=True),
    FormatKind.PATH: Format("pathlib.Path", "path", _PATH),
    FormatKind.POSIX_PATH: Format("pathlib.PosixPath", "path", _PATH),
    FormatKind.WINDOWS_PATH: Format("pathlib.WindowsPath", "path", _PATH),
    FormatKind.PURE_PATH: Format("pathlib.PurePath", "path", _PATH),
    FormatKind.PURE_POSIX_PATH: Format("pathlib.PurePosixPath", "path", _PATH),
    FormatKind.PURE_WINDOWS_PATH: Format("pathlib.PureWindowsPath", "path", _PATH),
    FormatKind.BINARY: Format("builtins.bytes", "binary", "a string"),
    FormatKind.BYTEARRAY: Format("builtins.bytearray", "binary", "a string"),
    FormatKind.IPV4: Format("ipaddress.IPv4Address", "ipv4", "an IPv4 address"),
    FormatKind.IPV6: Format("ipaddress.IPv6Address", "ipv6", "an IPv6 address"),
    FormatKind.IPV4_NETWORK: Format("ipaddress.IPv4Network", "ipv4network", "an IPv4 network such as 10.0.0.0/8"),
    FormatKind.IPV6_NETWORK: Format("ipaddress.IPv6Network", "ipv6network", "an IPv6 network such as fe80::/10"),
    FormatKind.IPV4_INTERFACE: Format(
        "ipaddress.IPv4Interface", "ipv4interface", "an IPv4 address with its network, such as 10.0.0.1/8"
    ),
    FormatKind.IPV6_INTERFACE: Format(
        "ipaddress.IPv6Interface", "ipv6interface", "an IPv6 address with its network, such as fe80::1/10"
    ),
    FormatKind.REGEX: Format("re.Pattern", "regex", "a regular expression"),
}

BY_PYTHON: Mapping[str, FormatKind] = {format.python: kind for kind, format in FORMATS.items()}

BUILT: Mapping[BuiltKind, str] = {
    BuiltKind.DEQUE: "deque",
    BuiltKind.ORDERED_DICT: "OrderedDict",
    BuiltKind.DEFAULT_DICT: "defaultdict",
    BuiltKind.COUNTER: "Counter",
}
"""The class in `collections` that each kind is an instance of."""
