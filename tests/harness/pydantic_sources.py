"""Parameters that say in every way of pydantic's what they take, and JSON values near to what each takes."""

from __future__ import annotations

from harness.annotations import IMPORTS

SETUP = (
    IMPORTS
    + """
import datetime
import enum
import uuid
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import annotated_types as at
import pydantic
from annotated_types import Ge, Interval, Len, MinLen, Predicate, Timezone, Unit
from lauren_runtime import tool
from pydantic import (
    AfterValidator, AliasChoices, AliasPath, AllowInfNan, AnyUrl, AwareDatetime, Base64Bytes, Base64Str,
    Base64UrlStr, BaseModel, BeforeValidator, ByteSize, ConfigDict, DirectoryPath, Discriminator, FailFast,
    Field, FilePath, FiniteFloat, FutureDate, FutureDatetime, HttpUrl, ImportString, IPvAnyAddress,
    IPvAnyInterface, IPvAnyNetwork, Json, JsonValue, NaiveDatetime, NegativeFloat, NegativeInt, NewPath,
    NonNegativeFloat, NonNegativeInt, NonPositiveFloat, NonPositiveInt, OnErrorOmit, PastDate, PastDatetime,
    PlainSerializer, PlainValidator, PositiveFloat, PositiveInt, PostgresDsn, RedisDsn, RootModel, Secret,
    SecretBytes, SecretStr, SerializeAsAny, SkipValidation, Strict, StrictBool, StrictBytes, StrictFloat,
    StrictInt, StrictStr, StringConstraints, Tag, UrlConstraints, UUID1, UUID4, UUID7, WebsocketUrl,
    WithJsonSchema, WrapValidator, conbytes, condate, condecimal, confloat, confrozenset, conint, conlist,
    conset, constr,
)
from pydantic.json_schema import Examples, SkipJsonSchema

LIMIT = date(2024, 1, 1)


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Label(str, enum.Enum):
    FIRST = "a", 1
    SECOND = "ab"

    def __new__(cls, text, order=2):
        made = str.__new__(cls, text)
        made._value_ = text
        made.order = order
        return made


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog", "wolf"]
    name: str


class Bird(BaseModel):
    kind: Literal["bird"]
    pet: "Pet | None" = None


class Newt(BaseModel):
    kind_: Literal["newt"] = Field(alias="kind")


class Frog(BaseModel):
    kind_: Literal["frog"] = Field(alias="kind")


Pet = Annotated[Cat | Dog | Bird, Field(discriminator="kind")]
Url = Annotated[HttpUrl, Field(max_length=30)]


@dataclass
class Circle:
    shape: Literal["circle"]
    radius: float


class Square(TypedDict):
    shape: Literal["square"]
    side: PositiveInt


def odd(value: int) -> int:
    if value % 2 == 0:
        raise ValueError("not odd")
    return value


def split(value: Any) -> Any:
    return value.split(",") if isinstance(value, str) else value


def doubled(value: Any, handler: Any) -> Any:
    return handler(value) * 2


def kind_of(value: Any) -> str | None:
    return "text" if isinstance(value, str) else "many" if isinstance(value, list) else None


Odd = Annotated[int, AfterValidator(odd)]
Named = Annotated[int, AfterValidator(lambda value: value + 1)]


class Foreign:
    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return f"Foreign({self.text})"
"""
)

