"""Types of pydantic's own: what JSON each takes, and what it is called in a schema.

Source: pydantic's documentation of its types and networks; its schemas (`tests/differential/test_pydantic_types.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

from ..ir.recipes import Loaded
from ..ir.types import (
    Adapted,
    Bounded,
    Bounds,
    Described,
    FormatKind,
    Formatted,
    JsonText,
    Scalar,
    ScalarKind,
    Type,
    Union,
)
from .type_table import ANYTHING, INTEGER, STRING

_NUMBER = Scalar(ScalarKind.NUMBER)
_UUID = Formatted(FormatKind.UUID)
_SIZE = r"^\s*(\d*\.?\d+)\s*(\w+)?"
_LONGEST_URL = 2083


def _made(name: str, inner: Type, exactness: str | None = None, *, reshaped: bool = False) -> Type:
    return Adapted(inner, Loaded("pydantic", name), exactness, reshaped)


def _text(name: str, keywords: str, exactness: str | None = None, inner: Type = STRING) -> Type:
    return _made(name, Described(inner, keywords=keywords) if keywords else inner, exactness)


def _url(name: str, form: str = "uri", longest: int | None = None) -> Type:
    """An address: to pydantic a plain string goes before one in a union."""
    text = Bounded(STRING, Bounds(min_length=1, max_length=longest))
    return _text(name, f'{{"format": "{form}"}}', "lax", text)


_URLS = (
    "AmqpDsn AnyHttpUrl AnyUrl AnyWebsocketUrl ClickHouseDsn CockroachDsn FileUrl FtpUrl KafkaDsn MariaDBDsn MySQLDsn"
)
_PASSWORD = '{"format": "password", "writeOnly": true}'

TYPES: Mapping[str, Type] = {
    **{name: _url(name) for name in (*_URLS.split(), "RedisDsn", "SnowflakeDsn")},
    **{name: _url(name, "multi-host-uri") for name in ("MongoDsn", "NatsDsn", "PostgresDsn")},
    **{name: _url(name, longest=_LONGEST_URL) for name in ("HttpUrl", "WebsocketUrl")},
    **{f"UUID{n}": _text(f"UUID{n}", f'{{"format": "uuid{n}"}}', "exact", _UUID) for n in (1, 3, 4, 5, 6, 7, 8)},
    **{name: _made(name, Formatted(FormatKind.DATE)) for name in ("PastDate", "FutureDate")},
    **{
        name: _made(name, Formatted(FormatKind.DATE_TIME))
        for name in ("PastDatetime", "FutureDatetime", "AwareDatetime", "NaiveDatetime")
    },
    "SecretStr": _text("SecretStr", _PASSWORD),
    "SecretBytes": _text("SecretBytes", _PASSWORD),
    "EmailStr": _text("EmailStr", '{"format": "email"}'),
    "NameEmail": _text("NameEmail", '{"format": "name-email"}'),
    "Base64Bytes": _text("Base64Bytes", '{"format": "base64"}'),
    "Base64Str": _text("Base64Str", '{"format": "base64"}'),
    "Base64UrlBytes": _text("Base64UrlBytes", '{"format": "base64url"}'),
    "Base64UrlStr": _text("Base64UrlStr", '{"format": "base64url"}'),
    "FilePath": _text("FilePath", '{"format": "file-path"}', inner=Formatted(FormatKind.PATH)),
    "DirectoryPath": _text("DirectoryPath", '{"format": "directory-path"}', inner=Formatted(FormatKind.PATH)),
    "NewPath": _made("NewPath", Formatted(FormatKind.PATH)),
    "SocketPath": _made("SocketPath", Formatted(FormatKind.PATH)),
    "IPvAnyAddress": _text("IPvAnyAddress", '{"format": "ipvanyaddress"}', "exact"),
    "IPvAnyInterface": _text("IPvAnyInterface", '{"format": "ipvanyinterface"}', "exact"),
    "IPvAnyNetwork": _text("IPvAnyNetwork", '{"format": "ipvanynetwork"}', "exact"),
    "ImportString": _made("ImportString", STRING, "exact"),
    "PaymentCardNumber": _made("PaymentCardNumber", Bounded(STRING, Bounds(min_length=12, max_length=19))),
    "Json": _made("Json", JsonText(ANYTHING), reshaped=True),
    "ByteSize": _made(
        "ByteSize",
        Union((Bounded(STRING, Bounds(pattern=_SIZE)), Bounded(INTEGER, Bounds(ge=0)))),
        reshaped=True,
    ),
    "PositiveInt": Bounded(INTEGER, Bounds(gt=0)),
    "NegativeInt": Bounded(INTEGER, Bounds(lt=0)),
    "NonNegativeInt": Bounded(INTEGER, Bounds(ge=0)),
    "NonPositiveInt": Bounded(INTEGER, Bounds(le=0)),
    "PositiveFloat": Bounded(_NUMBER, Bounds(gt=0)),
    "NegativeFloat": Bounded(_NUMBER, Bounds(lt=0)),
    "NonNegativeFloat": Bounded(_NUMBER, Bounds(ge=0)),
    "NonPositiveFloat": Bounded(_NUMBER, Bounds(le=0)),
    "FiniteFloat": _NUMBER,
    "StrictStr": STRING,
    "StrictInt": INTEGER,
    "StrictFloat": _NUMBER,
    "StrictBool": Scalar(ScalarKind.BOOLEAN),
    "StrictBytes": Formatted(FormatKind.BINARY),
    "JsonValue": ANYTHING,
    "SerializeAsAny": ANYTHING,
}
"""By their names in `pydantic`."""

FUNCTIONS: Mapping[str, tuple[Type, tuple[str, ...]]] = {
    "pydantic.conint": (INTEGER, ()),
    "pydantic.confloat": (_NUMBER, ()),
    "pydantic.constr": (STRING, ()),
    "pydantic.conbytes": (Formatted(FormatKind.BINARY), ()),
    "pydantic.condecimal": (Formatted(FormatKind.DECIMAL), ()),
    "pydantic.condate": (Formatted(FormatKind.DATE), ()),
}
"""Functions that make a type within bounds of the type there."""
