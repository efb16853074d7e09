"""Tool names: the rule of the design, for all names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lauren_compiler.lower.naming import derived_name, invalid_because, is_valid, runtime_name, skeleton

IDENTIFIERS = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,63}", fullmatch=True)


@pytest.mark.parametrize(
    ("name", "derived"),
    [
        ("get_weather", "get_weather"),
        ("GetWeather", "get_weather"),
        ("HTTPFetchTool", "http_fetch_tool"),
        ("OAuth2Client", "o_auth2_client"),
        ("MyAPI", "my_api"),
        ("XMLToJSON", "xml_to_json"),
        ("TOOL", "tool"),
        ("Search_Tool", "search_tool"),
        ("_Private", "_private"),
        ("already__odd", "already__odd"),
    ],
)
def test_names_are_derived_as_designed(name: str, derived: str) -> None:
    assert derived_name(name) == derived


@given(IDENTIFIERS)
def test_a_derived_name_stays_as_it_is(name: str) -> None:
    once = derived_name(name)
    assert derived_name(once) == once
    assert once == once.lower()


@given(IDENTIFIERS.filter(lambda name: not any(c.isupper() for c in name)))
def test_a_name_without_capitals_stays_as_it_is(name: str) -> None:
    assert derived_name(name) == name


@given(IDENTIFIERS)
def test_only_underscores_and_case_change(name: str) -> None:
    assert derived_name(name).replace("_", "") == name.lower().replace("_", "")


@given(st.text(max_size=80))
def test_a_name_is_valid_exactly_as_providers_say(name: str) -> None:
    assert is_valid(name) == (re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) is not None)
    if not is_valid(name):
        assert invalid_because(name).isascii()


@pytest.mark.parametrize(
    ("name", "runtime"), [("SearchTool", "search_tool"), ("MyAPI", "my_a_p_i"), ("_Private", "__private")]
)
def test_the_runtime_name_is_what_lauren_ai_derives(name: str, runtime: str) -> None:
    assert runtime_name(name, is_class=True) == runtime
    assert runtime_name(name, is_class=False) == name


def test_lookalikes_have_one_skeleton() -> None:
    assert skeleton("city") == skeleton("\u0441ity") == skeleton("CITY")
    assert skeleton("get-item") == skeleton("get_item")
    assert skeleton("city") != skeleton("cities")
