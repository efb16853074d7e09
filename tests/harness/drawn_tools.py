"""Modules of tools, drawn by hypothesis: types of all kinds, in all spellings that change when they are evaluated."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

HEAD = """
import collections.abc
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import Enum, IntEnum
from pathlib import Path
from typing import (
    TYPE_CHECKING, Annotated, Any, ClassVar, Dict, Generic, List, Literal, NamedTuple, NewType, Optional, Tuple,
    TypedDict, TypeVar, Union,
)
from typing_extensions import NotRequired
from uuid import UUID
from annotated_types import Ge, MaxLen
from pydantic import BaseModel, Field
from lauren_ai import ToolContext, set_metadata, tool
if TYPE_CHECKING:
    from decimal import Decimal as Money

T = TypeVar("T")

class Color(Enum):
    RED = "red"
    BLUE = "blue"

class Level(IntEnum):
    LOW = 1
    HIGH = 2

UserId = NewType("UserId", int)
Name = NewType("Name", str)
Names = List["Color"]
Pair = Tuple[T, T]
Count = Annotated[int, Ge(1)]

class Part(BaseModel):
    count: int
    text: str = ""

class Whole(BaseModel):
    part: Part

class NumberContext:
    pass
"""
LATER = """
@dataclass
class Later:
    name: str
