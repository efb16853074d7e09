"""The quick and the complete path say the same; what was repaired decodes as it stands."""

from __future__ import annotations

from typing import Any, NotRequired

import pytest
from harness.generated import module, one_tool
from harness.ir_strategies import Both, typed_values
from harness.tool_sets import INTEGER, dataclass, field, parameter, to, tool, toolset
from harness.verdicts import MANY, REFUSED, accepted, same
from hypothesis import given
from lauren_compiler.ir.types import ObjectKind
from lauren_runtime.decoding import apply_repairs, complete
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
