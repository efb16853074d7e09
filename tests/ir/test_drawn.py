"""What holds for every tool set that can be drawn."""

from __future__ import annotations

import pytest
from harness.drawn_tool_sets import JSON_VALUES, tool_sets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from lauren_compiler.emit.json_text import canonical_json
from lauren_compiler.ir.codec import from_json, to_json
from lauren_compiler.ir.pprint import toolset_text
from lauren_compiler.ir.tools import ToolSet
from lauren_compiler.ir.verify import verify
from lauren_compiler.schema.json_schema import input_schema, output_schema
from lauren_compiler.schema.references import references
from lauren_compiler.targets import TARGETS
from lauren_compiler.targets.mcp import output_schema as mcp_output
from lauren_compiler.targets.rewrite import rewrite

pytestmark = pytest.mark.one_python

PATIENT = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@PATIENT
@given(tool_sets())
def test_it_is_sound_comes_back_and_can_be_read(whole: ToolSet) -> None:
    assert from_json(to_json(verify(whole))) == whole
    assert toolset_text(whole).startswith("f: function shop:f (import)\n    p: ")


@PATIENT
@given(tool_sets())
def test_its_schemas_are_schemas_and_whole(whole: ToolSet) -> None:
    schema, output = input_schema(whole.tools[0], whole), output_schema(whole.tools[0], whole)
    documents = [schema] if output is None else [schema, output, mcp_output(output)]
    for document in documents:
        Draft202012Validator.check_schema(document)
        assert {target.removeprefix("#/$defs/") for target in references(document)} == set(document.get("$defs", {}))
    assert all(document["type"] == "object" for document in (schema, *documents[2:]))


@PATIENT
@given(tool_sets(), st.lists(JSON_VALUES, min_size=1, max_size=8))
def test_rewriting_for_a_provider_changes_no_verdict(whole: ToolSet, values: list[object]) -> None:
    schema = input_schema(whole.tools[0], whole)
    before = canonical_json(schema)
    calls = [{"p": value} for value in values]
    neutral = Draft202012Validator(schema)
    verdicts = [neutral.is_valid(call) for call in calls]
    for rules in {target.rewrites for target in TARGETS.values() if target.rewrites}:
        rewritten = Draft202012Validator(rewrite(schema, rules))
        assert [rewritten.is_valid(call) for call in calls] == verdicts
    assert canonical_json(schema) == before
