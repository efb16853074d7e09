"""What is no JSON, or too much of it, is an argument error, on both paths and under every type."""

from __future__ import annotations

import datetime
import math
import sys
from pathlib import Path
from typing import Any

import pytest
from harness.compiled_module import Compiled
from harness.generated import decoder, module, one_tool
from harness.tool_sets import BOOLEAN, INTEGER, NULL, NUMBER, STRING, constants, to
from lauren_compiler.ir.types import Anything, DictOf, ListOf, LiteralOf, SetOf, TupleOf, Type, Union, VariadicTupleOf
from lauren_runtime.decoding import MAX_DEPTH, complete, is_json
from lauren_runtime.decoding.bounds import MAX_DIGITS
from lauren_runtime.errors import ToolInputError

ANY = Anything()
ENDLESS: list[Any] = []
ENDLESS += [ENDLESS, ENDLESS]
KNOT: dict[str, Any] = {}
KNOT["k"] = [KNOT, KNOT]

TYPES: list[Type] = [
    ANY,
    ListOf(ANY),
    ListOf(INTEGER),
    ListOf(NUMBER),
    ListOf(STRING),
    ListOf(BOOLEAN),
    SetOf(STRING),
    SetOf(ANY),
    VariadicTupleOf(ANY),
    TupleOf((ANY, ANY)),
    DictOf(STRING, ANY),
    DictOf(STRING, INTEGER),
    DictOf(STRING, NUMBER),
    DictOf(ANY, ListOf(ANY)),
    Union((INTEGER, STRING)),
    Union((ANY, NULL)),
    Union((ListOf(NUMBER), DictOf(STRING, NUMBER))),
    LiteralOf(constants(1, 2.5, "a")),
    INTEGER,
    NUMBER,
    STRING,
    to("Point"),
    to("Tree"),
    to("Json"),
    to("Patch"),
    to("Span"),
    to("Size"),
]

FOREIGN: list[Any] = [
    math.nan,
    math.inf,
    -math.inf,
    10**4300,
    -(10**4300),
    (1, 2),
    {1, 2},
    b"a",
    datetime.date(2026, 1, 1),
    object(),
    {1: 2},
    {None: 1},
    ENDLESS,
    KNOT,
]


def outcome(decode: Any, *arguments: Any) -> Any:
    try:
        return decode(*arguments)
    except ToolInputError as error:
        return [each.message for each in error.errors]


@pytest.mark.parametrize("type_", TYPES, ids=lambda value: str(value)[:50])
def test_what_json_has_not(type_: Type) -> None:
    names = module(one_tool(type_))
    for bad in FOREIGN:
        for value in (bad, [bad], {"a": bad}, [0, [bad]], {"x": 1, "zz": bad}, {"id": 1, "note": bad}):
            for repair in (False, True):
                quick = outcome(names["f"], {"p": value}, repair)
                assert isinstance(quick, list), (value, quick)
                assert quick == outcome(complete, names["check_f"], {"p": value}, repair)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("wrap", [lambda value: value, lambda value: [value], lambda value: {"k": value}])
def test_depth(wrap: Any) -> None:
    decode = decoder(ANY)
    inner = MAX_DEPTH - 1 - (wrap(1) != 1)
    assert decode({"p": wrap(nested(inner))}, False)[1]
    with pytest.raises(ToolInputError, match="256 levels"):
        decode({"p": wrap(nested(inner + 1))}, False)


def test_depth_of_a_recursive_type() -> None:
    deep: Any = {}
    for _ in range(MAX_DEPTH - 2):
        deep = {"left": deep}
    names = module(one_tool(to("Tree")))
    assert names["f"]({"p": deep}, False)
    assert complete(names["check_f"], {"p": deep}, False)
    with pytest.raises(ToolInputError, match="256 levels"):
        names["f"]({"p": {"left": deep}}, False)


def test_depth_of_a_recursive_union() -> None:
    deep: Any = "x"
    for _ in range(MAX_DEPTH - 1):
        deep = [deep]
    names = module(one_tool(to("Json")))
    assert names["f"]({"p": deep}, False)
    assert complete(names["check_f"], {"p": deep}, False)


def test_the_longest_integer() -> None:
    longest = 10**4300 - 1
    for type_ in (INTEGER, ANY, ListOf(INTEGER), Union((INTEGER, NULL))):
        value: Any = [-longest, longest] if isinstance(type_, ListOf) else longest
        assert decoder(type_)({"p": value}, False)[1] == {"p": value}


def test_subclasses_count_as_their_base() -> None:
    class Words(dict[str, Any]):
        pass

    class Word(str):
        __slots__ = ()

    class Row(list[Any]):
        pass

    given = Words(p=Words(x=1, tags=Row([Word("a")])))
    assert decoder(to("Point"))(given, False)[1] == decoder(to("Point"))({"p": {"x": 1, "tags": ["a"]}}, False)[1]


def test_is_json_depth() -> None:
    assert is_json(nested(MAX_DEPTH))
    assert not is_json(nested(MAX_DEPTH + 1))
    assert not is_json(ENDLESS)


@pytest.mark.parametrize("kind", ["Decimal", "Fraction"])
def test_the_longest_integer_where_text_may_be_longer(tmp_path: Path, kind: str) -> None:
    head = "from decimal import *\nfrom fractions import *\nfrom lauren_runtime import tool\n"
    compiled = Compiled(f"{head}\n@tool()\ndef f(p: {kind}):\n    '''Take it.'''\n", tmp_path)
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert compiled.value(10**MAX_DIGITS - 1) == 10**MAX_DIGITS - 1
        assert "at most 4,300 digits" in compiled.messages(10**MAX_DIGITS)[0]
    finally:
        sys.set_int_max_str_digits(before)
