"""Modules of msgspec structs, drawn as source text: right ones, and some that msgspec refuses to define."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

SETUP = """
import datetime
import decimal
import enum
import uuid
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict, Union

from msgspec import UNSET, Meta, Struct, UnsetType, field

from lauren_runtime import tool


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Pair(NamedTuple):
    x: int
    y: str = "y"


class Keys(TypedDict, total=False):
    a: int
    b: list[str]
"""
TOOL = """
@tool()
def takes_{0}(p: {0}) -> None:
    'Takes it.'
"""

_TYPES: Mapping[str, tuple[str, ...]] = {
    "int": ("1", "-3"),
    "str": ("'s'", "''"),
    "float": ("0.5", "2"),
    "bool": ("True",),
    "Any": ("None", "1"),
    "list[int]": ("[]", "field(default_factory=list)"),
    "set[str]": ("set()", "field(default_factory=set)"),
    "dict[str, int]": ("{}", "field(default_factory=dict)"),
    "tuple[int, str]": ("(1, 'a')",),
    "tuple[float, ...]": ("()", "(1.5,)"),
    "frozenset[int]": ("frozenset()",),
    "Optional[int]": ("None", "3"),
    "str | int | None": ("None", "'a'"),
    "Literal['a', 'b']": ("'a'",),
    "Literal[1, 'x', None]": ("None", "1"),
    "Color": ("Color.RED",),
    "Pair": ("Pair(1)",),
    "Keys": (),
    "datetime.date": ("datetime.date(2020, 1, 2)",),
    "datetime.datetime": (),
    "uuid.UUID": (),
    "int | UnsetType": ("UNSET",),
    "Union[str, None, UnsetType]": ("UNSET", "None"),
    "Annotated[int, Meta(ge=0, lt=9, description='A digit.', examples=[1], extra_json_schema={'unit': 'cm'})]": ("5",),
    "Annotated[str, Meta(min_length=1, max_length=3, pattern='^[a-z]+$')]": ("'ab'",),
    "Annotated[list[Annotated[int, Meta(multiple_of=2, title='Even')]], Meta(max_length=2)]": ("[]",),
    "list[dict[str, float | None]]": ("[]",),
    "dict[Color, bool]": ("{}",),
    "'A | None'": ("None",),
    "'list[A]'": ("[]",),
}
"""Annotations, each with defaults that it may have."""
_NAMES = ("a", "b_two", "_c", "dD", "e_", "type", "kind")


@dataclass(frozen=True)
class Module:
    """Source of a module of structs, each of which a tool takes: the last is `A`, which `takes_A` takes."""

    source: str


@st.composite
def modules(draw: st.DrawFn) -> Module:
    """One to three structs, which derive from those before or name them."""
    count = draw(st.integers(1, 3))
    names = [*("B", "C")[: count - 1], "A"]
    classes = [draw(_class(name, names[:index])) for index, name in enumerate(names)]
    return Module("\n\n".join((SETUP, *classes, *map(TOOL.format, names))))


@st.composite
def _class(draw: st.DrawFn, name: str, before: list[str]) -> str:
    base = draw(st.sampled_from(["Struct", *before]))
    options = list(draw(st.lists(_OPTIONS, max_size=3, unique_by=lambda one: one.partition("=")[0])))
    lines = [f"class {name}({', '.join([base, *options])}):"]
    for member in draw(st.lists(st.sampled_from(_NAMES), max_size=4, unique=True)):
        lines.append(f"    {member}: {draw(_member(before))}")
    return "\n".join(lines if len(lines) > 1 else [*lines, "    pass"])


_OPTIONS = st.sampled_from(
    """
    rename='lower'|rename='upper'|rename='camel'|rename='pascal'|rename='kebab'|rename=None|rename={'a': 'A!'}|
    kw_only=True|kw_only=True|forbid_unknown_fields=True|forbid_unknown_fields=False|tag=True|tag='t'|tag=7|tag=False|
    tag=None|tag_field='kind'|array_like=True|array_like=False|omit_defaults=True|frozen=True
    """.replace("\n", "")
    .replace("    ", "")
    .split("|")
)


@st.composite
def _member(draw: st.DrawFn, before: list[str]) -> str:
    inner = [text for name in before for text in (name, f"{name} | None", f"list[{name}]")]
    annotation = draw(st.sampled_from([*_TYPES, *inner]))
    defaults = _TYPES.get(annotation, ("None",) if "None" in annotation else ())
    default = draw(st.sampled_from(["", *defaults]))
    wire = draw(st.sampled_from(["", "", "", "x!"]))
    if wire and not default.startswith("field"):
        return f"{annotation} = field({f'default={default}, ' if default else ''}name='{wire}')"
    return f"{annotation} = {default}" if default else annotation
