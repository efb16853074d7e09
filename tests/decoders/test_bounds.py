"""Values within bounds: what they take, what they say, what is mended, and how it is written."""

from __future__ import annotations

import ast
import re
from typing import Any

import black
import pytest
from harness.generated import decoder, importable, module, one_tool, texts
from harness.tool_sets import BOOLEAN, INTEGER, NULL, NUMBER, STRING, dataclass, field, parameter, to, tool, toolset
from harness.verdicts import accepted
from hypothesis import given, settings
from hypothesis import strategies as st
from lauren_compiler.ir.bounds import whole_end
from lauren_compiler.ir.types import Anything, Bounded, Bounds, DictOf, ListOf, ObjectKind, SetOf, Type, Union
from lauren_compiler.ir.types import VariadicTupleOf as TupleOf
from lauren_runtime.decoding import apply_repairs, complete
from lauren_runtime.errors import ToolInputError
from lauren_runtime.output_check import OutputSchema

ANY = Anything()


def bounded(inner: Type, **given: Any) -> Bounded:
    return Bounded(inner, Bounds(**given))


DAYS = bounded(INTEGER, ge=1, le=14)
SHORT = bounded(STRING, min_length=1, max_length=3)
TABLE: list[tuple[Type, list[Any], list[Any]]] = [
    (DAYS, [1, 14, 3.0], [0, 15, 14.5, True, None, "3", 1e300]),
    (bounded(INTEGER, gt=1, lt=4), [2, 3], [1, 4]),
    (bounded(INTEGER, ge=0.5), [1], [0]),
    (bounded(INTEGER, ge=1, gt=2), [3], [2]),
    (bounded(INTEGER, le=2**70), [2**70, -(2**80)], [2**70 + 1]),
    (bounded(INTEGER, multiple_of=3), [0, -3, 9.0, 3 * 10**40], [1, 3 * 10**40 + 1]),
    (bounded(INTEGER, multiple_of=0.5), [1, 2**70], [1.25]),
    (bounded(INTEGER, multiple_of=1.5), [3], [2]),
    (bounded(NUMBER, ge=0, le=2.5), [0, 2.5, 1], [-0.1, 3, "1", False]),
    (bounded(NUMBER, gt=0), [5e-324], [0, -0.0]),
    (bounded(NUMBER, le=2**53), [2**53], [2**53 + 1]),
    (bounded(NUMBER, multiple_of=2), [2**70, 4.0], [2**70 + 1, 3.0, 0.5]),
    (bounded(NUMBER, multiple_of=0.1), [0.1, 0.2], [0.15, 0.3]),
    (bounded(NUMBER, multiple_of=1e-300), [0, 1e-300], [1e300]),
    (SHORT, ["a", "abc", "\U0001f600\U0001f600\U0001f600"], ["", "abcd", 1]),
    (bounded(STRING, pattern="^[a-z]+$"), ["abc"], ["abc\n", "", "A"]),
    (bounded(STRING, pattern="b"), ["abc"], ["ac"]),
    (bounded(ListOf(INTEGER), min_length=1, max_length=2), [[1], [1, 2]], [[], [1, 2, 3], ["a"]]),
    (bounded(TupleOf(STRING), min_length=1), [["a"]], [[]]),
    (bounded(SetOf(INTEGER), max_length=2), [[1, 2]], [[1, 2, 3], [1, 1]]),
    (bounded(SetOf(ANY), min_length=2), [[1, True], ["a", 0]], [[1]]),
    (bounded(DictOf(STRING, INTEGER), min_length=1), [{"a": 1}], [{}, {"a": "b"}]),
    (bounded(DictOf(INTEGER, INTEGER), min_length=2), [{"5": 1, "05": 2}], [{"5": 1}]),
    (Union((DAYS, NULL)), [1, None], [0, "a"]),
    (Union((SHORT, NULL)), ["a", None], [""]),
    (Union((DAYS, SHORT)), [1, "a"], [0, "", 1.5]),
    (Union((DAYS, bounded(INTEGER, ge=20))), [1, 20], [15]),
    (Union((bounded(INTEGER, ge=5), NUMBER)), [1, 5, 5.5], ["a"]),
    (ListOf(DAYS), [[], [1, 2]], [[1, 15]]),
    (SetOf(SHORT), [["a"]], [["a", ""]]),
    (DictOf(STRING, bounded(NUMBER, lt=1)), [{"a": 0.5}], [{"a": 1}]),
]