"""
_NAMES = (
    *("str", "int", "float", "bool", "Any", "object", "bytes", "list", "dict", "tuple", "List", "Dict", "Tuple"),
    *("date", "UUID", "Path", "Color", "Level", "UserId", "Name", "Names", "Count", "Part", "Whole"),
    *("Literal['a', 'b']", "Literal[1]", "Literal[True, 'x']", "Literal[Color.RED]", "Literal[Level.LOW]", "Pair[int]"),
    *("collections.abc.Sequence", "Mapping[str, int]", "Sequence[str]", "set[int]", "None"),
)
_ALIKE = (
    *("str", "int", "float", "bool", "Any", "list", "list[str]", "List[int]", "dict[str, float]", "Part", "Name"),
    *("Literal['a', 'b']", "tuple[int, ...]", "Union[int, str]", "int | str", "list[Part]", "List['Name']"),
)
"""Types that lauren-ai shows as the build does."""
_OWN = ("Data", "Derived", "Dict1", "Row")
_MISSING = ("Money", "Later")
_DEFAULTS = (
    "None",
    "1",
    "'a'",
    "[]",
    "()",
    "(1, 'a')",
    "True",
    "Color.RED",
    "Level.LOW",
    "1.5",
    "{'a': [1]}",
    "frozenset()",
    "Field(3)",
    "Field(1, description='One.')",
)
_RECEIVERS = (
    (("self",), ""),
    (("self",), ""),
    (("this",), ""),
    (("cls",), "    @classmethod\n"),
    (("kind",), "    @classmethod\n"),
    ((), "    @staticmethod\n"),
)
_DOCSTRINGS = (
    "Does it.",
    "Does it.\n\n    Well.\n    ",
    "Does it.\n    And more.\n\n    Args:\n        a: The first.\n        b: The second,\n            of two.\n    ",
    "Does it.\n    Args:\n        a: The first.\n    ",
    "Does it.\n\n    Parameters:\n        a (int): One.\n        b: Other: this.\n\n    Returns:\n        c: No.\n    ",
    "Does it.\n\n    :param a: The first.\n    ",
    "Does it.\n\n    Parameters\n    ----------\n    a : int\n        The first.\n    ",
    "Does it.\n\n    Args:\n        a: One.\n\n        b: Two.\n\n    Example:\n\n        f()\n    ",
)


@dataclass(frozen=True)
class Settings:
    """`future` import; whether names that are `missing` when the decorator runs may be drawn, and what is text."""

    future: bool
    missing: bool


@st.composite
def annotations(draw: st.DrawFn, settings: Settings, *, own: tuple[str, ...] = _OWN, depth: int = 3) -> str:
    """The source of an annotation."""
    found = _annotation(draw, settings, own, depth)
    if not settings.future and any(name in found for name in _MISSING) and not found.startswith('"'):
        found = f'"{found}"' if '"' not in found else "int"
    elif draw(st.integers(0, 7)) == 0 and '"' not in found:
        found = f'"{found}"'
    return found


def _annotation(draw: st.DrawFn, settings: Settings, own: tuple[str, ...], depth: int) -> str:
    names = (*_NAMES, *own, *(_MISSING if settings.missing else ()))
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from(names))

    def inner() -> str:
        return _annotation(draw, settings, own, depth - 1)

    form = draw(st.integers(0, 9))
    if form == 0:
        return f"list[{inner()}]"
    if form == 1:
        return f"Optional[{inner()}]"
    if form == 2:
        return f"Union[{inner()}, {inner()}]"
    if form == 3:
        return f"dict[{draw(st.sampled_from(['str', 'int', 'Level', 'date', 'Any']))}, {inner()}]"
    if form == 4:
        return f"tuple[{inner()}, ...]"
    if form == 5:
        return f"Tuple[{inner()}, {inner()}]"
    if form == 6:
        return f"Annotated[{inner()}, {draw(st.sampled_from(['Ge', 'str', '3']))}]"
    if form == 7:
        return f"List[{inner()}]"
    name = inner()
    return f"{name} | None" if name not in ("None", "Any") and '"' not in name else f"Optional[{name}]"


@st.composite
def modules(draw: st.DrawFn) -> str:
    """A module with classes and tools."""
    settings = Settings(draw(st.booleans()), draw(st.booleans()))
    plain = Settings(settings.future, False)
    lines = ["from __future__ import annotations"] if settings.future else []
    lines.append(HEAD)
    for name in _OWN:
        lines.append(_class(draw, name, plain))
    for number in range(draw(st.integers(1, 3))):
        lines.append(_tool(draw, number, settings))
    return "\n".join([*lines, LATER])


def _class(draw: st.DrawFn, name: str, settings: Settings) -> str:
    before = _OWN[: _OWN.index(name)]
    head = {
        "Data": "@dataclass\nclass Data:",
        "Derived": "@dataclass\nclass Derived(Data):",
        "Dict1": "class Dict1(TypedDict):",
        "Row": "class Row(NamedTuple):",
    }[name]
    lines = [head]
    if draw(st.integers(0, 3)) == 0:
        lines.append('    """One of them."""')
    for number in range(draw(st.integers(1, 3))):
        annotation = draw(annotations(settings, own=before, depth=1))
        lines.append(f"    {name.lower()}_{number}: {annotation}")
    if name in ("Data", "Row") and draw(st.booleans()):
        lines[-1] += " = None"
    if name == "Derived":
        lines[1:] = [f"{line} = None" if ": " in line else line for line in lines[1:]]
    if name == "Data" and draw(st.booleans()):
        lines.append("    made: ClassVar[int] = 3")
    return "\n".join(lines) + "\n"


def _tool(draw: st.DrawFn, number: int, settings: Settings) -> str:
    drawn = st.sampled_from(_ALIKE) if draw(st.booleans()) else annotations(settings)
    parameters = [f"{name}: {draw(drawn)}" for name in "abc"[: draw(st.integers(1, 3))]]
    count = max(0, draw(st.integers(-2, len(parameters))))
    values = [draw(st.sampled_from(_DEFAULTS)) for _ in range(count)]
    for index, value in enumerate(values, len(parameters) - count):
        parameters[index] += f" = {value}"
    if draw(st.integers(0, 3)) == 0:
        context = draw(st.sampled_from(["ToolContext", "Optional[ToolContext]", '"ToolContext"', "ToolContext | None"]))
        parameters.append(f"ctx: {context} = None")
    if draw(st.integers(0, 5)) == 0:
        parameters.append("_hidden: int = 0")
    if draw(st.integers(0, 7)) == 0:
        parameters.insert(draw(st.integers(1, len(parameters))), draw(st.sampled_from(["/", "*"])))
        if parameters[-1] == "*":
            parameters.pop()
    if draw(st.integers(0, 9)) == 0:
        parameters.append(f"**more: {draw(drawn)}")
    returns = draw(st.sampled_from(["str", "str", "None", "Money" if settings.future and settings.missing else "int"]))
    docstring = draw(st.sampled_from(_DOCSTRINGS))
    if draw(st.integers(0, 3)):
        return f'@tool()\ndef f{number}({", ".join(parameters)}) -> {returns}:\n    """{docstring}"""\n'
    own = f'    """{draw(st.sampled_from(_DOCSTRINGS))}"""\n' if draw(st.booleans()) else ""
    receiver, before = draw(st.sampled_from(_RECEIVERS))
    run = f'{before}    def run({", ".join([*receiver, *parameters])}) -> {returns}:\n        """{docstring}"""\n'
    if draw(st.integers(0, 4)) == 0:
        return f"class Base{number}:\n{own}{run}\n@tool()\nclass F{number}(Base{number}):\n    pass\n"
    return f"@tool()\nclass F{number}:\n{own}{run}"
