"""The one door to Python text: total, and nothing gets out of it."""

from __future__ import annotations

import ast
import math
from typing import Any

import black
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lauren_compiler.emit.pyliteral import comment, literal, plain

ATTACKS = [
    '"',
    "'",
    '"""',
    "'''",
    "\\",
    '\\"',
    "a\\'b\"",
    "\n",
    "\r\n",
    "\x00",
    "\x1b[31m",
    "{}",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "${x}",
    "%s",
    "\u202e\u2066",
    "\ud800",
    "\U0001f600",
    "é",
    "# fmt: off",
    "__import__('os')",
    '"); import os; ("',
]


@pytest.mark.parametrize("text", ATTACKS)
def test_strings(text: str) -> None:
    for value in (text, text.encode("utf-8", "surrogatepass"), [text], {text: text}, (text,)):
        written = literal(value)
        assert ast.literal_eval(written) == value
        assert written.isascii()
        assert "\n" not in written


constants = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=())),
    st.text(st.sampled_from("'\"\\\n{}ab")),
    st.binary(),
)
values: st.SearchStrategy[Any] = st.recursive(
    constants,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@settings(deadline=None)
@given(values)
def test_every_constant_is_itself(value: Any) -> None:
    found = ast.literal_eval(literal(value))
    assert found == value
    assert repr(found) == repr(value)


@settings(deadline=None)
@given(constants)
def test_black_leaves_it(value: Any) -> None:
    text = f"x = {literal(value)}\n"
    assert black.format_str(text, mode=black.Mode()) == text


def test_numbers_that_python_would_not_read_as_they_are() -> None:
    for value in (math.inf, -math.inf):
        assert eval(literal(value)) == value
    assert math.isnan(eval(literal(math.nan)))
    long = -(10**5000)
    assert eval(literal(long)) == long
    assert literal(-0.0) == "-0.0"


@pytest.mark.parametrize("value", [object(), {1, 2}, int, lambda: 0])
def test_what_is_no_constant(value: Any) -> None:
    with pytest.raises(TypeError):
        literal(value)


@given(st.text(st.characters(exclude_categories=())))
def test_comments_and_docstrings_stay_on_their_line(text: str) -> None:
    assert ast.parse(f"# {comment(text)}\n").body == []
    assert ast.literal_eval(f'"""{plain(text)}."""') == f"{plain(text)}."
    assert comment(text).isascii()
    assert plain(text).isascii()


@pytest.mark.parametrize("text", [" type: ignore", "pyright: basic", "fmt: off", "noqa # fmt: skip", "!/bin/sh"])
def test_comments_are_no_directives(text: str) -> None:
    assert "#" not in comment(text)