def outcome(decode: Any, *arguments: Any) -> Any:
    try:
        return decode(*arguments)
    except ToolInputError as error:
        return [each.message for each in error.errors]


ARRAYS = (ObjectKind.NAMED_TUPLE, ObjectKind.STRUCT_ARRAY)


@pytest.mark.parametrize(("type_", "good", "bad"), TABLE, ids=lambda value: str(value)[:60])
@pytest.mark.parametrize("optional", [False, True])
def test_takes_what_the_schema_takes(type_: Type, good: list[Any], bad: list[Any], optional: bool) -> None:
    """As a parameter that must be there, and as one that may: on both paths."""
    names = module(toolset(tool("f", parameter("p", type_, None) if optional else parameter("p", type_))))
    for value in (*good, *bad):
        found = outcome(names["f"], {"p": value}, False)
        assert isinstance(found, tuple) == (value in good and type(value) is not bool), (value, found)
        assert isinstance(found, tuple) == accepted(type_, value)
        assert found == outcome(complete, names["check_f"], {"p": value}, False)


@pytest.mark.parametrize("kind", [kind for kind in ObjectKind if kind is not ObjectKind.ROOT_MODEL])
def test_fields(kind: ObjectKind) -> None:
    made = dataclass("Trip", field("days", DAYS), field("name", SHORT, None), kind=kind)
    names = module(toolset(tool("f", parameter("p", to("Trip"))), definitions=[made]))
    wrong: Any = [15, ""] if kind in ARRAYS else {"days": 15, "name": ""}
    where = ("p[0]", "p[1]") if kind in ARRAYS else ("p.days", "p.name")
    with importable("shop", {"Trip": object}):
        found = outcome(names["f"], {"p": wrong}, False)
    assert found == [
        f"{where[0]}: expected an integer (at least 1, at most 14), got 15 (an integer)",
        f'{where[1]}: expected a string (at least 1 character, at most 3 characters), got "" (a string)',
    ]


def test_the_rest() -> None:
    decode = module(toolset(tool("f", extra=DAYS)))["f"]
    assert decode({"a": 1}, False) == ((), {"a": 1}, ())
    assert outcome(decode, {"a": 15}, False)


@pytest.mark.parametrize(
    ("type_", "value", "words"),
    [
        (DAYS, 15, "expected an integer (at least 1, at most 14), got 15 (an integer)"),
        (DAYS, "15", 'expected an integer (at least 1, at most 14), got "15" (a string)'),
        (DAYS, "x", 'expected an integer (at least 1, at most 14), got "x" (a string)'),
        (bounded(NUMBER, gt=0, multiple_of=0.5), -1, "expected a number (more than 0, a multiple of 0.5), got -1"),
        (bounded(STRING, pattern="^a$"), "b", "expected a string (matching ^a$), got"),
        (bounded(STRING, pattern="a" * 5000), "b", f"expected a string (matching {'a' * 100}…), got"),
        (bounded(ListOf(BOOLEAN), min_length=1), [], "expected an array (at least 1 item), got an array of 0 items"),
        (bounded(SetOf(BOOLEAN), max_length=1), [True, False], "expected an array of different items (at most 1 item)"),
        (bounded(DictOf(STRING, ANY), min_length=2), {}, "expected an object (at least 2 keys), got an object with 0"),
        (Union((DAYS, NULL)), 15, "expected an integer (at least 1, at most 14) or null, got 15"),
    ],
)
def test_words(type_: Type, value: Any, words: str) -> None:
    (message,) = outcome(decoder(type_), {"p": value}, True)
    assert message.startswith(f"p: {words}")


@pytest.mark.parametrize(
    ("type_", "value", "result"),
    [
        (DAYS, "5", 5),
        (DAYS, "15", None),
        (bounded(NUMBER, le=2**53), "9007199254740992", 2.0**53),
        (bounded(NUMBER, le=2**53), "9007199254740993", None),
        (bounded(ListOf(INTEGER), max_length=2), '["1", 2]', [1, 2]),
        (bounded(ListOf(INTEGER), max_length=2), "[1, 2, 3]", None),
        (bounded(SetOf(INTEGER), max_length=2), [1, "1", 2], {1, 2}),
        (bounded(SetOf(INTEGER), min_length=2), [1, "1"], None),
        (bounded(SetOf(INTEGER), min_length=2), '[1, "2", 2]', {1, 2}),
        (bounded(DictOf(STRING, INTEGER), min_length=1), '{"a": "1"}', {"a": 1}),
        (Union((DAYS, SHORT)), "5", "5"),
        (Union((DAYS, NULL)), "5", 5),
    ],
)
def test_bounds_hold_for_what_was_mended(type_: Type, value: Any, result: Any) -> None:
    decode = decoder(type_)
    found = outcome(decode, {"p": value}, True)
    if result is None:
        assert isinstance(found, list)
        return
    assert found[1] == {"p": result}
    mended = apply_repairs({"p": value}, found[2])
    assert outcome(decode, mended, False) == ((), {"p": result}, ())


