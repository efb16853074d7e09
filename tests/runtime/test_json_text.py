"""Arguments as text, bytes or dict: one rule, and errors a model can act on."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from harness import requires
from harness.hand_build import Build
from hypothesis import given, settings
from hypothesis import strategies as st
from lauren_runtime import ToolInputError
from lauren_runtime.json_text import JSONTextError, arguments_of, census, parse, quickest

TEXTS = [
    '{"a": 1}',
    ' \n{"a": 1}\t ',
    '{"a": ":", "b": "x:y:z"}',
    '{"a": {"b": [{"c": 1}, {"c": 2}]}, "b": 3}',
    '{"a": "\\"a\\": 1"}',
    '{"\\u0061": 1, "b": "\\ud83d\\ude00"}',
    "{}",
    '{"a": 1e400}',
    '{"a": [1, 2.5, null, true, "x"]}',
]


@pytest.mark.parametrize("text", TEXTS)
def test_good_texts_are_parsed_as_json_does(text: str) -> None:
    assert (
        arguments_of(text) == arguments_of(text.encode()) == arguments_of(bytearray(text.encode())) == json.loads(text)
    )


REFUSED = [
    ("", "empty"),
    ("  ", "empty"),
    ('{"path": "/data/x', "not valid JSON"),
    ('```json\n{"a": 1}\n```', "they stand in a code fence, which has to be left out|not valid JSON"),
    ('{"a": }', "a value is missing at character 7|not valid JSON"),
    ('{"a": 1} x', "extra data at character 9"),
    ('{"a": 1}{', "extra data"),
    ('{"a": NaN}', "NaN is no JSON number"),
    ('{"a": [-Infinity]}', "-Infinity is no JSON number"),
    ('{"a": 1, "a": 2}', "the key 'a' stands twice"),
    ('{"a": {"b": 1, "\\u0062": 2}}', "the key 'b' stands twice"),
    ('{"a": "x:y", "b": [{"c": 1, "c": 1}]}', "the key 'c' stands twice"),
    ('{"a": ' + "9" * 4301 + "}", "more than 4300 digits"),
    ("[" * 100_000, "nested deeper|not valid JSON|missing"),
    (b'{"a": "\xff"}', "byte 8 is not UTF-8"),
    ("{'a': 1}", "not valid JSON"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED, ids=range(len(REFUSED)))
def test_bad_texts_are_argument_errors(text: str | bytes, reason: str) -> None:
    with pytest.raises(ToolInputError, match=reason):
        arguments_of(text)


@pytest.mark.parametrize(
    ("given_", "got"),
    [
        ("null", "null"),
        ("[1]", "an array"),
        ('"x"', "a text"),
        ("5", "a number"),
        ("true", "a boolean"),
        (None, "null"),
        ([], "an array"),
        (object(), "object"),
    ],
)
def test_only_an_object_will_do(given_: Any, got: str) -> None:
    with pytest.raises(ToolInputError) as caught:
        arguments_of(given_)
    assert [error.message for error in caught.value.errors] == [f"expected a JSON object of arguments, got {got}"]


def test_a_subclass_of_dict_is_taken_as_a_dict() -> None:
    class Mine(dict[str, int]): ...

    assert type(arguments_of(Mine(a=1))) is dict


def test_the_digit_limit_does_not_depend_on_the_interpreters() -> None:
    import sys

    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        assert census(parse("9" * 4300), 5) == 0
        assert census(parse("9" * 4301), 5) == -1  # the decoders refuse it
    finally:
        sys.set_int_max_str_digits(before)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def _keys(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (len(value) if isinstance(value, dict) else 0) + sum(map(_keys, inner))


@settings(max_examples=200, deadline=None)
@given(JSON)
def test_any_json_comes_back_and_its_keys_are_counted(value: Any) -> None:
    assert parse(json.dumps(value)) == value
    assert parse(json.dumps(value, ensure_ascii=False, indent=1)) == value
    assert census(value, 256) == _keys(value)


@settings(max_examples=200, deadline=None)
@given(JSON, st.text(), st.text())
def test_a_key_twice_is_found_wherever_it_is(value: Any, key: str, other: str) -> None:
    inner = f"{{{json.dumps(key)}: {json.dumps(value)}, {json.dumps(key)}: 1}}"
    with pytest.raises(JSONTextError, match="stands twice"):
        parse(f"{{{json.dumps(other)}: [{inner}]}}")


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        [float("inf")],
        [1, float("nan")],
        10**4300,
        [10**4300],
        [-(10**4300), 1],
        {1: 2},
        (1,),
        {"a": object()},
        [{"x": ()}],
    ],
    ids=range(10),
)
def test_the_census_refuses_what_is_out_of_bounds(value: Any) -> None:
    assert census(value, 256) == -1


def test_the_census_counts_levels() -> None:
    def nested(levels: int) -> Any:
        value: Any = 1
        for _ in range(levels):
            value = [value]
        return value

    assert census(nested(256), 256) == 0
    assert census(nested(257), 256) == -1


def test_a_truncated_call_does_not_run_with_defaults(tmp_path: Path) -> None:
    source = 'RAN = []\n@tool()\nasync def wipe(path: str = "/"):\n    RAN.append(path)\n'
    build = Build(tmp_path, source, {"wipe": {"arguments": {"path": "str"}, "needed": [], "is_async": True}})
    for text in ('{"path": "/data/x', "", "null", "[]", None):
        result = build.run("wipe", text) if text is not None else build.run("wipe", "null")
        assert isinstance(result.exception, ToolInputError)
    assert build.tools.RAN == []


def test_a_long_key_that_stands_twice_is_cut() -> None:
    key = "k" * 10_000
    with pytest.raises(JSONTextError, match="stands twice") as caught:
        parse(f'{{"{key}": 1, "{key}": 2}}')
    assert len(str(caught.value)) < 200


def test_the_key_that_stands_twice_is_found_among_many() -> None:
    keys = ", ".join(f'"k{number}": 0' for number in range(50_000))
    with pytest.raises(JSONTextError, match="the key 'k49999' stands twice"):
        parse(f'{{{keys}, "k49999": 1}}')


LONGER = [
    "-0",
    "-0.0",
    "1e5",
    "1E-400",
    "18446744073709551615",
    "0.1",
    "123456789.123456789e-3",
    "5e-324",
    "1.7976931348623157e308",
]


@settings(max_examples=300, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ),
    st.sampled_from(LONGER),
    st.booleans(),
)
def test_orjson_reads_what_the_standard_library_reads(value: Any, number: str, ascii_only: bool) -> None:
    requires.package("orjson", "orjson")
    text = f'{{"a": {json.dumps(value, ensure_ascii=ascii_only)}, "b": {number}}}'
    assert outcome(quickest(), text) == outcome(arguments_of, text)


ALL: list[Any] = [*TEXTS, *(text for text, _ in REFUSED), "[1]", "null", b'{"a": 1}', None]


@pytest.mark.parametrize("text", ALL, ids=range(len(ALL)))
def test_orjson_refuses_what_the_standard_library_refuses(text: Any) -> None:
    requires.package("orjson", "orjson")
    assert outcome(quickest(), text) == outcome(arguments_of, text)


def outcome(parse: Any, given_: Any) -> Any:
    """As text, for `-0.0` and `0` are equal to others."""
    try:
        return repr(parse(given_))
    except ToolInputError as error:
        return [each.message for each in error.errors]


def test_without_orjson_the_standard_library_parses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "orjson", None)
    assert quickest() is arguments_of
