"""A tool set survives its JSON form."""

from __future__ import annotations

import json
import math

import pytest
from harness.every_type import every_type
from harness.tool_sets import NULL, STRING, agent, constants, enumeration, parameter, tool, toolset
from lauren_compiler.ir.codec import VERSION, FormatError, from_json, to_json
from lauren_compiler.ir.tools import ContextParameter, Options, ParameterKind, Signature
from lauren_compiler.ir.types import ListOf, LiteralOf, Reference, Stated, Type, Union
from lauren_compiler.ir.values import Constant, Factory, Mapping, Sequence
from lauren_compiler.source.span import Position, Span
from msgspec.structs import replace


def test_every_type_comes_back() -> None:
    toolset_ = every_type()
    assert from_json(to_json(toolset_)) == toolset_


def test_every_part_of_a_tool_comes_back() -> None:
    whole = tool(
        "f",
        parameter("a", STRING, None, passed=Factory("builtins", "list"), description="\ud800 'quoted'"),
        parameter("b", STRING, '"x"', passed=Mapping(((Constant("k"), Sequence("set", constants(1, 2.5))),))),
        extra=NULL,
        context=ContextParameter("ctx", ParameterKind.KEYWORD_ONLY),
        hidden=("_x",),
        options=Options(True, 1.5, "Label", 3, (("pre_hook", "inline"),), '{"a": [1]}'),
        signature=Signature((("a", "positional_only", True),), True, False),
    )
    assert from_json(to_json(toolset(whole))) == toolset(whole)


def test_places_come_back_as_places() -> None:
    span = from_json(to_json(toolset(tool("f", parameter("a", STRING))))).tools[0].span
    assert (type(span), type(span.start)) == (Span, Position)


def test_agents_come_back() -> None:
    one = agent("a", tool("f"), model="m", system="\ud800 'quoted'")
    whole = replace(toolset(tool("f")), agents=(one, agent("b")))
    assert from_json(to_json(whole)) == whole


def test_a_stated_schema_comes_back() -> None:
    stated = Stated('{"type":"object"}', STRING, False, Factory("shop", "parse"), (("node", Reference("shop:Node")),))
    assert from_json(to_json(toolset(tool("f", parameter("a", stated))))).tools[0].parameters[0].type == stated


@pytest.mark.parametrize("value", [True, 1, 1.0, -0.0, 10**30, math.inf, b"\x00\xff", "\udfff", None])
def test_constants_keep_their_type(value: bool | int | float | bytes | str | None) -> None:
    one = tool("f", parameter("p", LiteralOf(constants(value))))
    back = from_json(to_json(toolset(one, definitions=[enumeration("E", constants(value))])))
    (constant,) = [member for _, member in back.definitions[0][1].members]  # type: ignore[union-attr]
    assert repr(constant) == repr(Constant(value))


def test_deep_types_need_no_deep_stack() -> None:
    deep: Type = STRING
    for _ in range(190):
        deep = ListOf(Union((deep, NULL)))
    text = to_json(toolset(tool("f", parameter("p", deep))))
    assert to_json(from_json(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"version": 2}',
        '{"version": 2, "toolset": {"is": "Anything"}}',
        '{"version": 2, "toolset": {"is": "Path"}}',
        '{"version": 2, "toolset": {"is": "ToolSet", "wrong": 1}}',
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(FormatError):
        from_json(text)


def test_another_version_is_refused() -> None:
    document = json.loads(to_json(toolset()))
    document["version"] += 1
    with pytest.raises(FormatError, match=f"version {VERSION + 1}"):
        from_json(json.dumps(document))
