"""The runtime's half of decoding, piece by piece."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from lauren_runtime.decoding import (
    ABSENT,
    Imported,
    Place,
    Repair,
    apply_repairs,
    boolean_key,
    copied,
    integer_key,
    load,
    number_key,
)
from lauren_runtime.decoding.keys import distinct, json_key
from lauren_runtime.decoding.texts import json_scalar, lossless_integer
from lauren_runtime.decoding.wording import described, nearest, path_text
from pydantic import TypeAdapter, ValidationError

INTEGERS = TypeAdapter(dict[int, int])


@given(st.text(st.sampled_from("0123456789_+-. \n\t\u00a0ex"), max_size=8))
def test_integer_keys_are_those_of_pydantic(key: str) -> None:
    place = Place(repair=False)
    ours = integer_key(key, place)
    # "0-5" is -5 to pydantic, and "0_" nothing, which nobody would call an integer.
    assume("-" not in key.strip().lstrip("+")[1:])
    try:
        (theirs,) = INTEGERS.validate_json(json.dumps({key: 1}), strict=True)
    except ValidationError:
        assert place.faults
    else:
        assert (ours, place.faults) == (theirs, [])


@given(st.text(st.sampled_from("019_+-. \n\u00a0eEinfa٣"), max_size=7))
def test_number_keys_are_those_of_pydantic_that_are_finite(key: str) -> None:
    place = Place(repair=False)
    ours = number_key(key, place)
    try:
        (theirs,) = TypeAdapter(dict[float, int]).validate_json(json.dumps({key: 1}), strict=True)
    except ValidationError:
        assert place.faults
    else:
        assert bool(place.faults) != math.isfinite(theirs)
        assert place.faults or ours == theirs


@given(st.sampled_from("1 0 t f y n on off yes no true false 01 2 1.0".split()) | st.text(max_size=3), st.booleans())
def test_boolean_keys_are_those_of_pydantic(key: str, upper: bool) -> None:
    place, word = Place(repair=False), key.upper() if upper else key
    ours = boolean_key(word, place)
    try:
        (theirs,) = TypeAdapter(dict[bool, int]).validate_json(json.dumps({word: 1}), strict=True)
    except ValidationError:
        assert place.faults
    else:
        assert (ours, place.faults) == (theirs, [])


@pytest.mark.parametrize(
    ("key", "number"),
    [("5", 5), (" +05 ", 5), ("-1_000", -1000), ("5.00", 5), ("00", 0), ("9" * 4300, 10**4300 - 1)],
)
def test_integer_keys(key: str, number: int) -> None:
    assert integer_key(key, Place(repair=False)) == number


@pytest.mark.parametrize(
    "key", ["", "+", "-", "5.", "5.5", "_5", "5_", "5__0", "1e3", "0x5", "٣", "9" * 4301, "--5", "+-5"]
)
def test_keys_that_are_no_integers(key: str) -> None:
    place = Place(repair=True)
    integer_key(key, place)
    assert place.faults


def test_repairs_are_applied_in_order_to_a_copy() -> None:
    given_: dict[str, Any] = {"a": ['{"b": "5"}'], "c": None, "d": [1]}
    repairs = [
        Repair(("a", 0), "parsed", '{"b": "5"}', {"b": "5"}),
        Repair(("a", 0, "b"), "read", "5", 5),
        Repair(("c",), "absent", None, ABSENT),
    ]
    found = apply_repairs(given_, repairs)
    assert found == {"a": [{"b": 5}], "d": [1]}
    assert given_ == {"a": ['{"b": "5"}'], "c": None, "d": [1]}
    assert found["d"] is not given_["d"]
    assert repairs[0].after == {"b": "5"}
    assert apply_repairs("5", [Repair((), "read", "5", 5)]) == 5


def test_repairs_are_values() -> None:
    assert Repair(("a",), "w", 1, 2) == Repair(("a",), "w", 1, 2)
    assert Repair(("a",), "w", 1, 2) != Repair(("b",), "w", 1, 2)
    assert len({Repair(("a",), "w", 1, [2]), Repair(("a",), "w", 1, [2])}) == 1
    assert repr(Repair(("a",), "w", None, ABSENT)) == "Repair(('a',), 'w', None, ABSENT)"


def test_copies_nest_as_deep_as_they_may() -> None:
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    found, depth = copied(deep), 0
    while found:
        found, depth = found[0], depth + 1
    assert depth == 5000


@pytest.mark.parametrize(
    ("left", "right", "equal"),
    [
        (1, 1.0, True),
        (1, True, False),
        (0, False, False),
        ([1, [True]], [1.0, [True]], True),
        ([1], [True], False),
        ({"a": 1, "b": 2}, {"b": 2.0, "a": 1}, True),
        ({"a": 1}, {"a": True}, False),
        ("1", 1, False),
        (None, False, False),
        ([], {}, False),
        ([["a"]], [["list", "a"]], False),
    ],
)
def test_equality_of_json(left: Any, right: Any, equal: bool) -> None:
    assert (json_key(left) == json_key(right)) is equal
    assert len(distinct([left, right])) == 2 - equal


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ((), ""),
        (("items", 0, "label"), "items[0].label"),
        ((0, 1), "[0][1]"),
        (("a b", "c"), '["a b"].c'),
        (("a", ""), 'a[""]'),
        (("a", "é\n"), 'a["\\u00e9\\n"]'),
    ],
)
def test_paths(path: tuple[str | int, ...], text: str) -> None:
    assert path_text(path) == text


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        ("a\n", '"a\\n" (a string)'),
        ([1], "an array of 1 item"),
        ({}, "an object with 0 keys"),
        (5, "5 (an integer)"),
        (0.5, "0.5 (a number)"),
        (10**300, "a very long integer"),
        ((1,), "a Python tuple"),
    ],
)
def test_descriptions(value: Any, words: str) -> None:
    assert described(value) == words


def test_the_nearest_name() -> None:
    known = ("city", "unit", "maxResults")
    found = [nearest(name, known) for name in ("citty", "UNIT", "max_results", "zzz")]
    assert found == ["city", "unit", "maxResults", None]
    assert nearest("x" * 100_000, known) is None


@pytest.mark.parametrize("text", ["5", " 5 ", "-5", "5.0", "-0", "0"])
def test_integers_as_text(text: str) -> None:
    assert lossless_integer(text) == int(float(text))


@pytest.mark.parametrize("text", ["", "05", "+5", "5.", ".5", "5e0", "NaN", "Infinity", "true", "5 5", "0x1"])
def test_what_is_no_integer_as_text(text: str) -> None:
    assert lossless_integer(text) is None


def test_scalars_as_text() -> None:
    assert [json_scalar(text) for text in ("true", "False", "1.5e3", "null", '"a"', "[1]", "-", "1e999")] == [
        True,
        False,
        1500.0,
        *[None] * 5,
    ]


def test_loading() -> None:
    assert load("collections", "OrderedDict.fromkeys")
    with pytest.raises(ImportError, match="collections has no Nothing"):
        load("collections", "Nothing")
    lazy = Imported("collections", "OrderedDict")
    assert lazy.cls is lazy.cls
    with pytest.raises(AttributeError):
        _ = lazy.other  # type: ignore[attr-defined]


def test_importing_it_is_cheap() -> None:
    heavy = ("asyncio", "dataclasses", "inspect", "typing", "re", "json", "pathlib", "enum", "difflib", "functools")
    code = (
        f"import sys; import lauren_runtime.decoding.quick; print([name for name in {heavy!r} if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", _path() + code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def _path() -> str:
    import lauren_runtime

    (folder,) = lauren_runtime.__path__
    return f"import sys; sys.path.insert(0, {folder.rpartition('/')[0]!r}); "
