"""Classes and aliases of every kind: their definitions equal pydantic's, as an argument and as a result."""

from __future__ import annotations

import sys
import types
import typing
from pathlib import Path
from typing import Any

import pytest
from harness import pydantic_oracle
from harness.annotations import IMPORTS
from harness.compiling import compile_source

SETUP = (
    IMPORTS
    + """
from lauren_runtime import tool


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Point:
    x: int
    y: float = 1.0
"""
)
TOOL = """
@tool()
def f(p: A) -> A:
    'Does it.'
"""

# Each gives its meaning to the name `A`; a line of dashes ends one.
CLASSES = r'''
class A(Enum):
    X = enum.auto()
    Y = enum.auto()
# ---
class A(Enum):
    _ignore_ = ["tmp"]
    X = 1
    Y = X + 1
    def method(self): return 1
    @property
    def p(self): return 2
    def __str__(self): return "x"
# ---
@enum.unique
class A(Enum):
    """Doc.

    Second paragraph.
        indented
    """
    X = "a"
# ---
class A(Flag):
    R = 1
    W = 2
    RW = R | W
# ---
class A(enum.IntFlag):
    R = enum.auto()
    W = enum.auto()
    X = 8
# ---
class A(str, Enum):
    X = enum.auto()
    Y = "y"
# ---
class A(float, Enum):
    X = 1.5
    Y = 2
# ---
class Base(Enum):
    def f(self): return 1
class A(Base):
    X = "x"
# ---
class A(str, Enum):
    X = ("x", "First")
    Y = "y"

    def __new__(cls, value, label="none"):
        """Make it."""
        made = str.__new__(cls, value)
        made._value_ = value
        made.label = label
        return made
# ---
class A(Enum):
    X = 1, "x"
    Y = 2, "y"

    def __new__(cls, number: int, text: str) -> "A":
        made = object.__new__(cls)
        made.text = text
        made._value_ = number * 10
        return made
# ---
class Named(str, Enum):
    @staticmethod
    def _generate_next_value_(name, start, count, last_values):
        return f"{name.lower()}-{count}" if count else name

class A(Named):
    X = enum.auto()
    SECOND = enum.auto()
# ---
class A(str, Enum):
    X = "x"

    @classmethod
    def _missing_(cls, value):
        made = str.__new__(cls, value)
        made._value_ = value
        return made
# ---
class A(StrEnum):
    X = enum.auto()
    Y_Z = enum.auto()
# ---
A = Enum("A", "X Y")
# ---
A = Enum("A", {"X": "x", "Y": "y"})
# ---
class A(Enum):
    X = -1
    Y = +2
    Z = 1 << 3
    T = "a" "b"
    N = not True
# ---
@dataclass
class A:
    x: int
    y: typing.ClassVar[int] = 3
    z: str = "q"
# ---
@dataclass
class A:
    x: int
    _: dataclasses.KW_ONLY
    y: int = 2
    z: str
# ---
class P:
    """Plain doc."""
    z: int = 3
@dataclass
class A(P):
    x: int
# ---
@dataclass
class B:
    """Base doc."""
    x: int
@dataclass
class A(B):
    y: int
# ---
@dataclass
class A:
    x: Color = Color.RED
    y: Point = field(default_factory=lambda: Point(1, 2.0))
    z: tuple[int, ...] = (1, 2)
    d: dict[str, int] = field(default_factory=dict)
    o: Any = None
    f: float = 1
    g: float = -0.5
# ---
@dataclasses.dataclass
class A:
    x: "list[A] | None" = None
    y: "Optional[B]" = None
@dataclass()
class B:
    a: A
# ---
@dataclass
class A:
    x: Annotated[int, "described"]
    y: Annotated[int, 5] = 3
# ---
class B(TypedDict):
    x: int
class A(B, total=False):
    """Doc."""
    y: str
    z: Required[int]
# ---
A = TypedDict("A", {"x": int, "in": NotRequired[str], "a-b": "list[A]"})
# ---
A = TypedDict("A", {"x": int}, total=False)
# ---
class A(TypedDict, closed=True):
    x: int
# ---
class A(TypedDict):
    pass
# ---
class A(NamedTuple):
    x: int
    y: "A | None" = None
    def total(self): return 1
# ---
import collections
A = collections.namedtuple("A", "x y")
# ---
A = collections.namedtuple("A", ["x", "y", "z"], defaults=(1, None))
# ---
class A(collections.namedtuple("Base", "x y z", defaults=["a"])):
    """Doc."""
    __slots__ = ()
    def total(self): return 1
# ---
class A(collections.namedtuple("Base", "x y")):
    y: int
    x: "Point | None"
    other: str
# ---
Base = NamedTuple("Base", [("x", int), ("y", "list[str]")])
class Middle(Base):
    x: float
class A(Middle):
    pass
# ---
class A(NamedTuple("Base", [("x", Annotated[int, "text"])])):
    __slots__ = ()
# ---
Base = TypedDict("Base", {"a-b": int, "c": Point}, total=False)
class A(Base):
    """Doc."""
    d: int
# ---
class A(TypedDict("Base", {"a": int})):
    a: Required[int]
    b: NotRequired[str]
# ---
A = NamedTuple("A", [("x", int), ("y", str)])
# ---
class A(NamedTuple):
    x: Point
    y: Color = Color.RED
# ---
A = TypeAliasType("A", "list[A] | None")
# ---
A = TypeAliasType("A", Point)
# ---
A = TypeAliasType("A", Annotated[int, "described"])
# ---
X = Color
A = X
# ---
A = Literal["a", Color.RED] | None
# ---
A: typing.TypeAlias = "dict[str, Point]"
# ---
A = typing.NewType("A", int)
# ---
class Outer:
    @dataclass
    class Inner:
        x: int
    class E(Enum):
        Q = 1
@dataclass
class A:
    i: Outer.Inner
    e: Outer.E = Outer.E.Q
# ---
@dataclass
class A:
    x: int = 5
    x2: typing.Final[int] = 3
# ---
@dataclass
class A:
    lst: list
    dct: dict
    st: set = field(default_factory=set)
    fs: frozenset = frozenset({1})
    en: set[Color] = field(default_factory=set)
    se: frozenset[str] = frozenset({"b", "a"})
# ---
class A(Enum):
    X = "a"
    __private = 3
    _single = 4
# ---
@dataclass(frozen=True, slots=True, order=True)
class B:
    x: int
    y: int = field(default=4)
@dataclass(frozen=True)
class A(B):
    x: str = "s"
    w: list[int] = field(default_factory=lambda: [1])
# ---
B = TypeAliasType("B", Point)
A = tuple[B, Point]
# ---
B = TypeAliasType("B", Point)
C = TypeAliasType("C", B)
A = list[C] | dict[str, C]
# ---
@dataclass
class A:
    numbers: frozenset[int] = frozenset({3, 1, 2})
    mixed: frozenset[float] = frozenset([2.5, 1])
'''


def cases() -> list[str]:
    return [case.strip() for case in CLASSES.split("# ---")]


def evaluated(source: str) -> Any:
    """The value of `A` in the module, run."""
    module = types.ModuleType("classes")
    sys.modules[module.__name__] = module
    exec(compile(source, "classes", "exec", dont_inherit=True), vars(module))
    return typing.get_type_hints(vars(module)["f"], include_extras=True)["p"]


@pytest.mark.parametrize("case", cases(), ids=lambda case: " ".join(case.split())[:50])
def test_a_class(case: str, tmp_path: Path) -> None:
    source = f"{SETUP}\n\n{case}\n\n{TOOL}"
    build = compile_source(source, tmp_path)
    assert not build.errors, build.messages
    annotation = evaluated(source)
    arguments = dict(build.tools["f"]["input_schema"])
    del arguments["additionalProperties"]
    theirs = pydantic_oracle.model_schema({"p": (annotation, ...)})
    assert pydantic_oracle.comparable(arguments) == pydantic_oracle.comparable(theirs)
    result = pydantic_oracle.result_schema(annotation)
    assert pydantic_oracle.comparable(build.tools["f"]["output_schema"]) == pydantic_oracle.comparable(result)
