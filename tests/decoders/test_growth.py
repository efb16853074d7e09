"""Types with more paths through them than anybody can go: each definition is looked at once. Else these never end."""

from __future__ import annotations

from typing import Any

import pytest
from harness.generated import importable, module
from harness.tool_sets import INTEGER, SPAN, STRING, constants, dataclass, field, parameter, to, tool, toolset
from lauren_compiler.emit import dispatch, manifest
from lauren_compiler.emit.decoders import unordered
from lauren_compiler.ir.tools import ToolSet
from lauren_compiler.ir.types import (
    AliasDefinition,
    Bounded,
    Bounds,
    Definition,
    Described,
    DictOf,
    ListOf,
    LiteralOf,
    ObjectKind,
    SetOf,
    Type,
    Union,
)
from lauren_compiler.targets import DEFAULT_TARGETS, TARGETS
from lauren_compiler.targets.rewrite import rewrite
from lauren_runtime.errors import ToolInputError

TYPED_DICT = {"kind": ObjectKind.TYPED_DICT}


def pairs(leaf: Type, levels: int) -> ToolSet:
    """Two fields of the class below, over and over."""
    made = [dataclass("D0", field("a", leaf), **TYPED_DICT)]
    for level in range(levels):
        below = to(f"D{level}")
        made.append(dataclass(f"D{level + 1}", field("a", below), field("b", below), **TYPED_DICT))
    return one(to(f"D{levels}"), made)


def circle(leaf: Type, count: int) -> ToolSet:
    """Classes each of which has lists of all."""
    lists = [field(f"f{index}", ListOf(to(f"C{index}")), None) for index in range(count)]
    return one(
        to("C0"), [dataclass(f"C{index}", field("s", leaf, None), *lists, **TYPED_DICT) for index in range(count)]
    )


def aliases(leaf: Type, levels: int) -> ToolSet:
    """Unions of the two aliases below, over and over."""
    made = [_alias("A0", leaf), _alias("B0", LiteralOf(constants("x", "y")))]
    for level in range(levels):
        below = (to(f"A{level}"), to(f"B{level}"))
        made += [_alias(f"A{level + 1}", Union(below)), _alias(f"B{level + 1}", Union(below[::-1]))]
    return one(to(f"A{levels}"), made)


def _alias(name: str, type_: Type) -> AliasDefinition:
    return AliasDefinition("shop", name, type_, SPAN)


def one(type_: Type, definitions: list[Any]) -> ToolSet:
    return toolset(tool("f", parameter("p", type_)), definitions=definitions)


CASES = [
    (pairs(STRING, 60), 0, {"a": 5}),
    (pairs(SetOf(STRING), 60), 0, {"a": 5}),
    (circle(STRING, 10), 0, {"f1": [{"f2": [{"f3": 5}]}]}),
    (circle(SetOf(STRING), 10), 64, {"f1": [{"f2": [{"f3": 5}]}]}),
    (aliases(STRING, 60), 0, 5),
    (aliases(SetOf(STRING), 60), 0, [1]),
    (aliases(SetOf(STRING), 60), 0, "z"),
]


@pytest.mark.parametrize(("tools", "paths", "wrong"), CASES)
def test_definitions_are_looked_at_once(tools: ToolSet, paths: int, wrong: Any) -> None:
    assert len(unordered(tools, tools.tools[0])) == paths
    entries = manifest.entries(tools)
    assert len(dispatch.render(tools, entries, "d" * 64).content) < 20_000
    for target in DEFAULT_TARGETS:
        assert rewrite(entries[0]["input_schema"], TARGETS[target].rewrites)
    with importable("shop", {}), pytest.raises(ToolInputError) as caught:
        module(tools)["f"]({"p": wrong}, True)
    assert len(str(caught.value)) < 500


def test_a_set_near_the_root_is_found() -> None:
    deep = [dataclass("Top", field("tags", SetOf(STRING)), field("rest", to("D60")), **TYPED_DICT)]
    tools = one(to("Top"), [*deep, *(definition for _, definition in pairs(SetOf(STRING), 60).definitions)])
    assert unordered(tools, tools.tools[0]) == (("p", "tags"),)


LEFT = dataclass("Left", field("k", SetOf(INTEGER)))
RIGHT = dataclass("Right", field("k", ListOf(INTEGER)))
ODD = dataclass("Odd", field("[]", SetOf(INTEGER)), field("{}", SetOf(INTEGER)), field("k", SetOf(INTEGER)))
KNOT = _alias("Knot", Union((SetOf(INTEGER), DictOf(STRING, Described(to("Knot"), "Again.")))))


@pytest.mark.parametrize(
    ("type_", "paths"),
    [
        (Bounded(SetOf(INTEGER), Bounds(min_length=1)), (("p",),)),
        (Union((to("Left"), to("Right"))), ()),
        (Union((to("Left"), DictOf(STRING, ListOf(INTEGER)))), ()),
        (Union((to("Left"), ListOf(to("Left")))), (("p", "k"), ("p", "[]", "k"))),
        (to("Odd"), (("p", "k"),)),
        (to("Knot"), (("p",),)),
    ],
)
def test_only_what_is_surely_a_set(type_: Type, paths: tuple[tuple[str, ...], ...]) -> None:
    """Sorting what another branch reads as a list would give the cached result of another call."""
    definitions: list[Definition] = [LEFT, RIGHT, ODD, KNOT]
    tools = one(type_, definitions)
    assert unordered(tools, tools.tools[0]) == paths


@pytest.mark.parametrize(("beside", "paths"), [(ListOf(INTEGER), ()), (INTEGER, (("{}",),))])
def test_sets_in_the_rest(beside: Type, paths: tuple[tuple[str, ...], ...]) -> None:
    """`{}` stands for the parameters too: it is not used where it would meet one that is a list."""
    tools = toolset(tool("f", parameter("p", beside), extra=SetOf(INTEGER)))
    assert unordered(tools, tools.tools[0]) == paths
