"""Every kind of type twice: as an annotation that Python has evaluated, and as a front end would lower it."""

from __future__ import annotations

import dataclasses
import enum
from collections import Counter, OrderedDict, defaultdict, deque
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, NotRequired

from lauren_compiler.ir.tools import ToolSet
from lauren_compiler.ir.types import (
    AliasDefinition,
    Anything,
    Built,
    BuiltKind,
    Definition,
    Described,
    DictOf,
    FormatKind,
    Formatted,
    ListOf,
    LiteralOf,
    ObjectKind,
    SetOf,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)
from lauren_compiler.ir.values import Constant, EnumMember, Sequence
from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from .formats import ANNOTATIONS
from .open_tuples import open_tuple
from .tool_sets import (
    BOOLEAN,
    INTEGER,
    NULL,
    NUMBER,
    SPAN,
    STRING,
    constants,
    dataclass,
    enumeration,
    field,
    parameter,
    to,
    tool,
    toolset,
)

ANY = Anything()


class Color(enum.Enum):
    """A colour."""

    A = "red"
    B = "blue"


class Size(enum.IntEnum):
    A = 1
    B = 2


class Mixed(enum.Enum):
    A = 1
    B = "x"
    C = None


class Pair(enum.Enum):
    A = (1, "x")
    B = (2, "y")


class Right(enum.Flag):
    A = 1
    B = 2


class Nothing(enum.Enum):
    A = None


@dataclasses.dataclass
class Point:
    """A place."""

    x: int
    y: int = 0
    color: Color = Color.A
    tags: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Tree:
    left: Tree | None = None
    right: Tree | None = None


@dataclasses.dataclass
class Empty: ...


class Patch(TypedDict, closed=True):
    """A change."""

    id: Annotated[int, Field(description="Which.")]
    note: NotRequired[str | None]


class Span(NamedTuple):
    """From here to there."""

    start: int
    end: Annotated[int, Field(description="Last.")] = 5


class AllDefaults(NamedTuple):
    a: int = 1


Count = TypeAliasType("Count", int)
Json = TypeAliasType("Json", "list[Json] | dict[str, Json] | str | None")

DEFINITIONS: list[Definition] = [
    enumeration("Color", constants("red", "blue"), description="A colour."),
    enumeration("Size", constants(1, 2)),
    enumeration("Mixed", constants(1, "x", None)),
    enumeration("Pair", [Sequence("tuple", constants(1, "x")), Sequence("tuple", constants(2, "y"))]),
    enumeration("Right", constants(1, 2), flag=True),
    enumeration("Nothing", constants(None)),
    dataclass(
        "Point",
        field("x", INTEGER),
        field("y", INTEGER, "0"),
        field("color", to("Color"), '"red"'),
        field("tags", ListOf(STRING), None),
        description="A place.",
    ),
    dataclass(
        "Tree", field("left", Union((to("Tree"), NULL)), "null"), field("right", Union((to("Tree"), NULL)), "null")
    ),
    dataclass("Empty"),
    dataclass(
        "Patch",
        field("id", INTEGER, description="Which."),
        field("note", Union((STRING, NULL)), None),
        kind=ObjectKind.TYPED_DICT,
        description="A change.",
        closed=True,
    ),
    dataclass(
        "Span",
        field("start", INTEGER),
        field("end", INTEGER, "5", description="Last."),
        kind=ObjectKind.NAMED_TUPLE,
        description="From here to there.",
    ),
    dataclass("AllDefaults", field("a", INTEGER, "1"), kind=ObjectKind.NAMED_TUPLE),
    AliasDefinition("shop", "Count", INTEGER, SPAN),
    AliasDefinition(
        "shop",
        "Json",
        Union((ListOf(to("Json")), DictOf(STRING, to("Json")), STRING, NULL)),
        SPAN,
    ),
]

