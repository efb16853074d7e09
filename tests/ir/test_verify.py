"""The invariants of a tool set, each broken once."""

from __future__ import annotations

import pytest
from harness.every_type import every_type
from harness.tool_sets import (
    INTEGER,
    NULL,
    STRING,
    agent,
    constants,
    dataclass,
    enumeration,
    field,
    parameter,
    to,
    tool,
    toolset,
)
from lauren_compiler.ir.tools import Binding, Options, ParameterKind, ToolSet
from lauren_compiler.ir.types import Default, ListOf, LiteralOf, Union
from lauren_compiler.ir.verify import InvariantError, verify
from lauren_compiler.source.span import Position, Span
from msgspec.structs import replace


def test_every_type_is_sound() -> None:
    assert verify(every_type()) == every_type()


def test_a_bound_tool_may_have_any_name() -> None:
    verify(toolset(tool("größe", binding=Binding.BIND)))


two = agent("a", tool("f"), tool("g"))
BROKEN = {
    "tool name": toolset(tool("größe")),
    "nothing is defined": toolset(tool("f", parameter("p", to("Gone")))),
    "parameter twice": toolset(tool("f", parameter("p", STRING), parameter("p", STRING, wire="q"))),
    "key twice": toolset(tool("f", parameter("p", STRING), parameter("q", STRING, wire="p"))),
    "order of their kinds": toolset(
        tool("f", parameter("p", STRING, kind=ParameterKind.KEYWORD_ONLY), parameter("q", STRING))
    ),
    "required and has a default, or neither": toolset(tool("f", parameter("p", STRING, required=False))),
    "f is required and has a default": toolset(
        definitions=[dataclass("D", replace(field("f", STRING), default=Default("1")))]
    ),
    "is no JSON": toolset(tool("f", parameter("p", STRING, "NaN"))),
    "metadata is no JSON": toolset(tool("f", options=Options(metadata="{"))),
    "field twice": toolset(definitions=[dataclass("D", field("f", STRING), field("f", STRING, wire="g"))]),
    "without members": toolset(definitions=[enumeration("E", [])]),
    "not flat": toolset(tool("f", parameter("p", ListOf(Union((INTEGER, Union((STRING, NULL)))))))),
    "union member twice": toolset(tool("f", parameter("p", Union((INTEGER, INTEGER))))),
    "empty Literal": toolset(tool("f", extra=LiteralOf(()))),
    "literal twice": toolset(tool("f", output=LiteralOf(constants(1, 1)))),
    "tools out of order": ToolSet((tool("g"), tool("f")), ()),
    "agents out of order": ToolSet((), (), (agent("b"), agent("a"))),
    "agent name": ToolSet((), (), (agent("no name"),)),
    "it has no tool": ToolSet((), (), (agent("a", tool("f")),)),
    "tool name of an agent twice": ToolSet((tool("F"), tool("f")), (), (agent("a", tool("F"), tool("f")),)),
    "tools of an agent out of order": ToolSet(
        (tool("f"), tool("g")), (), (replace(two, tools=tuple(reversed(two.tools))),)
    ),
    "definitions out of order": ToolSet(
        (), tuple(reversed(toolset(definitions=[dataclass("A"), dataclass("B")]).definitions))
    ),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_invariant_is_told_with_what_breaks_it(fault: str) -> None:
    with pytest.raises(InvariantError, match=fault):
        verify(BROKEN[fault])


def test_the_place_is_that_of_the_first_broken_part() -> None:
    sound, broken = tool("f"), tool("g", extra=LiteralOf(()))
    spot = Span("shop.py", Position(7, 1), Position(7, 2))
    with pytest.raises(InvariantError) as caught:
        verify(toolset(sound, replace(broken, span=spot)))
    assert caught.value.span == spot
    definitions = [dataclass("D", field("a", to("Nowhere")), span=spot)]
    with pytest.raises(InvariantError) as caught:
        verify(toolset(sound, definitions=definitions))
    assert caught.value.span == spot


def test_true_and_one_are_different_literals() -> None:
    verify(toolset(tool("f", output=LiteralOf(constants(1, True, 1.0)))))
