"""Annotations as source text, each spelling by itself, with the classes that they name."""

from __future__ import annotations

IMPORTS = """\
import collections.abc
import dataclasses
import enum
import os
import typing
import typing as t
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum, Flag, IntEnum, StrEnum
from pathlib import Path
from typing import (
    Annotated, Any, Dict, FrozenSet, List, Literal, NamedTuple, NotRequired, Optional, Required, Set, Tuple, Union,
)
from uuid import UUID

from typing_extensions import TypeAliasType, TypedDict
"""

CLASSES = '''\
class Color(Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 5


class Mode(str, Enum):
    FAST = "fast"
    SLOW = "slow"


class Unit(StrEnum):
    KELVIN = enum.auto()
    CELSIUS = "c"


class Right(Flag):
    READ = enum.auto()
    WRITE = enum.auto()


class Odd(Enum):
    ONE = 1
    TWO = "two"
    NONE = None


@dataclass
class Base:
    id: int


@dataclass
class Point(Base):
    """A place."""

    x: float
    color: Color = Color.RED
    tags: list[str] = field(default_factory=list)
    note: Optional[str] = None


@dataclass(kw_only=True)
class Box:
    size: int = 3
    content: "Box | None" = None
    right: Right = Right.READ


class Patch(TypedDict, total=False):
    """A change."""

    id: Required[int]
    note: str | None


class Filter(TypedDict):
    field: str
    negate: NotRequired[bool]


class Range(NamedTuple):
    """From here to there."""

    start: int
    end: int = 9


Count = TypeAliasType("Count", int)
Json = TypeAliasType("Json", "dict[str, Json] | list[Json] | str | int | None")
Vector = list[float]
MaybePoint = Point | None
'''

ANNOTATIONS = """
str
int
float
bool
None
Any
object
typing.Any
list
List
t.List
list[int]
List[int]
typing.List[List[str]]
dict
Dict
dict[str, int]
typing.Dict[str, Any]
dict[str, list[int]]
dict[int, str]
dict[float, str]
dict[bool, list[int]]
dict[Any, int]
dict[Color, int]
dict[Unit, list[Point]]
dict[Literal['a', 'b'], int]
dict[Literal['a'], int]
dict[date, int]
dict[UUID, list[int]]
dict[Decimal, int]
dict[Path, int]
dict[int | str, int]
dict[str | None, Point]
Counter[date]
os.PathLike
list[os.PathLike[str]]
os.PathLike[bytes] | None
str | os.PathLike[Any]
tuple
Tuple
tuple[()]
tuple[int]
tuple[int, str]
Tuple[int, ...]
tuple[Point, Color]
set
Set[int]
set[Color]
frozenset[str]
FrozenSet[Literal[1, 2]]
int | None
Optional[int]
Optional[list[int]]
Union[int, str]
Union[int, None, str]
int | str | None
Optional[Union[int, str]]
Union[Optional[int], str]
Literal['a']
Literal['a', 'b']
Literal[1, 2]
Literal[True]
Literal['a', 1]
Literal['a', None]
Literal[None]
Literal[True, 1]
Literal[-3]
Literal[Color.RED]
Literal[Color.RED, 'x']
Literal[Literal['a'], 'b']
typing.Literal['ü', "it's"]
Color
Level
Mode
Unit
Right
Odd
Optional[Color]
list[Color]
Base
Point
Box
list[Point]
Point | None
Patch
Filter
list[Filter]
Range
Range | None
Count
Json
dict[str, Json]
Vector
MaybePoint
list[MaybePoint]
Annotated[int, 1, object()]
"int"
"list[Point]"
"Optional['Color']"
list["int"]
"""


def annotations() -> list[str]:
    """Every annotation, in order, once."""
    return list(dict.fromkeys(filter(None, ANNOTATIONS.splitlines())))
