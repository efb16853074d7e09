"""The quick and the complete path say the same; what was repaired decodes as it stands."""

from __future__ import annotations

from typing import Any

from harness.generated import module, one_tool
from harness.ir_strategies import Both, typed_values
from harness.verdicts import MANY, REFUSED, accepted, same
from hypothesis import given
from lauren_runtime.decoding import apply_repairs, complete
from lauren_runtime.errors import ToolInputError


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
    whole = outcome(complete, names["_check_f"], {"p": value}, False)
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
