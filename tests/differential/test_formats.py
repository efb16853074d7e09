"""Texts near the forms of dates, UUIDs, numbers, paths and addresses: read, or refused, as pydantic does."""

from __future__ import annotations

import json
import pathlib
import re
import tomllib
from collections.abc import Callable
from datetime import datetime, time
from typing import Any

import pytest
from harness.formats import ANNOTATIONS, nearly
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lauren_compiler.ir.formats import FORMATS
from lauren_compiler.ir.types import FormatKind
from lauren_runtime.decoding.formats import NUMBERS, TEXTS
from pydantic import TypeAdapter, ValidationError

# Of `re`, and of pydantic where it takes `false` for an address: they are no faults of a decoder.
pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::DeprecationWarning")

KINDS = sorted(ANNOTATIONS)
LISTED = pathlib.Path(__file__).parent / "divergences.toml"
DIVERGENCES: list[dict[str, str]] = tomllib.loads(LISTED.read_text("utf-8"))["format"]
NUMERIC = [kind for kind in KINDS if FORMATS[kind].number]


def theirs(kind: FormatKind, value: object) -> Any:
    """pydantic's value, None if it refuses."""
    try:
        return TypeAdapter(ANNOTATIONS[kind]).validate_json(json.dumps(value), strict=True)
    except ValidationError:
        return None
    except OverflowError:  # of timedelta's constructor: pydantic lets it through
        return None


def same(ours: Any, expected: Any) -> bool:
    if type(ours) is not type(expected) or ours != expected:
        return False
    if isinstance(ours, (datetime, time)):
        return bool(ours.utcoffset() == expected.utcoffset())
    return str(ours) == str(expected)


def test_each_kind_is_read() -> None:
    assert set(TEXTS) == {kind.value for kind in FormatKind}
    assert set(NUMBERS) == {kind.value for kind in FormatKind if FORMATS[kind].number}


@pytest.mark.parametrize("kind", KINDS)
def test_texts(kind: FormatKind) -> None:
    read: Callable[[str], object] = TEXTS[kind.value]

    @settings(max_examples=300, deadline=None)
    @given(nearly(kind))
    def check(text: str) -> None:
        assume(not any(re.search(one["pattern"], text) for one in DIVERGENCES if one["kind"] == kind))
        ours, expected = read(text), theirs(kind, text)
        assert same(ours, expected), (text, ours, expected)

    check()


@pytest.mark.parametrize("text", [".e3", "+.e1", ".", "-.", "e3", "1e3", "1.e3", ".5e1", "5.e", "1.e999"])
def test_numbers_of_seconds(text: str) -> None:
    ours, expected = TEXTS[FormatKind.DATE_TIME.value](text), theirs(FormatKind.DATE_TIME, text)
    assert same(ours, expected), (text, ours, expected)


@pytest.mark.parametrize("kind", NUMERIC)
def test_numbers(kind: FormatKind) -> None:
    @settings(max_examples=200, deadline=None)
    @given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
    def check(value: float) -> None:
        ours, expected = NUMBERS[kind.value](value), theirs(kind, value)
        assert same(ours, expected), (value, ours, expected)

    check()


@pytest.mark.parametrize("one", DIVERGENCES, ids=lambda one: one["name"])
def test_a_listed_divergence_is_one(one: dict[str, str]) -> None:
    kind = FormatKind(one["kind"])
    assert re.search(one["pattern"], one["text"])
    assert not same(TEXTS[kind.value](one["text"]), theirs(kind, one["text"]))


def test_a_path_of_another_system_is_refused() -> None:
    other = "windows_path" if isinstance(pathlib.Path(), pathlib.PosixPath) else "posix_path"
    assert TEXTS[other]("a") is None


def test_half_a_surrogate_pair_is_no_text_of_bytes() -> None:
    assert TEXTS["binary"]("\ud800") is None


def test_a_pattern_that_is_nested_too_deep_is_refused() -> None:
    assert TEXTS["regex"]("(" * 100_000 + ")" * 100_000) is None
    assert isinstance(TEXTS["regex"]("a+"), re.Pattern)
