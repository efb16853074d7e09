"""What providers refuse: an error where the user named the target, else a warning and a tool left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness.tool_sets import INTEGER, dataclass, field, parameter, to, tool, toolset
from lauren_compiler.config import Config
from lauren_compiler.diagnostics.model import Level
from lauren_compiler.emit.json_text import Texts
from lauren_compiler.emit.manifest import entries
from lauren_compiler.ir.tools import Binding, Tool, ToolSet
from lauren_compiler.ir.types import ObjectKind
from lauren_compiler.source.span import Position, Span
from lauren_compiler.targets import TARGETS, Offers, build
from lauren_compiler.targets.base import Certainty, Target
from lauren_compiler.targets.checks import Candidate, findings
from msgspec.structs import replace

FINE = tool("fine", parameter("x", INTEGER))


def offers(whole: ToolSet, *targets: str, named: bool = True) -> Offers:
    return build(whole, entries(whole), Config(sources=(Path("/shop"),), targets=targets, targets_named=named), Texts())


def found(found: Offers) -> list[tuple[str, Level]]:
    return [(one.rule.code, one.level) for one in found.diagnostics]


REFUSED = [
    ("gemini", "LC501", tool("2go")),
    ("gemini", "LC502", tool("f", description="")),
    ("gemini", "LC504", tool("f", parameter("größe", INTEGER))),
    ("gemini", "LC504", tool("f", parameter("p", to("D")))),
    ("gemini", "LC504", tool("f", parameter("x" * 65, INTEGER))),
    ("anthropic", "LC501", tool("x" * 129, binding=Binding.BIND)),
    ("openai", "LC501", tool("a.b", binding=Binding.BIND)),
    ("openai-responses", "LC501", tool("x" * 65, binding=Binding.BIND)),
    ("bedrock", "LC501", tool("x" * 65, binding=Binding.BIND)),
    ("mcp", "LC501", tool("größe", binding=Binding.BIND)),
]
DEFINITIONS = [dataclass("D", field("a-b", INTEGER))]


@pytest.mark.parametrize(("target", "code", "refused"), REFUSED)
def test_a_named_targets_limit_is_an_error(target: str, code: str, refused: Tool) -> None:
    whole = toolset(refused, FINE, definitions=DEFINITIONS)
    assert found(offers(whole, target)) == [(code, Level.ERROR)]


@pytest.mark.parametrize(("target", "code", "refused"), REFUSED)
def test_a_default_targets_limit_is_a_warning_and_leaves_the_tool_out(target: str, code: str, refused: Tool) -> None:
    whole = toolset(refused, FINE, definitions=DEFINITIONS)
    result = offers(whole, target, named=False)
    assert found(result) == [(code, Level.WARNING)]
    (diagnostic,) = result.diagnostics
    assert result.manifest[target]["omitted"] == [{"tool": refused.name, "code": code, "message": diagnostic.message}]
    assert result.manifest[target]["tools"] == ["fine"]
    assert result.manifest[target]["bind"] == []
    assert f"`{refused.name}` is left out of providers/{target}.json" in diagnostic.notes
    assert any(note.startswith("source: ") for note in diagnostic.notes)


REPORTED = [
    ("anthropic", "LC504", tool("f", parameter("größe", INTEGER))),
    ("openai", "LC502", tool("f", description="x" * 1025)),
    ("bedrock", "LC501", tool("2go")),
]


@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize(("target", "code", "doubtful"), REPORTED)
def test_what_the_documents_leave_open_warns_and_keeps_the_tool(
    target: str, code: str, doubtful: Tool, named: bool
) -> None:
    result = offers(toolset(doubtful), target, named=named)
    assert found(result) == [(code, Level.WARNING)]
    assert result.manifest[target]["omitted"] == []
    assert result.manifest[target]["tools"] == [doubtful.name]


def test_only_so_many_tools() -> None:
    many = toolset(*(tool(f"t{number:03}") for number in range(514)))
    result = offers(many, "gemini", "openai", named=False)
    assert [one["tool"] for one in result.manifest["gemini"]["omitted"]] == ["t512", "t513"]
    assert {one["code"] for one in result.manifest["gemini"]["omitted"]} == {"LC503"}
    assert len(result.manifest["gemini"]["tools"]) == 512
    assert len(result.manifest["openai"]["tools"]) == 514
    assert found(result) == [("LC503", Level.WARNING)] * 2
    gemini, openai = sorted(result.diagnostics, key=lambda one: one.message)
    assert (gemini.label, openai.label) == ("`t512` is number 513", "`t128` is number 129")
    assert gemini.notes[1:] == tuple(f"`t{number}` is left out of providers/gemini.json" for number in (512, 513))
    assert len(openai.notes) == 1


def test_many_tools_that_are_too_many_are_named_in_part() -> None:
    (only,) = offers(toolset(*(tool(f"t{number:03}") for number in range(530))), "gemini", named=False).diagnostics
    assert only.notes[-2:] == ("`t521` is left out of providers/gemini.json", "and so are 8 more")


def test_a_finding_points_at_the_property() -> None:
    spot = Span("shop.py", Position(3, 5), Position(3, 8))
    definitions = [dataclass("D", field("a-b", INTEGER, span=spot))]
    result = offers(toolset(tool("f", parameter("p", to("D"))), definitions=definitions), "gemini")
    assert [one.span for one in result.diagnostics] == [spot]


def test_the_fields_of_a_named_tuple_are_no_properties() -> None:
    definitions = [replace(DEFINITIONS[0], kind=ObjectKind.NAMED_TUPLE)]
    assert found(offers(toolset(tool("f", parameter("p", to("D"))), definitions=definitions), "gemini")) == []


@pytest.mark.parametrize("target", ["anthropic", "openai", "openai-responses"])
def test_a_schema_whose_root_is_a_union(target: str) -> None:
    candidate = Candidate(FINE, toolset(FINE), {"type": "object", "anyOf": [{}]})
    assert [one.rule.code for one in findings(candidate, TARGETS[target])] == ["LC505"]


@pytest.mark.parametrize("target", list(TARGETS.values()), ids=lambda target: target.name)
def test_every_limit_says_where_it_was_read_and_when(target: Target) -> None:
    assert target.limits
    for limit in target.limits:
        assert limit.source
        assert limit.read.startswith("2026-")
        assert limit.certainty in Certainty


def test_an_error_in_one_target_leaves_the_others_whole() -> None:
    result = offers(toolset(tool("2go")), "gemini", "mcp")
    assert [json.loads(artifact.content) == [] for artifact in result.artifacts] == [True, False]