PARAMETERS = """
Label
Label = Label.SECOND
list[Label] | None
Annotated[int, Field(ge=1, examples=[1, 2], json_schema_extra={"x-unit": "days"})]
Annotated[list[int], Field(json_schema_extra={"items": {"type": "integer", "minimum": 0}})]
Annotated[str, Field(deprecated=True)]
Annotated[str, Field(deprecated="old", strict=True, repr=False, frozen=True)]
int = Field(1, examples=[1], json_schema_extra={"title": "T", "description": "D"}, description="d")
Annotated[float, Field(allow_inf_nan=False, strict=True)]
list[Annotated[int, Field(examples=[1], deprecated=True)]]
dict[str, Annotated[int, Field(examples=[1])]]
Annotated[int, Examples([1])]
Annotated[int | None, Field(examples=[None, 1])]
Annotated[Cat, Field(examples=[{"kind": "cat"}], description="A cat.")]
Annotated[Decimal, Field(gt=1)]
Annotated[Decimal, Field(ge=Decimal("1.5"), le=Decimal("100"))]
Annotated[Decimal, Field(max_digits=4, decimal_places=2)]
Annotated[Decimal | None, Field(gt=0)]
Annotated[Decimal, Field(multiple_of=2)]
Annotated[Fraction, Field(gt=1)]
Annotated[date, Field(gt=date(2020, 1, 1))]
Annotated[date, Field(ge=LIMIT)]
Annotated[date, at.Le(LIMIT)]
Annotated[date, Interval(ge=date(2020, 1, 1), lt=LIMIT)]
Annotated[datetime.datetime, Field(lt=datetime.datetime(2020, 1, 1))]
Annotated[time, Field(ge=time(12))]
Annotated[timedelta, Field(gt=timedelta(hours=1))]
Annotated[timedelta | None, Field(le=timedelta(days=1))]
Annotated[bytes, Field(min_length=2, max_length=3)]
Annotated[deque[int], Field(min_length=2)]
Annotated[Counter[str], Field(max_length=1)]
Annotated[OrderedDict[str, int], Field(min_length=1)]
Annotated[tuple[int, str], Field(min_length=2, max_length=2)]
Annotated[datetime.datetime, Timezone(None)]
Annotated[datetime.datetime, Timezone(...)]
Annotated[int, Unit("m")]
Annotated[int, Strict()]
Annotated[float, Ge(1), AllowInfNan(False)]
Annotated[list[int], FailFast()]
Annotated[int, Predicate(odd)]
Annotated[str, Predicate(str.islower)]
Annotated[str, StringConstraints(strip_whitespace=True, to_upper=True, min_length=1, pattern="^[A-Za-z ]+$")]
Annotated[str, StringConstraints(strict=True, max_length=2)]
Annotated[int | str, Field(union_mode="left_to_right")]
Annotated[float | int, Field(union_mode="left_to_right")]
HttpUrl
AnyUrl
WebsocketUrl
PostgresDsn
RedisDsn
Url
Annotated[AnyUrl, UrlConstraints(max_length=20, allowed_schemes=["https"])]
Annotated[HttpUrl | None, Field(max_length=20)]
HttpUrl | None = None
list[HttpUrl]
dict[str, HttpUrl]
str | HttpUrl
HttpUrl | str
HttpUrl | int
set[HttpUrl]
tuple[HttpUrl, SecretStr]
SecretStr
SecretBytes
Annotated[SecretStr, Field(min_length=3)]
Annotated[SecretStr, MinLen(3)]
Secret[int]
Secret[date]
Secret[list[Cat]]
Json
Json[list[int]]
Json[Cat]
Json[dict[str, Annotated[int, Field(ge=1)]]]
Json[Any]
Annotated[Json[list[int]], Field(description="As text.")]
PastDate
FutureDate
PastDatetime
FutureDatetime
AwareDatetime
NaiveDatetime
UUID1
UUID4
UUID7
str | UUID4
FilePath
DirectoryPath
NewPath
ByteSize
Base64Bytes
Base64Str
Base64UrlStr
IPvAnyAddress
IPvAnyInterface
IPvAnyNetwork
str | IPvAnyAddress
ImportString
PositiveInt
NegativeInt
NonNegativeInt
NonPositiveInt
PositiveFloat
NegativeFloat
NonNegativeFloat
NonPositiveFloat
FiniteFloat
StrictStr
StrictInt
StrictFloat
StrictBool
StrictBytes
Annotated[PositiveInt, Field(le=10)]
SerializeAsAny[Cat]
SkipValidation[int]
SkipValidation[list[int]]
list[OnErrorOmit[int]]
conint(gt=1, strict=True)
conint(ge=1, le=3) | None
confloat(ge=0.5, allow_inf_nan=False)
constr(min_length=1, max_length=2, pattern="^a")
constr(strip_whitespace=True, to_lower=True)
conbytes(min_length=1)
condecimal(max_digits=3, decimal_places=1)
condecimal(gt=1)
condate(gt=date(2020, 1, 1))
conlist(int, min_length=1, max_length=2)
conlist(item_type=HttpUrl, max_length=2)
conset(int, min_length=1)
confrozenset(str, max_length=2)
list[conint(ge=1)]
Pet
list[Pet]
Pet | None
Annotated[Cat | Dog | None, Field(discriminator="kind")]
Annotated[Union[Cat, Dog], Discriminator("kind")]
Annotated[Frog | Newt, Field(discriminator="kind_")] | int
Annotated[Circle | Square, Field(discriminator="shape")]
dict[str, Annotated[Circle | Square, Field(discriminator="shape")]]
Cat | Dog = Field(discriminator="kind")
Annotated[Annotated[str, Tag("text")] | Annotated[list[str], Tag("many")], Discriminator(kind_of)]
Odd
list[Odd]
Annotated[int, AfterValidator(odd)]
Annotated[int | None, AfterValidator(str)]
Annotated[int, Field(ge=1), AfterValidator(odd)]
Annotated[str, AfterValidator(len)]
Annotated[list[str], BeforeValidator(split)]
Annotated[list[str], BeforeValidator(split, json_schema_input_type=str | list[str])]
Annotated[list[str], BeforeValidator(split), Field(min_length=2)]
Annotated[int, WrapValidator(doubled)]
Annotated[int, PlainValidator(str)]
Annotated[Foreign, PlainValidator(Foreign, json_schema_input_type=str)]
Annotated[set[int], AfterValidator(sorted)]
Annotated[Cat, AfterValidator(repr)]
Annotated[Color, AfterValidator(str)]
Annotated[Literal["a", "b"] | Color, AfterValidator(str)]
Annotated[dict[str, tuple[int, ...]], AfterValidator(len)]
Annotated[int, AfterValidator(lambda value: value + 1)]
list[Annotated[str, AfterValidator(lambda value: value.upper())]]
Annotated[list[str], BeforeValidator(lambda value: value), Field(max_length=2)]
Annotated[str, AfterValidator(lambda value: value[::-1])] | None = None
Annotated[int, AfterValidator(lambda value: value * 2)] = Field(1, ge=1)
Named
dict[str, Named]
Annotated[int, AfterValidator(odd)] = 3
int = Field(3, ge=1)
int | SkipJsonSchema[None] = None
Optional[Annotated[int, Field(ge=1)]] | SkipJsonSchema[str] = 1
Union[int, SkipJsonSchema[None], str] = None
list[int | SkipJsonSchema[None]]
Annotated[int | SkipJsonSchema[None], Field(description="d")] = None
Annotated[complex, WithJsonSchema({"type": "string"})]
Annotated[int, WithJsonSchema({"type": "integer", "minimum": 1, "title": "N"})]
Annotated[int, WithJsonSchema({"type": "integer"}), Field(description="A number.")]
list[Annotated[date, WithJsonSchema({"type": "string", "format": "date"})]]
"""
ALL = list(filter(None, PARAMETERS.splitlines()))

