"""Sources of pydantic models, for the tests that compare what becomes of them with pydantic."""

from __future__ import annotations

SETUP = """
import enum
import typing
from datetime import date
from decimal import Decimal
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Optional, TypeAlias

import pydantic
import pydantic.dataclasses
from typing_extensions import NotRequired, TypedDict
from annotated_types import Ge, Len
from pydantic import (
    AfterValidator, AliasChoices, AliasGenerator, AliasPath, Base64Str, BaseModel, ConfigDict, Discriminator, Field,
    HttpUrl, Json, PastDate, PrivateAttr, RootModel, SecretStr, SkipValidation, Tag, WithJsonSchema, computed_field,
    conint, constr, field_validator, model_validator, with_config,
)
from pydantic.alias_generators import to_camel, to_pascal
from pydantic.json_schema import SkipJsonSchema
from lauren_runtime import tool


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Point(BaseModel):
    \"\"\"A point.\"\"\"

    x: int
    y: float = 1.0
"""
TOOL = """
@tool()
def f(p: A) -> None:
    'Does it.'
"""

# Each gives its meaning to the name `A`; a line of dashes ends one.
_MODELS = r'''
class A(BaseModel):
    """Doc.

    Second paragraph.
    """
    x: int
    y: str | None
    z: Optional[str] = None
    w: list[int] = [1, 2]
    d: dict[str, float] = {}
    c: Color = Color.RED
    l: Literal["a", "b"] = "a"
    t: tuple[int, str] = (1, "a")
# ---
class A(pydantic.BaseModel):
    lat: float = Field(ge=-90, le=90, description="North.")
    name: str = Field("x", min_length=1, max_length=5, pattern="^[a-z]+$", title="The name")
    tags: list[str] = Field(default_factory=list, max_length=3)
    made: list[str] = Field(default_factory=lambda: ["x"])
    required: int = Field(...)
    also: int = ...
    n: Annotated[int, Field(gt=0), Ge(5)] = 7
    m: Annotated[int, Field(default=3, description="Inner.")]
    o: Annotated[int, Field(description="Inner.")] = Field(4, description="Outer.")
    s: Annotated[str, Len(2, 3)] = "ab"
    opt: int | None = Field(None, ge=1)
# ---
class Base(BaseModel):
    """Base doc."""
    x: int
    y: int = 1
    z: str = "z"
class A(Base):
    y: str
    w: int
# ---
class Left(BaseModel):
    x: int = 1
    l: int
class Right(BaseModel):
    x: str = "r"
    r: int
class A(Left, Right):
    own: int
# ---
class Mixin:
    m: int = 3
    @property
    def q(self): return 1
class A(Mixin, BaseModel):
    x: int
# ---
class A(BaseModel):
    from_: str = Field(alias="from")
    age: int = Field(validation_alias="years", alias="old")
    odd: int = Field(1, serialization_alias="o")
    b: "Annotated[int, Field(alias='bee')]" = 2
# ---
class A(BaseModel):
    model_config = ConfigDict(populate_by_name=True, extra="forbid", title="Titled", frozen=True)
    from_: str = Field(alias="from")
    same: "frozenset[A] | None" = None
# ---
class A(BaseModel, extra="forbid", str_strip_whitespace=True):
    x: int
# ---
class Base(BaseModel):
    model_config = {"extra": "allow", "title": "Base", "arbitrary_types_allowed": True}
class A(Base):
    model_config = ConfigDict(validate_assignment=True, strict=True)
    x: int
# ---
class B1(BaseModel):
    model_config = ConfigDict(extra="allow")
class B2(BaseModel):
    model_config = ConfigDict(extra="forbid")
class A(B1, B2):
    x: int
# ---
class A(BaseModel):
    children: list["A"] = []
    parent: "Optional[A]" = None
    other: "B | None" = None
class B(BaseModel):
    a: A
# ---
class A(BaseModel):
    p: Point = Point(x=1)
    q: Point | None = Point(x=2, y=3)
    r: list[Point] = [Point(x=4, y=5.5)]
    s: Annotated[Point, Field(description="Start.")]
    t: Point = Field(Point(x=1), title="T")
    u: Point = Field(description="A point.")
# ---
class A(BaseModel):
    kind: ClassVar[str] = "k"
    k2: "ClassVar[int]" = 2
    _private: int = 3
    _p: list[int] = PrivateAttr(default_factory=list)
    x: int
    @field_validator("x")
    @classmethod
    def even(cls, value: int) -> int:
        return value
    @model_validator(mode="after")
    def fits(self) -> "A":
        return self
    @computed_field
    @property
    def double(self) -> int:
        return self.x * 2
    def method(self) -> None: ...
# ---
@dataclass
class D:
    p: Point
    n: int = 1
class T(TypedDict):
    p: Point
class N(NamedTuple):
    p: Point
    n: int = 1
class A(BaseModel):
    d: D
    t: T
    n: N
    m: dict[str, Point]
# ---
class Outer:
    class Inner(BaseModel):
        x: int
    class Other(BaseModel):
        inner: "Outer.Inner"
A = Outer.Other
# ---
class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9
class Dog(BaseModel):
    kind: Literal["dog"]
    name: str
class A(BaseModel):
    pet: Cat | Dog
    pets: list[Cat | Dog] = []
# ---
class A(BaseModel):
    pass
# ---
class A(BaseModel):
    final: typing.Final[int] = 3
    kept: "typing.Final[int]"
# ---
class A(RootModel[list[int]]):
    """Doc."""
# ---
class A(RootModel):
    root: dict[str, int] = Field(description="Root.", examples=[{"a": 1}])
# ---
class Base(RootModel[list[int]]):
    model_config = ConfigDict(title="Titled", json_schema_extra={"examples": [[1]]})
    root: list[int] = Field(min_length=1)
class A(Base):
    """Sub."""
# ---
class A(RootModel["list[A] | int"]):
    pass
# ---
class Tags(RootModel[list[Annotated[str, Field(min_length=1)]]]):
    pass
class A(BaseModel):
    tags: Tags
    more: dict[str, Tags] = {}
    either: Tags | int | None = None
# ---
class A(BaseModel):
    model_config = ConfigDict(json_schema_extra={"examples": [{"x": "a"}], "description": "D"})
    x: str
# ---
class A(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)
    first_name: int
    other: int = Field(alias="own")
    taken_so: int = Field(validation_alias="vv")
    given_so: int = Field(serialization_alias="ss")
    low_one: int = Field(alias="low", alias_priority=1)
    one_of: int = Field(validation_alias=AliasChoices("one", "two"))
    path_or: int = Field(validation_alias=AliasChoices(AliasPath("q", "x"), "three"))
# ---
SHARED = ConfigDict(alias_generator=AliasGenerator(alias=to_camel, validation_alias=to_pascal), extra="forbid")
class Base(BaseModel):
    model_config = SHARED
    first_name: int
class A(Base):
    model_config = {**SHARED, "title": "T"}
    last_name: str = "x"
# ---
class A(BaseModel):
    model_config = ConfigDict(alias_generator=AliasGenerator(serialization_alias=to_camel))
    first_name: int
# ---
class A(BaseModel):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, int]
    x: int
# ---
class A(BaseModel):
    class Config:
        extra = "forbid"
        title = "T"
    x: int
# ---
class A(BaseModel):
    url: HttpUrl
    secret: SecretStr | None = None
    text: Json[list[int]] = "[1]"
    day: PastDate
    price: Decimal = Field(gt=0, max_digits=6, decimal_places=2)
    when: date = Field(ge=date(2020, 1, 1))
    n: conint(ge=1) = 1
    odd: Annotated[int, AfterValidator(lambda value: value + 1)]
    stated: Annotated[complex, WithJsonSchema({"type": "string"})]
    raw: SkipValidation[int]
    both: str | list[int] = Field(examples=["a"], json_schema_extra={"x-more": True}, deprecated=True)
# ---
class Cat(BaseModel):
    kind: Literal["cat"]
class Dog(BaseModel):
    kind: Literal["dog"]
    friend: "A | None" = None
class A(BaseModel):
    pet: Cat | Dog = Field(discriminator="kind")
    pets: list[Annotated[Cat | Dog, Discriminator("kind")]] = []
    maybe: Cat | Dog | None = Field(None, discriminator="kind", description="One.")
# ---
class Leaf(BaseModel):
    op: Literal["leaf"]
    value: int
class A(BaseModel):
    op: Literal["add", "sub"]
    left: "Node"
    right: "Node"
Node = Annotated[Leaf | A, Field(discriminator="op")]
# ---
class A(BaseModel):
    hidden: SkipJsonSchema[int] = 3
    shown: int
# ---
class A(BaseModel):
    x: int
    x = 4
    y: int = Field(le=3)
# ---
class Inner(TypedDict):
    z_a: str
    n: NotRequired[int]
@dataclass
class D:
    z_a: str
    t: "Inner | None" = None
class N(NamedTuple):
    z_a: str
    z_b: int = 1
Text: TypeAlias = "list[D]"
class A(BaseModel):
    model_config = ConfigDict(extra="forbid", alias_generator=lambda name: name.upper())
    in_ner: Inner
    d: Text
    n: N
# ---
class Inner(TypedDict):
    a: str
class A(BaseModel):
    model_config = ConfigDict(extra="allow", title="T", json_schema_extra={"x-more": 1})
    inner: Inner
    other: dict[str, Inner]
# ---
class Own(BaseModel):
    a: str
@dataclass
class D:
    a: str
    own: Own
class A(BaseModel):
    model_config = ConfigDict(str_min_length=2, str_max_length=4, title="T")
    a: str
    b: list[str] | None = None
    c: Annotated[str, Field(max_length=3)]
    d: D
    e: dict[str, str]
    f: Literal["a"] = "a"
    g: Annotated[str, Field(min_length=1)] = "x"
    h: constr(pattern="^a")
    i: SecretStr
    j: HttpUrl
    k: Path
    l: Json[str]
    m: str | int
    n: bytes
    o: tuple[str, ...] = ()
    p: Annotated[str, AfterValidator(str.upper)] = "aa"
    q: Base64Str = "YQ=="
# ---
class A(BaseModel):
    model_config = ConfigDict(str_max_length=3, str_min_length=0, str_to_upper=True)
    a: str = "abc"
    b: dict[Color, str] = {}
# ---
class Inner(TypedDict):
    """Doc."""
    a: int
    """The a."""
@dataclass
class D:
    b: Inner
    """The b."""
class A(BaseModel):
    model_config = ConfigDict(use_attribute_docstrings=True)
    c: Inner
    """The c."""
    d: D
# ---
@with_config(ConfigDict(extra="forbid", str_min_length=2, title="T", use_attribute_docstrings=True))
class A(TypedDict):
    """Doc."""
    a: str
    """The a."""
    b: NotRequired[list[str]]
# ---
@with_config({"extra": "allow", "alias_generator": str.upper})
class Base(TypedDict):
    a: int
    b: Annotated[int, Field(alias="q")]
class A(Base):
    c: NotRequired[int]
# ---
@with_config(extra="forbid")
class Base(TypedDict):
    a: int
class Other(TypedDict):
    __pydantic_config__ = ConfigDict(title="Other", json_schema_extra={"description": "Said."})
    base: Base
class A(TypedDict):
    base: Base
    other: Other
# ---
@with_config(ConfigDict(extra="forbid", str_max_length=2))
@dataclass
class Base:
    a: str
@dataclass
class A(Base):
    __pydantic_config__ = ConfigDict(alias_generator=to_camel)
    b_c: int = 1
    base: Base | None = None
# ---
@pydantic.dataclasses.dataclass(config=ConfigDict(extra="forbid", alias_generator=to_camel, str_min_length=2))
class A:
    some_name: str
    other: "Inner"
class Inner(TypedDict):
    in_ner: str
# ---
class Inner(TypedDict):
    a: int
class Forbids(BaseModel, extra="forbid"):
    inner: Inner
@dataclass
class D:
    forbids: Forbids
class A(BaseModel):
    model_config = ConfigDict(
        val_json_bytes="base64", validate_by_name=True, validate_by_alias=False, serialize_by_alias=True
    )
    d: D
    raw: bytes = b""
'''


def models() -> list[str]:
    """Each gives a model to the name `A`; they stand between `SETUP` and `TOOL`."""
    return [case.strip() for case in _MODELS.split("# ---")]
