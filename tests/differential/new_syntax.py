"""Run by a Python of 3.13 or later: types in a syntax that older ones can't read, compared with pydantic.

Prints a JSON object of annotation to [ours, pydantic's] for those that differ, with `compared`, their number.
"""

from __future__ import annotations

import json
import sys
import tempfile
import types
import typing
from pathlib import Path

from harness import pydantic_oracle
from harness.compiling import compile_source

SOURCE = '''\
from dataclasses import dataclass, field
from enum import Enum, IntFlag, StrEnum, auto
from typing import NamedTuple, NotRequired, Optional, ReadOnly, Required, TypedDict, Union

from pydantic import BaseModel

from lauren_runtime import tool

type Count = int
type Json = dict[str, Json] | list[Json] | str | None
type Maybe = Point | None


class Unit(StrEnum):
    KELVIN = auto()


class Right(IntFlag):
    READ = auto()
    WRITE = auto()


@dataclass
class Point:
    """A place."""

    x: float
    unit: Unit = Unit.KELVIN
    rest: list[Json] = field(default_factory=list)


class Patch(TypedDict, total=False):
    """A change."""

    id: Required[int]
    note: str | None


class Filter(TypedDict):
    field: str
    negate: NotRequired[bool]


class Range(NamedTuple):
    start: int
    end: Optional[int] = None


type Pair[T] = tuple[T, T]
type Tree[T] = T | list[Tree[T]]
type Keyed[K: (int, str), V = bool] = dict[K, list[V]]


@dataclass
class Box[T]:
    item: T
    others: "list[Box[T]]" = field(default_factory=list)


class Page[T: Point](BaseModel):
    items: list[T]
    note: Maybe = None


class Row[T = str](TypedDict):
    cell: T


class Both[A, B](NamedTuple):
    a: A
    b: B


@dataclass
class Texts(Box[str]):
    more: int = 0


class Points(Page[Point]):
    total: int
'''
ANNOTATIONS = [
    "Count", "Json", "Maybe", "list[Maybe]", "dict[str, Count]", "Count | None", "Union[Json, Point]", "Unit", "Right",
    "Point", "Patch", "Filter", "list[Filter]", "Range", "tuple[Range, Patch | None]",
    "Pair[int]", "Pair[Point]", "Tree[int]", "list[Tree[str]]", "Keyed[str, int]", "Keyed[int]", "Box[int]",
    "Box[Pair[int]]", "Page[Point]", "Page", "Row[int]", "Row", "Both[int, str]", "Points", "dict[str, Box[Row[int]]]",
]  # fmt: skip


def main() -> None:
    tools = "\n".join(
        f"@tool()\ndef f{number}(p: {one}):\n    '''Does it.'''\n" for number, one in enumerate(ANNOTATIONS)
    )
    source = f"{SOURCE}\n\n{tools}"
    with tempfile.TemporaryDirectory() as folder:
        build = compile_source(source, Path(folder))
    assert not build.errors, build.messages
    module = types.ModuleType("shop")
    sys.modules["shop"] = module
    exec(compile(source, "shop", "exec", dont_inherit=True), vars(module))
    different: dict[str, object] = {"compared": len(ANNOTATIONS)}
    for number, one in enumerate(ANNOTATIONS):
        ours = dict(build.tools[f"f{number}"]["input_schema"])
        del ours["additionalProperties"]
        hint = typing.get_type_hints(getattr(module, f"f{number}"), include_extras=True)["p"]
        theirs = pydantic_oracle.model_schema({"p": (hint, ...)})
        if pydantic_oracle.comparable(ours) != pydantic_oracle.comparable(theirs):
            different[one] = [ours, theirs]
    json.dump(different, sys.stdout)


main()
