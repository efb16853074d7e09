"""What is mended, what is not, and what is recorded of it."""

from __future__ import annotations

from typing import Any

import pytest
from harness import every_type
from harness.generated import decoder
from harness.tool_sets import BOOLEAN, INTEGER, NULL, NUMBER, STRING, constants, to
from lauren_compiler.ir.types import Anything, DictOf, ListOf, LiteralOf, SetOf, TupleOf, Type, Union
from lauren_runtime.decoding import ABSENT, apply_repairs
from lauren_runtime.errors import ToolInputError

NUMBERS = LiteralOf(constants(1, 2.5, True))


@pytest.mark.parametrize(
    ("type_", "value", "result"),
    [
        (INTEGER, "5", 5),
        (INTEGER, " -5\n", -5),
        (INTEGER, "5.0", 5),
        (INTEGER, "123456789012345678901.0", 123456789012345678901),
        (NUMBER, "5", 5.0),
        (NUMBER, "-1.5e3", -1500.0),
        (BOOLEAN, "true", True),
        (BOOLEAN, "False", False),
        (NUMBERS, "1", 1),
        (NUMBERS, "2.50", 2.5),
        (NUMBERS, "true", True),
        (to("Size"), "2", every_type.Size.B),
        (ListOf(INTEGER), "[1, 2]", [1, 2]),
        (ListOf(INTEGER), '["1", 2]', [1, 2]),
        (ListOf(ListOf(INTEGER)), ["[1]", [2]], [[1], [2]]),
        (DictOf(STRING, INTEGER), '{"a": "1"}', {"a": 1}),
        (DictOf(STRING, Anything()), '{"a": "1"}', {"a": "1"}),
        (TupleOf((INTEGER, STRING)), '[1, "a"]', (1, "a")),
        (to("Point"), '{"x": "1"}', every_type.Point(1)),
        (to("Point"), {"x": 1, "y": None}, every_type.Point(1)),
        (to("Patch"), {"id": "7", "note": None}, {"id": 7, "note": None}),
        (SetOf(STRING), ["a", "b", "a"], {"a", "b"}),
        (SetOf(INTEGER), [1, "1", 1.0], {1}),
        (Union((INTEGER, NULL)), "5", 5),
        (Union((INTEGER, NUMBER)), "5", 5),
        (Union((INTEGER, NUMBER)), "5.5", 5.5),
        (Union((BOOLEAN, INTEGER)), "true", True),
        (Union((ListOf(INTEGER), NULL)), ["1"], [1]),
        (Union((ListOf(INTEGER), DictOf(STRING, INTEGER))), '{"a": 1}', {"a": 1}),
        (Union((to("Point"), to("Patch"))), {"id": "1"}, {"id": 1}),
    ],
)
def test_mended(type_: Type, value: Any, result: Any) -> None:
    decode = decoder(type_)
    _, kwargs, repairs = decode({"p": value}, True)
    assert (kwargs["p"], type(kwargs["p"])) == (result, type(result))
    assert repairs
    assert decode(apply_repairs({"p": value}, repairs), False)[1] == kwargs
    with pytest.raises(ToolInputError):
        decode({"p": value}, False)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (INTEGER, "5.5"),
        (INTEGER, "0x5"),
        (INTEGER, "1_000"),
        (INTEGER, "1e2"),
        (INTEGER, ""),
        (INTEGER, "five"),
        (INTEGER, True),
        (INTEGER, "true"),
        (INTEGER, "9" * 5000),
        (NUMBER, "NaN"),
        (NUMBER, "1e999"),
        (NUMBER, "true"),
        (BOOLEAN, "1"),
        (BOOLEAN, 1),
        (BOOLEAN, "yes"),
        (STRING, 5),
        (STRING, None),
        (NUMBERS, "3"),
        (to("Color"), "RED"),
        (ListOf(INTEGER), "1, 2"),
        (ListOf(INTEGER), '{"a": 1}'),
        (ListOf(INTEGER), '"[1]"'),
        (ListOf(INTEGER), "[NaN]"),
        (ListOf(INTEGER), 5),
        (DictOf(STRING, INTEGER), '{"a": 1, "a": 1}'),
        (DictOf(STRING, Anything()), '{"a": ' + "[" * 300 + "]" * 300 + "}"),
        (to("Point"), {"x": None}),
        (SetOf(INTEGER), [1, 1.0, "x"]),
    ],
)
def test_not_mended(type_: Type, value: Any) -> None:
    with pytest.raises(ToolInputError):
        decoder(type_)({"p": value}, True)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        (Union((INTEGER, STRING)), "5"),
        (Union((ListOf(INTEGER), ListOf(STRING))), ["5"]),
        (Union((to("Point"), DictOf(STRING, STRING))), {"x": "1"}),
        (Union((ListOf(INTEGER), STRING)), "[1]"),
        (Anything(), "5"),
        (LiteralOf(constants("5", 5)), "5"),
    ],
)
def test_what_a_branch_takes_is_not_mended(type_: Type, value: Any) -> None:
    assert decoder(type_)({"p": value}, True) == ((), {"p": value}, ())


def test_what_is_recorded() -> None:
    given = {"p": {"x": "1", "y": None, "tags": '["a"]'}}
    _, kwargs, repairs = decoder(to("Point"))(given, True)
    assert [(each.path, each.before, each.after) for each in repairs] == [
        (("p", "x"), "1", 1),
        (("p", "y"), None, ABSENT),
        (("p", "tags"), '["a"]', ["a"]),
    ]
    assert kwargs == {"p": every_type.Point(1, tags=["a"])}
    assert apply_repairs(given, repairs) == {"p": {"x": 1, "tags": ["a"]}}
    assert given == {"p": {"x": "1", "y": None, "tags": '["a"]'}}


def test_a_set_is_mended_after_its_items() -> None:
    given = {"p": [1, "1", "2"]}
    _, _, repairs = decoder(SetOf(INTEGER))(given, True)
    assert apply_repairs(given, repairs) == {"p": [1, 2]}
