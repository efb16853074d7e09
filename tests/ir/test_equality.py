"""What is equal in a tool set is written alike, for what is made of one is used for the other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness.generated import module
from harness.tool_sets import INTEGER, NUMBER, parameter, tool, toolset
from hypothesis import given
from hypothesis import strategies as st
from lauren_compiler.ir.types import Bounded, Bounds, ListOf, LiteralOf, Type
from lauren_compiler.ir.values import Constant, Mapping, Sequence, key_of
from lauren_compiler.schema.json_schema import Schemas
from lauren_runtime.errors import ToolInputError

NUMBERS = st.one_of(
    st.sampled_from([0, 0.0, -0.0, 1, 1.0, True, False, 2**53, 2.0**53]), st.integers(), st.floats(allow_nan=False)
)


@given(NUMBERS, NUMBERS)
def test_numbers_are_equal_if_they_are_written_alike(left: float, right: float) -> None:
    alike = (type(left), repr(left)) == (type(right), repr(right))
    assert (Constant(left) == Constant(right)) is alike
    assert (Bounds(ge=left) == Bounds(ge=right)) is alike
    assert (Bounds(ge=left) != Bounds(ge=right)) is not alike
    assert not alike or hash(Bounds(ge=left)) == hash(Bounds(ge=right))


@given(st.lists(st.tuples(NUMBERS, st.text(max_size=2))))
def test_keys_are_those_of_pythons_dict(pairs: list[tuple[float, str]]) -> None:
    made = Mapping(tuple((Constant(key), Constant(value)) for key, value in pairs))
    expected = [(Constant(key), Constant(value)) for key, value in dict(pairs).items()]
    assert list(made.items) == expected


@given(st.lists(st.one_of(NUMBERS, st.sampled_from(["", "1", b"1", None]))))
def test_items_are_those_of_pythons_set(items: list[Any]) -> None:
    assert list(Sequence("set", tuple(map(Constant, items))).items) == list(map(Constant, dict.fromkeys(items)))
    assert len(Sequence("list", tuple(map(Constant, items))).items) == len(items)


@given(st.tuples(NUMBERS, NUMBERS), st.tuples(NUMBERS, NUMBERS))
def test_tuples_are_keys_too(left: tuple[float, float], right: tuple[float, float]) -> None:
    one, other = (key_of(Sequence("tuple", tuple(map(Constant, each)))) for each in (left, right))
    assert (one == other) is (left == right)


PAIRS: list[tuple[Type, Type, Any]] = [
    (Bounded(NUMBER, Bounds(multiple_of=2)), Bounded(NUMBER, Bounds(multiple_of=2.0)), 2**70 + 1),
    (Bounded(INTEGER, Bounds(ge=1)), Bounded(INTEGER, Bounds(ge=1.0)), 0),
    (Bounded(NUMBER, Bounds(gt=0.0)), Bounded(NUMBER, Bounds(gt=-0.0)), 0),
    (LiteralOf((Constant(1),)), LiteralOf((Constant(True),)), 1),
    (LiteralOf((Constant(0), Constant("a"))), LiteralOf((Constant(False), Constant("a"))), False),
]


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(("first", "second", "value"), PAIRS)
def test_types_that_python_holds_equal_share_nothing(
    first: Type, second: Type, value: Any, nested: bool, turned: bool
) -> None:
    pair = (second, first) if turned else (first, second)
    types = [ListOf(each) if nested else each for each in pair]
    tools = [tool(name, parameter("p", each)) for name, each in zip("fg", types, strict=True)]
    together, given = toolset(*tools), {"p": [value] if nested else value}
    schemas = Schemas(together)
    for each in tools:
        alone = toolset(each)
        assert told(module(together)[each.name], given) == told(module(alone)[each.name], given)
        assert json.dumps(schemas.of_arguments(each)) == json.dumps(Schemas(alone).of_arguments(each))
    assert told(module(together)["f"], given) != told(module(together)["g"], given)


def told(decode: Any, arguments: Any) -> Any:
    try:
        return repr(decode(arguments, False))
    except ToolInputError as error:
        return str(error)
