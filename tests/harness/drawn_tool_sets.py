"""Tool sets drawn as the IR has them; named types are those of `every_type.DEFINITIONS`."""

from __future__ import annotations

import json
from typing import TypeAlias

from hypothesis import strategies as st
from lauren_compiler.ir.codec import encode
from lauren_compiler.ir.tools import ToolSet
from lauren_compiler.ir.types import (
    Anything,
    Described,
    DictOf,
    ListOf,
    LiteralOf,
    SetOf,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)
from lauren_compiler.ir.values import Constant

from .every_type import DEFINITIONS
from .tool_sets import BOOLEAN, INTEGER, NULL, NUMBER, STRING, parameter, to, tool, toolset

Types: TypeAlias = st.SearchStrategy[Type]

_TEXTS = st.none() | st.sampled_from(["Text.", "Ünï", "a\nb", ""])
_CONSTANTS = (st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", "red", "é"])).map(Constant)
_LITERALS = st.lists(_CONSTANTS, min_size=1, max_size=4, unique_by=repr).map(lambda found: LiteralOf(tuple(found)))
_NAMED = st.sampled_from([to(definition.qualname) for definition in DEFINITIONS])
_KEYS: Types = st.one_of(
    st.sampled_from([STRING, INTEGER, Anything(), to("Color")]),
    st.lists(st.sampled_from(["a", "b", "c"]), min_size=1, unique=True).map(
        lambda words: LiteralOf(tuple(Constant(word) for word in words))
    ),
)


def _types() -> Types:
    leaves = st.sampled_from([STRING, INTEGER, NUMBER, BOOLEAN, NULL, Anything()]) | _LITERALS | _NAMED
    return st.recursive(leaves, _wrap, max_leaves=8)


def _wrap(inner: Types) -> Types:
    return st.one_of(
        st.builds(ListOf, inner),
        st.builds(SetOf, inner, st.booleans()),
        st.builds(VariadicTupleOf, inner, st.lists(inner, max_size=2).map(tuple)),
        st.builds(lambda items: TupleOf(tuple(items)), st.lists(inner, max_size=3)),
        st.builds(DictOf, _KEYS, inner),
        st.builds(Described, inner, _TEXTS, _TEXTS),
        st.lists(inner, min_size=2, max_size=4, unique_by=_identity).map(_union),
    )


def _identity(type_: Type) -> str:
    return json.dumps(encode(type_))


def _union(members: list[Type]) -> Type:
    """Flat and without equal members, as a front end makes it."""
    flat = [part for member in members for part in (member.members if isinstance(member, Union) else (member,))]
    distinct = list({_identity(part): part for part in flat}.values())
    return distinct[0] if len(distinct) == 1 else Union(tuple(distinct))


@st.composite
def tool_sets(draw: st.DrawFn) -> ToolSet:
    """One tool of one parameter, perhaps with keyword arguments and a result, and all definitions."""
    one = tool(
        "f",
        parameter("p", draw(_types()), description=draw(_TEXTS), title=draw(_TEXTS)),
        extra=draw(st.none() | _types()),
        output=draw(st.none() | _types()),
    )
    return toolset(one, definitions=DEFINITIONS)


_SCALARS = st.none() | st.booleans() | st.integers(-3, 9) | st.sampled_from([1.0, 2.5, "a", "b", "red", ""])
JSON_VALUES = st.recursive(
    _SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["a", "b", "red", "x", "y", "id", "start"]), inner, max_size=3)
    ),
    max_leaves=8,
)
"""JSON values that have a chance to be what a drawn type wants."""
