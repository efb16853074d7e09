"""Type variables, generic classes and generic aliases: schemas and decoded values equal pydantic's."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from harness import pydantic_oracle
from harness.compiled_module import Compiled
from harness.compiling import compile_source
from harness.running import running
from pydantic import BaseModel, TypeAdapter

SOURCE = '''\
from __future__ import annotations

import datetime
import decimal
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, AnyStr, Generic, List, Literal, NamedTuple, Optional, Tuple, Union

import typing_extensions
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import Self, TypeAliasType, TypedDict, TypeVar

from lauren_runtime import tool

T = TypeVar("T")
U = TypeVar("U")
Number = TypeVar("Number", int, float)
WithDefault = TypeVar("WithDefault", default=str)
After = TypeVar("After", default=list[WithDefault])


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Base:
    x: int


Bound = TypeVar("Bound", bound=Base)


@dataclass
class Box(Generic[T]):
    """A box."""

    item: T
    others: list[T] = field(default_factory=list)


@dataclass
class Node(Generic[T]):
    value: T
    children: list[Node[T]] = field(default_factory=list)


@dataclass
class Both(Generic[T, U]):
    left: T
    right: Optional[U] = None
    swapped: Optional[Both[U, T]] = None


class Page(BaseModel, Generic[T]):
    """A page."""

    items: List[T]
    number: int = 1
    note: Annotated[Optional[T], Field(description="A note.")] = None


class Keyed(BaseModel, Generic[T, WithDefault, After]):
    model_config = ConfigDict(extra="forbid")
    key: T
    value: WithDefault
    rest: After


class Colors(Page[Color]):
    extra: int


class More(Page[Box[T]], Generic[T, U]):
    other: U


class Limited(BaseModel, Generic[Bound]):
    one: Bound


class Numbers(BaseModel, Generic[Number]):
    one: Number


class Row(TypedDict, Generic[T]):
    id: int
    cell: T


class Pair(NamedTuple, Generic[T]):
    first: T
    second: int = 0


class Linked(BaseModel):
    value: int
    next: Optional[Self] = None


class Longer(Linked):
    more: str = ""


class Bounded(BaseModel, Generic[T]):
    inside: Annotated[List[T], Field(max_length=2)]


@dataclass
class Loose(Generic[T]):
    """Unions with `Any`, in which a variable is put in place by pydantic or, in an alias, by Python."""

    one: Any | T
    none: Optional[T]
    deep: dict[str, Union[list[T], Any, None]]
    known: Any | int
    plain: LooseAlias[T]
    named: LooseNamed[T]
    other: object | T


LooseAlias = Union[Any, T]
LooseNamed = TypeAliasType("LooseNamed", Union[Any, T], type_params=(T,))
Twice = Tuple[T, T]
Maybe = Optional[T]
Mapping = dict[str, Union[T, U]]
Positive = Annotated[T, Field(gt=0)]
Named = TypeAliasType("Named", List[T], type_params=(T,))
Nested = Box[Maybe[T]]
'''
ANNOTATIONS = """
Box[int]
Box
Box[Any]
Box[Box[str]]
Box[Color] | Box[Literal['a']]
Box[Optional[int]]
Box[Base]
Node[int]
Both[int, str]
Page[int]
Page
Page[Box[int]]
Page[Page[str]]
Page[Color]
Page[datetime.date]
Page[Annotated[int, Field(gt=3)]]
Page[Union[int, str, None]]
Page[tuple[int, ...]]
Page[Row[int]]
Page[Pair[str]]
Keyed[int]
Keyed[int, bool]
Keyed[int, bool, None]
Keyed
Colors
More[int, str]
More
Limited
Limited[Base]
Numbers
Numbers[int]
Row[int]
Row[List[Color]]
Row
Pair[int]
Pair
Linked
Longer
Bounded[int]
Twice[int]
Twice
Maybe[Color]
Mapping[int, str]
Mapping
Positive[int]
List[Positive[float]]
Named[int]
List[Named[Color]]
Nested[int]
Loose
Loose[int]
Loose[Any]
Union[set[str], Any, list[Box[bytes]]]
Optional[Union[Any, Node[bytes]]]
LooseAlias[int]
LooseNamed[int]
T
Bound
Number
WithDefault
List[T]
AnyStr
dict[str, Page[int]]
"""
NAMES = ANNOTATIONS.strip().splitlines()
VALUES = {
    "Box[int]": {"item": 1, "others": [2]},
    "Box[Box[str]]": {"item": {"item": "x"}},
    "Node[int]": {"value": 1, "children": [{"value": 2}]},
    "Both[int, str]": {"left": 1, "right": "a", "swapped": {"left": "b", "right": 3}},
    "Page[datetime.date]": {"items": ["2020-01-02"], "note": "2021-01-02"},
    "Page[Box[int]]": {"items": [{"item": 3}], "note": {"item": 4, "others": [5]}},
    "Page[Color]": {"items": ["red"]},
    "Page[Annotated[int, Field(gt=3)]]": {"items": [4]},
    "Page[Union[int, str, None]]": {"items": [4, "x", None]},
    "Page[tuple[int, ...]]": {"items": [[1, 2], []]},
    "Page[Row[int]]": {"items": [{"id": 1, "cell": 2}]},
    "Page[Pair[str]]": {"items": [["a"], ["b", 2]]},
    "Page": {"items": [1, "a"], "note": {"x": 1}},
    "Keyed[int]": {"key": 1, "value": "a", "rest": ["b"]},
    "Keyed[int, bool]": {"key": 1, "value": True, "rest": [False]},
    "Colors": {"items": ["red"], "extra": 1},
    "More[int, str]": {"items": [{"item": 1}], "other": "x"},
    "Limited[Base]": {"one": {"x": 1}},
    "Numbers[int]": {"one": 3},
    "Row[List[Color]]": {"id": 1, "cell": ["blue"]},
    "Pair[int]": [1, 2],
    "Longer": {"value": 1, "next": {"value": 2, "next": None, "more": "x"}},
    "Bounded[int]": {"inside": [1, 2]},
    "Twice[int]": [1, 2],
    "dict[str, Page[int]]": {"a": {"items": [1]}},
}


def _tools() -> str:
    return "\n".join(
        f"@tool()\ndef f{number}(p: {one}) -> None:\n    '''Does it.'''\n" for number, one in enumerate(NAMES)
    )


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    return Compiled(f"{SOURCE}\n\n{_tools()}", tmp_path_factory.mktemp("generics"))


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    build = compile_source(f"{SOURCE}\n\n{_tools()}", tmp_path_factory.mktemp("generics"), "generics")
    assert not build.errors, build.messages
    return {one: build.tools[f"f{number}"]["input_schema"] for number, one in enumerate(NAMES)}


@pytest.mark.parametrize("annotation", NAMES)
def test_the_schema_is_pydantics(annotation: str, schemas: dict[str, Any]) -> None:
    ours = dict(schemas[annotation])
    assert ours.pop("additionalProperties") is False
    with running(SOURCE) as module:
        theirs = pydantic_oracle.model_schema({"p": (eval(annotation, vars(module)), ...)})
    assert json.loads(pydantic_oracle.comparable(ours)) == json.loads(pydantic_oracle.comparable(theirs))


@pytest.mark.parametrize("annotation", VALUES)
def test_a_value_is_decoded_as_pydantic_does(annotation: str, compiled: Compiled) -> None:
    theirs = TypeAdapter(eval(annotation, vars(compiled.module))).validate_json(json.dumps(VALUES[annotation]))
    ours = compiled.value(VALUES[annotation], tool=f"f{NAMES.index(annotation)}")
    # Models of `Annotated` arguments are never the same class twice.
    assert (type(ours).__qualname__, dumped(ours)) == (type(theirs).__qualname__, dumped(theirs))


def dumped(value: Any) -> Any:
    """Objects as plain data, with their types' names."""
    if isinstance(value, BaseModel):
        return (type(value).__qualname__, {name: dumped(part) for name, part in value})
    if dataclasses.is_dataclass(value):
        return (type(value), {each.name: dumped(getattr(value, each.name)) for each in dataclasses.fields(value)})
    if isinstance(value, (list, tuple)):
        return (type(value), [dumped(part) for part in value])
    return {key: dumped(part) for key, part in value.items()} if isinstance(value, dict) else (type(value), value)
