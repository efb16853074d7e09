"""Sources of pydantic models, for the tests that compare what becomes of them with pydantic."""

from __future__ import annotations

SETUP = """
import enum
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Optional

import pydantic
from typing_extensions import TypedDict
from annotated_types import Ge, Len
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, computed_field, field_validator, model_validator
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
    x: int
    x = 4
    y: int = Field(le=3)
'''


def models() -> list[str]:
    """Each gives a model to the name `A`; they stand between `SETUP` and `TOOL`."""
    return [case.strip() for case in _MODELS.split("# ---")]