CASES: list[tuple[Any, Type]] = [
    (str, STRING),
    (int, INTEGER),
    (float, NUMBER),
    (bool, BOOLEAN),
    (None, NULL),
    (Any, ANY),
    (object, ANY),
    (Literal["a"], LiteralOf(constants("a"))),
    (Literal["a", "b"], LiteralOf(constants("a", "b"))),
    (Literal[1, 2], LiteralOf(constants(1, 2))),
    (Literal[True], LiteralOf(constants(True))),
    (Literal[True, 1], LiteralOf(constants(True, 1))),
    (Literal["a", None], LiteralOf(constants("a", None))),
    (Literal[None], LiteralOf(constants(None))),
    (Literal[b"ab"], LiteralOf(constants(b"ab"))),
    (Literal[Color.A], LiteralOf((EnumMember("shop:Color", "A", Constant("red")),))),
    (Literal[Color.A, "x"], LiteralOf((EnumMember("shop:Color", "A", Constant("red")), Constant("x")))),
    (Literal[Size.A, 7], LiteralOf((EnumMember("shop:Size", "A", Constant(1)), Constant(7)))),
    (list, ListOf(ANY)),
    (list[int], ListOf(INTEGER)),
    (list[list[str]], ListOf(ListOf(STRING))),
    (set, SetOf(ANY)),
    (set[int], SetOf(INTEGER)),
    (frozenset[str], SetOf(STRING, frozen=True)),
    (tuple, VariadicTupleOf(ANY)),
    (tuple[()], TupleOf(())),
    (tuple[int], TupleOf((INTEGER,))),
    (tuple[int, Any, str], TupleOf((INTEGER, ANY, STRING))),
    (tuple[int, ...], VariadicTupleOf(INTEGER)),
    (open_tuple((int,), str), VariadicTupleOf(STRING, (INTEGER,))),
    (open_tuple((int, Color), list[Point]), VariadicTupleOf(ListOf(to("Point")), (INTEGER, to("Color")))),
    (open_tuple((str,), str) | None, Union((VariadicTupleOf(STRING, (STRING,)), NULL))),
    (dict, DictOf(ANY, ANY)),
    (dict[str, Any], DictOf(STRING, ANY)),
    (dict[str, int], DictOf(STRING, INTEGER)),
    (dict[int, str], DictOf(INTEGER, STRING)),
    (dict[float, str], DictOf(NUMBER, STRING)),
    (dict[bool, str], DictOf(BOOLEAN, STRING)),
    (dict[Literal["a"], int], DictOf(LiteralOf(constants("a")), INTEGER)),
    (dict[Literal["a", "b"], int], DictOf(LiteralOf(constants("a", "b")), INTEGER)),
    (dict[Color, int], DictOf(to("Color"), INTEGER)),
    (dict[Size, int], DictOf(to("Size"), INTEGER)),
    (dict[Annotated[str, Field(description="k", title="t")], int], DictOf(Described(STRING, "k", "t"), INTEGER)),
    (dict[str, Annotated[int, Field(description="v", title="t")]], DictOf(STRING, Described(INTEGER, "v", "t"))),
    (dict[str, Annotated[Any, Field(title="t")]], DictOf(STRING, Described(ANY, None, "t"))),
    (int | None, Union((INTEGER, NULL))),
    (Color | None, Union((to("Color"), NULL))),
    (None | int | str, Union((NULL, INTEGER, STRING))),
    (int | None | str, Union((INTEGER, NULL, STRING))),
    (int | Any, Union((INTEGER, ANY))),
    (Any | None, Union((ANY, NULL))),
    (bool | int, Union((BOOLEAN, INTEGER))),
    (Literal["a"] | Literal["b"], Union((LiteralOf(constants("a")), LiteralOf(constants("b"))))),
    (list[Any] | tuple[Any, ...], Union((ListOf(ANY), VariadicTupleOf(ANY)))),
    (set[int] | frozenset[int], Union((SetOf(INTEGER), SetOf(INTEGER, frozen=True)))),
    (set[int] | frozenset[int] | None, Union((SetOf(INTEGER), SetOf(INTEGER, frozen=True), NULL))),
    (
        Annotated[int | str, Field(description="d")] | None,
        Union((Described(Union((INTEGER, STRING)), "d"), NULL)),
    ),
    (Annotated[int, Field(description="d")] | None, Union((Described(INTEGER, "d"), NULL))),
    (list[Annotated[int, Field(description="d", title="t")]], ListOf(Described(INTEGER, "d", "t"))),
    (list[Annotated[Point, Field(description="d")]], ListOf(Described(to("Point"), "d"))),
    *((annotation, Formatted(kind)) for kind, annotation in ANNOTATIONS.items()),
    (Decimal | None, Union((Formatted(FormatKind.DECIMAL), NULL))),
    (list[Decimal | str], ListOf(Union((Formatted(FormatKind.DECIMAL), STRING)))),
    (Annotated[Decimal, Field(description="d")], Described(Formatted(FormatKind.DECIMAL), "d")),
    (deque, Built(ListOf(ANY), BuiltKind.DEQUE)),
    (deque[int], Built(ListOf(INTEGER), BuiltKind.DEQUE)),
    (OrderedDict[str, int], Built(DictOf(STRING, INTEGER), BuiltKind.ORDERED_DICT)),
    (Counter[str], Built(DictOf(STRING, INTEGER), BuiltKind.COUNTER)),
    (defaultdict[str, list[int]], Built(DictOf(STRING, ListOf(INTEGER)), BuiltKind.DEFAULT_DICT, "list")),
    (Color, to("Color")),
    (Size, to("Size")),
    (Mixed, to("Mixed")),
    (Pair, to("Pair")),
    (Right, to("Right")),
    (Nothing, to("Nothing")),
    (Point, to("Point")),
    (list[Point], ListOf(to("Point"))),
    (Tree, to("Tree")),
    (Tree | None, Union((to("Tree"), NULL))),
    (Empty, to("Empty")),
    (Patch, to("Patch")),
    (Span, to("Span")),
    (AllDefaults, to("AllDefaults")),
    (tuple[Span, Patch], TupleOf((to("Span"), to("Patch")))),
    (Count, to("Count")),
    (dict[Count, Count], DictOf(to("Count"), to("Count"))),
    (Json, to("Json")),
    (Json | None, Union((to("Json"), NULL))),
]


def every_type() -> ToolSet:
    """One tool for each type, which takes and returns it."""
    tools = [tool(f"tool_{n}", parameter("p", type_), output=type_) for n, (_, type_) in enumerate(CASES)]
    return toolset(*tools, definitions=DEFINITIONS)