HOSTILE = '"""\n\\\'"""\n    raise SystemExit # \\N{BULLET} {{x}} \u202e\ud800 $[$\\$]'
LAYOUT: list[Type] = [
    bounded(STRING, min_length=10**20, max_length=10**30, pattern="[a-z]{3}" * 30),
    *(bounded(INTEGER, ge=-(10**digits), le=10**digits, multiple_of=10**50) for digits in (70, *range(76, 88))),
    bounded(INTEGER, gt=-(10**22), lt=10**22, multiple_of=1.2345678901234567e-300),
    bounded(NUMBER, ge=-1.2345678901234567e-300, le=1.2345678901234567e300, multiple_of=10**60),
    bounded(ListOf(DAYS), min_length=10**20, max_length=10**22),
    Union((bounded(INTEGER, ge=-(10**22), le=10**22), NULL)),
    Union((bounded(STRING, pattern="x" * 90), bounded(INTEGER, ge=10**90))),
    bounded(STRING, pattern=HOSTILE),
    SetOf(bounded(STRING, pattern=HOSTILE)),
]


@pytest.mark.parametrize("name", ["p", "a_parameter_with_a_name_that_takes_most_of_a_line_by_itself"])
@pytest.mark.parametrize("type_", LAYOUT, ids=lambda value: str(value)[:60])
def test_black_leaves_it(type_: Type, name: str) -> None:
    definition = dataclass("D", field(name, type_), field(f"{name}_2", type_, None))
    one = tool("f", parameter(name, type_), parameter(f"{name}_2", type_, None), parameter("d", to("D")))
    for text in texts(toolset(one, definitions=[definition])).values():
        assert black.format_str(text, mode=black.Mode()) == text
        assert text.isascii()
        tree = ast.parse(text)
        imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module != "__future__"]
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        assert {alias.name for node in imports for alias in node.names} <= used


def test_common_bounds_are_checked_in_place() -> None:
    types = [DAYS, bounded(INTEGER, ge=1), SHORT, bounded(NUMBER, ge=0, lt=1), Union((DAYS, NULL))]
    made = tool("f", *(parameter(f"p{index}", type_) for index, type_ in enumerate(types)))
    (text,) = (text for path, text in texts(toolset(made)).items() if path == "_tools/shop.py")
    assert "_quick" not in text
    assert "if typeof(p0) is not int or not 1 <= p0 <= 14:" in text


PARTS = ("a", "$", "^", "[", "]", "[^", "\\$", "\\", "[$]", "[]$]", "[^]$]", "\\]", "(", ")", "\n", "|", ".")


@pytest.mark.filterwarnings("ignore::FutureWarning")  # of what may once be nested classes
@settings(max_examples=300)
@given(st.lists(st.sampled_from(PARTS), max_size=6).map("".join), st.sampled_from(("a", "a\n", "$", "", "]a")))
def test_results_are_matched_as_arguments_are(pattern: str, value: str) -> None:
    """The executor's check of results reads patterns by itself: it is built without the compiler."""
    try:
        expected = re.search(whole_end(pattern), value) is not None
    except re.error:
        return
    assert (OutputSchema({"pattern": pattern}).faults(value) == []) == expected


@pytest.mark.parametrize(("value", "factor"), [(2**70 + 1, 2), (10**400, 2), (7, 0.5), (10**400 + 1, 3), (0.3, 0.1)])
def test_results_are_multiples_as_arguments_are(value: Any, factor: Any) -> None:
    faults = OutputSchema({"multipleOf": factor}).faults(value)
    if value < 10**300:
        assert (faults == []) == accepted(bounded(NUMBER, multiple_of=factor), value)
    else:
        assert (faults == []) == (value % factor == 0)


def test_one_pattern_is_compiled_once() -> None:
    text = texts(one_tool(Union((bounded(STRING, pattern="a"), bounded(ListOf(STRING), max_length=1)))))
    assert text["_tools/shop.py"].count('Pattern("a")') == 1
