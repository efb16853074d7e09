"""The quick and the complete path say the same; what was repaired decodes as it stands."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NotRequired

import pytest
from harness.generated import module, one_tool
from harness.ir_strategies import Both, typed_values
from harness.tool_sets import INTEGER, NUMBER, dataclass, field, parameter, to, tool, toolset
from harness.verdicts import MANY, REFUSED, accepted, same
from hypothesis import given
from hypothesis import strategies as st
from lauren_compiler.ir.types import ObjectKind
from lauren_runtime.decoding import Decoder, apply_repairs, complete
from lauren_runtime.decoding.quick import DOUBTS, Doubt, reals, record_of_reals, texts
from lauren_runtime.errors import ToolInputError
from pydantic import TypeAdapter
from typing_extensions import TypedDict

# Of `re`, and of pydantic where it takes `false` for an address: they are no faults of a decoder.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")


def outcome(decode: Any, *arguments: Any) -> Any:
    try:
        return decode(*arguments)
    except ToolInputError as error:
        return [each.message for each in error.errors]


@MANY
@given(typed_values())
def test_quick_and_complete(drawn: tuple[Both, Any]) -> None:
    both, value = drawn
    names = module(one_tool(both.type))
    ours = outcome(names["f"], {"p": value}, False)
    whole = outcome(complete, names["check_f"], {"p": value}, False)
    if isinstance(ours, tuple):
        assert same(ours[1], whole[1])
    else:
        assert ours == whole


@MANY
@given(typed_values())
def test_repaired_arguments_fit(drawn: tuple[Both, Any]) -> None:
    both, value = drawn
    decode = module(one_tool(both.type))["f"]
    found = outcome(decode, {"p": value}, True)
    if not isinstance(found, tuple):
        assert not accepted(both.type, value)
        return
    _, kwargs, repairs = found
    assert bool(repairs) != accepted(both.type, value)
    mended = apply_repairs({"p": value}, repairs)
    assert accepted(both.type, mended["p"])
    again = outcome(decode, mended, False)
    assert again is not REFUSED
    assert same(again[1], kwargs)


@pytest.mark.parametrize("value", [{"c": 3, "b": 2}, {"d": 4, "c": 3, "b": 2, "a": 1}, {"b": "2", "a": 1}, {"b": 1}])
def test_keys_of_a_typed_dict_stand_as_declared(value: dict[str, Any]) -> None:
    """As pydantic has them, whichever path decodes and in whatever order they came."""
    fields = [field("a", INTEGER, None), field("b", INTEGER), field("c", INTEGER, None), field("d", INTEGER, None)]
    made = dataclass("D", *fields, kind=ObjectKind.TYPED_DICT)
    names = module(toolset(tool("f", parameter("p", to("D"))), definitions=[made]))
    model = TypeAdapter(TypedDict("D", {"a": NotRequired[int], "b": int, "c": NotRequired[int], "d": NotRequired[int]}))
    expected = list(model.validate_python(value))
    found = outcome(names["f"], {"p": value}, True)
    assert list(found[1]["p"]) == expected
    again = apply_repairs({"p": value}, found[2])
    for decoded in (outcome(names["f"], again, False), outcome(complete, names["check_f"], again, False)):
        assert list(decoded[1]["p"]) == expected


def lengthened(value: Any, longs: Iterator[int]) -> Any:
    """The value with longer integers for its numbers."""
    if isinstance(value, dict):
        return {key: lengthened(item, longs) for key, item in value.items()}
    if isinstance(value, list):
        return [lengthened(item, longs) for item in value]
    return next(longs) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def in_64_bits(value: Any) -> Any:
    """The value as a parser of 64 bits gives it: longer integers are floats."""
    if isinstance(value, dict):
        return {key: in_64_bits(item) for key, item in value.items()}
    if isinstance(value, list):
        return [in_64_bits(item) for item in value]
    return float(value) if type(value) is int and not -(2**63) <= value < 2**64 else value


LONG = st.integers(-(2**80), 2**80) | st.sampled_from([2**63, 2**64, 2**64 + 1, -(2**63), -(2**63) - 1, 10**30])


@MANY
@given(typed_values(), st.lists(LONG, min_size=1))
def test_the_quick_path_is_right_about_integers_that_came_as_floats(drawn: tuple[Both, Any], longs: list[int]) -> None:
    """It may doubt them, but what it takes is what the complete path makes of the integers."""
    both, value = drawn
    value = lengthened(value, itertools.cycle(longs))
    names = module(one_tool(both.type))
    try:
        quick = names["f"].quick or doubtful
        found = quick({"p": in_64_bits(value)}, lambda **keywords: keywords)
    except DOUBTS:
        return
    _, expected, repairs = complete(names["check_f"], {"p": value}, False)
    assert not repairs
    assert same(found, expected)


@pytest.mark.parametrize("wrong", [1, None, True, b"a", ["a"], 3j], ids=repr)
@pytest.mark.parametrize("around", [[], [""], ["a"], ["", "ä", "x" * 99]])
def test_an_array_of_texts_is_looked_through(around: list[str], wrong: object) -> None:
    assert texts(around) is around
    for index in range(len(around) + 1):
        with pytest.raises(TypeError):
            texts([*around[:index], wrong, *around[index:]])


@pytest.mark.parametrize("wrong", [float("nan"), float("inf"), float("-inf"), "1", None, True, [1.0]], ids=repr)
def test_numbers_are_looked_through(wrong: object) -> None:
    right = [1.5, -0.0, 1e308, 5e-324]
    assert reals(right) is right
    assert record_of_reals(named := dict(zip("abcd", right, strict=True))) is named
    assert same(reals([*right, 1]), [*right, 1.0])
    assert same(record_of_reals({"a": 1, "b": 2.5}), {"a": 1.0, "b": 2.5})
    for index in range(len(right) + 1):
        for mixed in ([*right[:index], wrong, *right[index:]], [1, *right[:index], wrong, *right[index:]]):
            with pytest.raises(DOUBTS):
                reals(mixed)
            with pytest.raises(DOUBTS):
                record_of_reals({str(key): item for key, item in enumerate(mixed)})


def doubtful(*_: object) -> Any:
    raise Doubt


def test_tools_that_are_called_like_the_functions_of_others() -> None:
    tools = toolset(tool("f", parameter("p", INTEGER)), tool("check_f", parameter("p", to("Point"))), definitions=POINT)
    names = module(tools)
    decoders = {name: decode for name, decode in names.items() if isinstance(decode, Decoder)}
    assert sorted(decoders) == ["check_f", "f_2"]
    assert decoders["f_2"]({"p": 1}, False)[1] == {"p": 1}
    with pytest.raises(ToolInputError):
        decoders["check_f"]({"p": 1}, False)


POINT = [dataclass("Point", field("x", NUMBER), field("y", NUMBER))]
