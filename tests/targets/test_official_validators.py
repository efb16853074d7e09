"""Provider files of every type against the providers' own packages, and against a compiler of grammars."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest
from harness import requires
from harness.every_type import every_type
from harness.tool_sets import INTEGER, STRING, agent, parameter, tool
from jsonschema import Draft202012Validator
from lauren_compiler.config import Config
from lauren_compiler.emit.json_text import Texts
from lauren_compiler.emit.manifest import entries
from lauren_compiler.ir.tools import ContextParameter, Options, ParameterKind, ToolSet
from lauren_compiler.targets import TARGETS, build
from pydantic import TypeAdapter


@functools.cache
def samples() -> ToolSet:
    """Every type, and tools without parameters, without description, with a label, with keyword arguments."""
    whole = every_type()
    more = [
        tool("tool_bare", description=""),
        tool("tool_label", parameter("x", STRING, '"d"', description="Text."), options=Options(label="A label")),
        tool("tool_kw", extra=INTEGER, context=ContextParameter("ctx", ParameterKind.KEYWORD_ONLY)),
    ]
    tools = tuple(sorted((*whole.tools, *more), key=lambda each: each.order))
    agents = (agent("every_second", *tools[::2]), agent("whole", *tools))
    return ToolSet(tools, whole.definitions, agents)


@pytest.fixture(params=["providers", "agents/every_second", "agents/whole"])
def folder(request: pytest.FixtureRequest) -> str:
    """Where a file for a provider stands: all tools, some of an agent, all of an agent."""
    return str(request.param)


@functools.cache
def file(target: str, folder: str = "providers") -> Any:
    """A file of the samples."""
    found = build(samples(), entries(samples()), Config(sources=(Path("/shop"),), targets=(target,)), Texts())
    (content,) = (artifact.content for artifact in found.artifacts if artifact.path == f"{folder}/{target}.json")
    return json.loads(content)


def test_openai(folder: str) -> None:
    package = requires.package("openai.types.chat", "openai==3.57.0")
    check = TypeAdapter(package.ChatCompletionFunctionToolParam)
    for each in file("openai", folder):
        check.validate_python(each, strict=True, extra="forbid")
    with pytest.raises(ValueError, match="1 validation error"):
        check.validate_python({**file("openai")[0], "input_schema": {}}, strict=True, extra="forbid")


def test_openai_responses(folder: str) -> None:
    package = requires.package("openai.types.responses", "openai==3.57.0")
    check = TypeAdapter(package.FunctionToolParam)
    for each in file("openai-responses", folder):
        check.validate_python(each, strict=True, extra="forbid")
    with pytest.raises(ValueError, match="validation error"):
        check.validate_python(file("openai")[0], strict=True, extra="forbid")


def test_anthropic(folder: str) -> None:
    package = requires.package("anthropic.types", "anthropic==2.14.0")
    check = TypeAdapter(package.ToolParam)
    for each in file("anthropic", folder):
        check.validate_python(each, extra="forbid")
    with pytest.raises(ValueError, match="validation error"):
        check.validate_python({"name": "w", "parameters": {}}, extra="forbid")


def test_gemini(folder: str) -> None:
    types = requires.package("google.genai.types", "google-genai==3.6.1")
    (tools,) = file("gemini", folder)
    for each in tools["functionDeclarations"]:
        back = types.FunctionDeclaration.model_validate(each).model_dump(by_alias=True, exclude_unset=True)
        assert back == each
    types.Tool.model_validate(tools)
    with pytest.raises(ValueError, match="validation error"):
        types.FunctionDeclaration.model_validate({**tools["functionDeclarations"][0], "strict": False})


def test_bedrock(folder: str) -> None:
    session = requires.package("botocore.session", "botocore==1.44.8")
    validate = requires.package("botocore.validate", "botocore==1.44.8")
    model = session.get_session().get_service_model("bedrock-runtime")
    shape = model.shape_for("ToolConfiguration")
    report = validate.ParamValidator().validate({"tools": file("bedrock", folder)}, shape)
    assert not report.has_errors(), report.generate_report()
    bad = [{"toolSpec": {"name": "w", "description": "", "inputSchema": {"json": {}}}}]
    assert validate.ParamValidator().validate({"tools": bad}, shape).has_errors()
    name = model.shape_for("ToolName").metadata
    assert (name["min"], name["max"], name["pattern"]) == (1, 64, "[a-zA-Z0-9_-]+")


@pytest.mark.parametrize("revision", ["_v2025_11_25", "_v2026_07_28"])
def test_mcp(revision: str, folder: str) -> None:
    types = requires.package(f"mcp_types.{revision}", "mcp-types==2.3.0")
    for each in file("mcp", folder):
        back = types.Tool.model_validate(each).model_dump(mode="json", by_alias=True, exclude_unset=True)
        assert back == each
    with pytest.raises(ValueError, match="validation error"):
        types.Tool.model_validate({"name": "w", "inputSchema": {"type": "array"}})


@pytest.mark.parametrize("target", TARGETS)
def test_every_parameter_schema_is_a_schema_that_admits_what_the_neutral_one_admits(target: str) -> None:
    neutral = {entry["name"]: entry["input_schema"] for entry in entries(samples())}
    seen = 0
    for name, schema in schemas(target):
        Draft202012Validator.check_schema(schema)
        for value in VALUES:
            arguments = {"p": value}
            verdict = Draft202012Validator(schema).is_valid(arguments)
            assert verdict is Draft202012Validator(neutral[name]).is_valid(arguments), (name, value)
            seen += verdict
    assert seen > 100


VALUES: list[Any] = [
    None, True, 1, 1.5, "a", "red", "b", "", [], [1], [1, 1], ["a"], [1, "x"], [1, {}, "a"], [[1, 2]], {}, {"a": 1},
    {"red": 1}, {"x": 1}, {"x": 1, "y": "z"}, {"id": 1}, {"id": 1, "note": None}, {"left": {"left": None}}, [{"x": 1}],
    [[1, 2], {"id": 2}], {"a": ["b", None, {"c": "d"}]},
]  # fmt: skip


def schemas(target: str) -> list[tuple[str, Any]]:
    """The name and schema of every tool in a provider's file that has a schema there."""
    if target == "gemini":
        (tools,) = file(target)
        return [
            (each["name"], each["parametersJsonSchema"])
            for each in tools["functionDeclarations"]
            if "parametersJsonSchema" in each
        ]
    places = {
        "anthropic": lambda each: (each["name"], each["input_schema"]),
        "openai": lambda each: (each["function"]["name"], each["function"]["parameters"]),
        "openai-responses": lambda each: (each["name"], each["parameters"]),
        "bedrock": lambda each: (each["toolSpec"]["name"], each["toolSpec"]["inputSchema"]["json"]),
        "mcp": lambda each: (each["name"], each["inputSchema"]),
    }
    return [places[target](each) for each in file(target)]
