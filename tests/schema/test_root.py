"""The root of a tool's schema: what is required, what is closed, what no call may use."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness.every_type import every_type
from harness.tool_sets import INTEGER, NULL, STRING, parameter, tool, toolset
from jsonschema import Draft202012Validator
from lauren_compiler.emit.json_text import canonical_json, readable_json
from lauren_compiler.ir.tools import ContextParameter, ParameterKind, Signature, Tool
from lauren_compiler.ir.types import Anything, ListOf, Type, Union
from lauren_compiler.schema.json_schema import input_schema, output_schema, refused_names, schema_document
from lauren_compiler.targets import TARGETS
from lauren_compiler.targets.rewrite import rewrite


def schema(one: Tool) -> dict[str, Any]:
    return input_schema(one, toolset(one))


def test_a_whole_schema() -> None:
    one = tool("f", parameter("b", STRING, description="Text."), parameter("a", INTEGER, "3", wire="A"))
    assert json.dumps(schema(one)) == json.dumps(
        {
            "type": "object",
            "properties": {
                "b": {"type": "string", "description": "Text."},
                "A": {"type": "integer", "default": 3},
            },
            "required": ["b"],
            "additionalProperties": False,
        }
    )


def test_nothing_is_required_where_everything_has_a_default() -> None:
    assert "required" not in schema(tool("f", parameter("a", INTEGER, None)))
    assert schema(tool("f")) == {"type": "object", "properties": {}, "additionalProperties": False}


def test_a_nullable_parameter_without_default_is_required() -> None:
    assert schema(tool("f", parameter("a", Union((INTEGER, NULL)))))["required"] == ["a"]


@pytest.mark.parametrize(("extra", "expected"), [(Anything(), True), (INTEGER, {"type": "integer"})])
def test_keyword_arguments_open_the_root(extra: Type, expected: object) -> None:
    open_root = schema(tool("f", extra=extra))
    assert open_root["additionalProperties"] == expected
    assert "propertyNames" not in open_root


def test_names_that_are_not_the_models_are_refused() -> None:
    one = tool(
        "f",
        parameter("a", INTEGER, "1", wire="A"),
        parameter("b", INTEGER, "1"),
        extra=Anything(),
        context=ContextParameter("ctx", ParameterKind.KEYWORD_ONLY),
        hidden=("_h",),
        signature=Signature(
            (
                ("self", "positional_or_keyword", False),
                ("b", "positional_or_keyword", True),
                ("kw", "var_keyword", False),
            ),
            False,
            False,
        ),
    )
    assert refused_names(one) == ("_h", "a", "ctx", "self")
    assert schema(one)["propertyNames"] == {"not": {"enum": ["_h", "a", "ctx", "self"]}}
    validator = Draft202012Validator(schema(one))
    assert validator.is_valid({"A": 1, "b": 2, "anything": None})
    assert not any(validator.is_valid({name: 1}) for name in refused_names(one))


def test_a_python_name_that_is_the_wire_name_of_another_is_taken() -> None:
    one = tool("f", parameter("a", INTEGER, wire="b"), parameter("b", INTEGER, wire="c"), extra=Anything())
    assert refused_names(one) == ("a",)


def test_a_schema_file_says_its_dialect_first() -> None:
    document = schema_document(schema(tool("f")))
    assert next(iter(document.items())) == ("$schema", "https://json-schema.org/draft/2020-12/schema")


def test_every_schema_is_a_schema() -> None:
    whole = every_type()
    for one in whole.tools:
        Draft202012Validator.check_schema(input_schema(one, whole))
        result = output_schema(one, whole)
        assert result is not None
        Draft202012Validator.check_schema(result)


def test_no_depth_of_a_source_is_too_deep() -> None:
    deep: Type = STRING
    for _ in range(190):
        deep = ListOf(Union((deep, NULL)))
    one = tool("f", parameter("p", deep), output=deep)
    arguments = schema(one)
    assert json.loads(readable_json(arguments)) == json.loads(canonical_json(arguments))
    assert output_schema(one, toolset(one)) == arguments["properties"]["p"]
    for target in TARGETS.values():
        assert rewrite(arguments, target.rewrites) == arguments
