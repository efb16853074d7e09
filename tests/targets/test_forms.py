"""What each provider file holds, word for word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from harness.tool_sets import INTEGER, STRING, constants, dataclass, field, parameter, to, tool, toolset
from lauren_compiler.config import Config
from lauren_compiler.emit.json_text import Texts
from lauren_compiler.emit.manifest import entries
from lauren_compiler.ir.tools import Binding, Options, ToolSet
from lauren_compiler.ir.types import ListOf, LiteralOf, TupleOf
from lauren_compiler.targets import DEFAULT_TARGETS, Offers, build

WEATHER = tool(
    "get_weather",
    parameter("city", STRING, description="The city."),
    parameter("unit", LiteralOf(constants("celsius", "fahrenheit")), '"celsius"'),
    description="Return the weather.",
)
SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "The city."},
        "unit": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
    },
    "required": ["city"],
    "additionalProperties": False,
}
NAMED = {"name": "get_weather", "description": "Return the weather."}


def offers(whole: ToolSet, *targets: str) -> Offers:
    return build(whole, entries(whole), Config(sources=(Path("/shop"),), targets=targets), Texts())


def files(found: Offers) -> dict[str, Any]:
    return {artifact.path: json.loads(artifact.content) for artifact in found.artifacts}


def only(whole: ToolSet, target: str) -> Any:
    (file,) = files(offers(whole, target)).values()
    return file


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("anthropic", {**NAMED, "input_schema": SCHEMA}),
        ("openai", {"type": "function", "function": {**NAMED, "parameters": SCHEMA}}),
        ("openai-responses", {"type": "function", **NAMED, "parameters": SCHEMA, "strict": False}),
        ("gemini", {"functionDeclarations": [{**NAMED, "parametersJsonSchema": SCHEMA}]}),
        ("bedrock", {"toolSpec": {**NAMED, "inputSchema": {"json": SCHEMA}}}),
        ("mcp", {**NAMED, "inputSchema": SCHEMA}),
    ],
)
def test_the_weather_tool(target: str, expected: Any) -> None:
    assert json.dumps(only(toolset(WEATHER), target)) == json.dumps([expected])


def test_every_target_is_built_by_default() -> None:
    found = offers(toolset(WEATHER))
    assert list(files(found)) == [f"providers/{name}.json" for name in DEFAULT_TARGETS]
    assert list(found.manifest) == list(DEFAULT_TARGETS)
    assert found.diagnostics == ()


def test_no_tools_make_empty_files() -> None:
    assert all(file == [] for file in files(offers(toolset())).values())


def test_what_the_manifest_says_of_a_target() -> None:
    plain = {"lossy": [], "omitted": [], "tools": ["get_weather"], "group": None, "bind": []}
    found = offers(toolset(WEATHER)).manifest
    assert found["mcp"] == plain
    assert found["gemini"] == {**plain, "group": "functionDeclarations"}


def test_a_tool_that_is_bound_later_stands_in_the_manifest_alone() -> None:
    bound = tool("later", qualname="outer.<locals>.later", binding=Binding.BIND, description="")
    found = offers(toolset(WEATHER, bound), "anthropic")
    assert [each["name"] for each in files(found)["providers/anthropic.json"]] == ["get_weather"]
    assert found.manifest["anthropic"]["bind"] == [
        {
            "tool": "shop:outer.<locals>.later",
            "entry": {
                "name": "later",
                "input_schema": {"type": "object", "properties": {}, "additionalProperties": False},
            },
        }
    ]


def test_a_missing_description_is_left_out_and_not_empty() -> None:
    silent = toolset(tool("f", description=""))
    assert "description" not in only(silent, "anthropic")[0]
    assert "description" not in only(silent, "openai")[0]["function"]
    assert "description" not in only(silent, "bedrock")[0]["toolSpec"]


def test_gemini_gets_no_schema_of_a_tool_without_parameters() -> None:
    assert only(toolset(tool("f")), "gemini") == [{"functionDeclarations": [{"name": "f", "description": "Does it."}]}]
    open_root = only(toolset(tool("f", extra=INTEGER)), "gemini")[0]["functionDeclarations"][0]
    assert open_root["parametersJsonSchema"]["additionalProperties"] == {"type": "integer"}


def test_openai_gets_items_for_every_array() -> None:
    whole = toolset(
        tool(
            "f",
            parameter("p", ListOf(TupleOf((INTEGER, TupleOf(()))))),
            parameter("items", INTEGER, '{"type":"array"}'),
        )
    )
    properties = only(whole, "openai")[0]["function"]["parameters"]["properties"]
    inner = {"type": "array", "minItems": 0, "maxItems": 0, "items": {}}
    pair = {"type": "array", "prefixItems": [{"type": "integer"}, inner], "minItems": 2, "maxItems": 2, "items": {}}
    assert properties == {
        "p": {"type": "array", "items": pair},
        "items": {"type": "integer", "default": {"type": "array"}},
    }
    assert "items" not in entries(whole)[0]["input_schema"]["properties"]["p"]["items"]


def test_gemini_gets_no_siblings_of_references_and_no_const() -> None:
    whole = toolset(
        tool("f", parameter("p", to("D"), "null", description="Text.")),
        definitions=[dataclass("D", field("const", LiteralOf(constants("x"))))],
    )
    schema = only(whole, "gemini")[0]["functionDeclarations"][0]["parametersJsonSchema"]
    assert schema["properties"] == {"p": {"anyOf": [{"$ref": "#/$defs/D"}], "description": "Text.", "default": None}}
    assert schema["$defs"]["D"]["properties"] == {"const": {"type": "string", "enum": ["x"]}}


def test_mcp_has_a_title_and_an_output_schema() -> None:
    definitions = [dataclass("D", field("next", ListOf(to("D"))))]
    recursive = tool("f", output=to("D"), options=Options(label="A title"))
    (found,) = only(toolset(recursive, definitions=definitions), "mcp")
    assert found["title"] == "A title"
    assert found["outputSchema"] == {
        "type": "object",
        "$ref": "#/$defs/D",
        "$defs": {
            "D": {
                "type": "object",
                "properties": {"next": {"type": "array", "items": {"$ref": "#/$defs/D"}}},
                "required": ["next"],
            }
        },
    }


def test_mcp_wraps_a_result_that_is_no_object() -> None:
    definitions = [dataclass("D", field("x", INTEGER))]
    (found,) = only(toolset(tool("f", output=ListOf(to("D"))), definitions=definitions), "mcp")
    assert found["outputSchema"] == {
        "type": "object",
        "properties": {"result": {"type": "array", "items": {"$ref": "#/$defs/D"}}},
        "required": ["result"],
        "$defs": {"D": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}},
    }
