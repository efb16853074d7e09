"""JSON forms of constants, and that what has none is an error rather than a guess."""

from __future__ import annotations

import math

import pytest
from harness.tool_sets import constants
from lauren_compiler.ir.values import Constant, Construction, EnumMember, Sequence, Value
from lauren_compiler.schema.constants import NotJson, json_of


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Constant(b"\xc3\xa9"), "é"),
        (Constant("\ud800"), "\ud800"),
        (EnumMember("m:E", "A", Constant(1)), 1),
        (EnumMember("m:E", "A", Constant(b"x")), "x"),
        (Sequence("tuple", constants(1, None)), [1, None]),
    ],
)
def test_json_of(value: Value, expected: object) -> None:
    assert json_of(value, {}) == expected


@pytest.mark.parametrize(
    "value",
    [
        Constant(math.nan),
        Constant(-math.inf),
        Constant(b"\xff"),
        Construction("m:P", ()),
        Sequence("list", constants(math.inf)),
    ],
)
def test_what_has_no_json_form(value: Value) -> None:
    with pytest.raises(NotJson):
        json_of(value, {})
