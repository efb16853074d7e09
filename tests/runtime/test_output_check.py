"""Results are held to their output schemas, with jsonschema's verdict."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from harness.compiling import write_build
from harness.hand_build import run
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from lauren_runtime import Table, ToolExecutionError, ToolExecutor, load_build
from lauren_runtime.output_check import _CHECKS, OutputSchema

SCHEMAS: list[dict[str, Any]] = [
    {"type": ["integer", "null"], "minimum": 1, "maximum": 3, "exclusiveMinimum": 0, "exclusiveMaximum": 9},
    {"type": "number", "multipleOf": 0.5},
    {"enum": [1, "a", None, [1, True]]},
    {"const": {"a": 1}},
    {"type": "string", "minLength": 1, "maxLength": 2, "pattern": "^a"},
    {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 3, "uniqueItems": True},
    {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "boolean"}], "items": False},
    {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"$ref": "#/$defs/Tree"}},
        "required": ["a"],
        "additionalProperties": {"type": "boolean"},
        "patternProperties": {"^x": {"type": "null"}},
        "propertyNames": {"maxLength": 2},
        "minProperties": 1,
        "maxProperties": 3,
        "$defs": {
            "Tree": {"type": "object", "properties": {"a": {"$ref": "#/$defs/Tree"}}, "additionalProperties": False}
        },
    },
    {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"$ref": "#"}}]},
    {"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 2}]},
    {"allOf": [{"type": "integer"}, {"not": {"const": 2}}]},
    {"type": "boolean"},
    {"format": "date"},
]
LEAVES = st.sampled_from([None, True, False, 0, 1, 2, 3, 9, 1.0, 1.5, 2.25, "", "a", "ab", "abc", "x"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["a", "b", "x", "xy", "long"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(max_examples=400, deadline=None)
@given(VALUES)
def test_the_verdict_is_that_of_jsonschema(value: Any) -> None:
    for schema in SCHEMAS:
        expected = Draft202012Validator(schema).is_valid(value)
        assert (OutputSchema(schema).faults(value) == []) is expected, (schema, value)


def test_every_keyword_is_among_the_schemas() -> None:
    def keywords(schema: Any) -> set[str]:
        if isinstance(schema, list):
            return set().union(*map(keywords, schema))
        return set(schema).union(*map(keywords, schema.values())) if isinstance(schema, dict) else set()

    assert set(_CHECKS) <= keywords(SCHEMAS)


SOURCE = """
from dataclasses import dataclass
from lauren_runtime import ToolResult, tool

@dataclass
class Point:
    x: int
    tags: list[str]

@tool()
async def point(x: int) -> Point:
    '''Point.'''
    return Point(x, ["a"]) if x > 0 else Point("no", [1])

@tool()
def result() -> ToolResult:
    '''Result.'''
    return ToolResult.ok({"any": 1})
"""


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.syspath_prepend(str(tmp_path))
    write_build(SOURCE, tmp_path, name="output_tools")
    return load_build(str(tmp_path / "lauren_build"))


def test_a_result_that_breaks_its_schema_is_an_error_or_logged(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    strict, kind = ToolExecutor(table, check_output="error"), "the result is not what the tool promises"
    assert run(strict, "point", {"x": 1}).content == '{"x": 1, "tags": ["a"]}'
    assert run(strict, "result").content == '{"any": 1}'
    broken = run(strict, "point", {"x": 0})
    assert isinstance(broken.exception, ToolExecutionError)
    assert f"{kind}: the result.x is string, not integer; the result.tags[0] is integer, not string" in broken.content
    caplog.clear()
    assert run(ToolExecutor(table), "point", {"x": 0}).content == '{"x": "no", "tags": [1]}'
    assert caplog.text == ""
    with caplog.at_level(logging.WARNING):
        assert not run(ToolExecutor(table, check_output="log"), "point", {"x": 0}).is_error
    assert "the result of tool 'point' is not what it promises" in caplog.text


def test_an_unknown_choice_is_refused(table: Table) -> None:
    with pytest.raises(ValueError, match="check_output is one of None"):
        ToolExecutor(table, check_output="maybe")  # type: ignore[arg-type]
