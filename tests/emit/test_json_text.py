"""JSON text that is the same everywhere and holds nothing a reader would not see."""

from __future__ import annotations

import hashlib
import json
import math
import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lauren_compiler.emit.digest import sha256_hex
from lauren_compiler.emit.json_steps import compact_text, laid_out
from lauren_compiler.emit.json_text import Texts, canonical_json, compact_json, readable_json

PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
TEXT = st.text(st.characters(exclude_categories=()))
VALUES = st.recursive(SCALARS | TEXT, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=20)


@PATIENT
@given(VALUES)
def test_readable_text_means_the_value(value: object) -> None:
    text = readable_json(value).decode()
    assert text.endswith("\n")
    assert json.dumps(json.loads(text)) == json.dumps(value)


@PATIENT
@given(VALUES)
def test_readable_text_is_laid_out_as_json_dumps_would(value: object) -> None:
    ascii_only = json.loads(json.dumps(value).replace("\\u", "u").replace("\\x7f", ""))
    assert readable_json(ascii_only).decode().replace("\\u007f", "\x7f") == json.dumps(ascii_only, indent=2) + "\n"


@PATIENT
@given(st.lists(st.dictionaries(TEXT, VALUES), min_size=1, max_size=4), TEXT)
def test_shared_values_have_the_text_they_would_have(values: list[dict[str, object]], key: str) -> None:
    texts = Texts()
    whole = {key: [*values, {key: values[0]}], "again": values}
    for value in values:
        texts.keep(value, compact_json(value))
    assert readable_json(whole, texts) == readable_json(whole)


@PATIENT
@given(VALUES)
def test_without_shared_parts_a_text_is_what_it_would_be(value: object) -> None:
    assert readable_json(value, Texts()) == readable_json(value)


@pytest.mark.parametrize("value", [math.nan, math.inf, [-math.inf], {"a": (1, math.nan)}])
def test_what_json_has_not_is_refused_in_a_document_too(value: object) -> None:
    with pytest.raises(ValueError, match="JSON"):
        readable_json({"tools": [value]}, Texts())


def test_a_text_that_is_kept_stands_for_its_value() -> None:
    whole, known = {"name": "f", "line": "1\u200b\x7f{\ud800"}, {"name": "f"}
    texts = Texts()
    for text in (readable_json(whole), compact_json(whole)):
        texts.keep(known, text)
        assert readable_json([known], texts) == readable_json([whole])


@PATIENT
@given(VALUES)
def test_the_steps_make_what_c_code_does(value: object) -> None:
    compact = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    assert compact_text(value) == compact
    assert laid_out(compact) == json.dumps(value, ensure_ascii=False, indent=2)


@PATIENT
@given(VALUES)
def test_canonical_text_means_the_value_and_is_utf_8(value: object) -> None:
    text = canonical_json(value).decode()
    assert json.loads(text) == value
    assert json.dumps(json.loads(text), sort_keys=True) == json.dumps(value, sort_keys=True)


def test_a_canonical_digest_can_be_had_with_the_standard_library_alone() -> None:
    value = {"b": [1, 2.5, None, True], "a": {"ü": "日本\u200b"}}
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert sha256_hex(canonical_json(value)) == hashlib.sha256(text.encode()).hexdigest()


def test_every_invisible_character_is_escaped() -> None:
    unseen = [
        chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    ]
    # Signs of the Arabic, Syriac, Kaithi and Egyptian scripts have the category, but are drawn.
    drawn = set("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
    drawn |= {chr(code) for code in range(0x13430, 0x13440)}
    assert [f"{ord(one):x}" for one in unseen if one in readable_json(one).decode().strip() and one not in drawn] == []


@pytest.mark.parametrize("character", "é日🙂\u0301\u00a0")
def test_visible_text_stays(character: str) -> None:
    assert readable_json(character).decode() == f'"{character}"\n'


@pytest.mark.parametrize("value", [math.nan, math.inf, [-math.inf]])
def test_what_json_has_not_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="JSON"):
        readable_json(value)
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(value)


def test_no_depth_is_too_deep() -> None:
    value: list[object] = []
    for _ in range(5000):
        value = [value]
    assert readable_json(value).decode().count("[") == 5001