VALUES = (
    *(None, True, 0, 1, 2, 3, 5, 11, -1, 1.0, 1.5, 2.25, 100.125, 12345, "", " a ", "a", "ab", "abcd", "A B", "café"),
    *("1", "1.5", "3", "0.05", "2020-01-01", "2019-12-31", "2024-01-02", "2999-12-31", "12:30", "11:00", "PT2H", "P1D"),
    *(
        "2019-01-01T00:00:00",
        "2019-01-01T00:00:00Z",
        "2999-01-01T00:00:00",
        "2999-01-01T00:00:00+01:00",
        "-1",
        "math.pi",
    ),
    *("https://a.b/c", "http://example.com/a/very/long/path", "ws://a.b/c", "file:///x", "postgres://u:p@h:1/d"),
    *(
        "0190163d-8694-739b-aea5-966c26f8ad91",
        __file__,
        "redis://h:1/0",
        "//",
        "YWJj",
        "_-8=",
        "1GB",
        "12 kib",
        "127.0.0.1",
        "10.0.0.0/8",
        "::1",
        "/tmp",
        "/nowhere/at/all",
    ),
    *("5f0c3a2e-8d3b-4c1e-9d6a-0a7d2a7a4b11", "a8098c1a-f86e-11da-bd1a-00112444be1e", "[1, 2]", '["a"]', '{"a": 1}'),
    *('{"kind": "cat"}', "[1", "red", "a,b", "{}", [], [1], [1, 2], [1, 1], [2, 3, 4], ["a"], ["a", "b"], [1, "a"]),
    *(["https://a.b/c"], ["https://a.b/c", "x"], {}, {"a": 1}, {"a": 0, "b": 2}, {"a": "https://a.b/c"}, {"a": [1, 2]}),
    *({"kind": "cat"}, {"kind": "dog", "name": "R"}, {"kind": "wolf", "name": "R"}, {"name": "R"}, {"kind": "fox"}),
    *({"kind": "cat", "lives": "9"}, {"kind": 1}, {"kind": "bird", "pet": {"kind": "cat"}}, {"kind": "newt"}),
    *(
        {"shape": "circle", "radius": 1},
        {"shape": "square", "side": 2},
        {"shape": "square", "side": 0},
        [{"kind": "cat"}],
    ),
    *({"a": {"shape": "square", "side": 2}}, ["2020-01-01"], [3], [3, 4], {"a": 3}, "1+2j", 4294967296),
)
"""JSON values; what each parameter takes of them pydantic knows."""
