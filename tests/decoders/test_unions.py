"""Which branch of a union a value goes to: pydantic's smart mode, without its coercions."""

from __future__ import annotations

import json
import time
from collections import Counter, OrderedDict, defaultdict
from contextlib import suppress
from typing import Any, Literal, NamedTuple

import pytest
from harness import every_type
from harness.generated import decoder, importable, module
from harness.tool_sets import (
    BOOLEAN,
    INTEGER,
    NUMBER,
    STRING,
    constants,
    dataclass,
    field,
    parameter,
    to,
    tool,
    toolset,
)
from harness.verdicts import same
from lauren_compiler.ir.types import Anything, Built, BuiltKind, DictOf, ListOf, LiteralOf, SetOf, Type, VariadicTupleOf
from lauren_compiler.ir.types import Union as UnionOf
from lauren_runtime.decoding import complete
from lauren_runtime.errors import ToolInputError
from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass as make

ANY = Anything()
ORDERED = Built(DictOf(STRING, NUMBER), BuiltKind.ORDERED_DICT)
COUNTED = Built(DictOf(STRING, INTEGER), BuiltKind.COUNTER)
DEFAULT = Built(DictOf(STRING, NUMBER), BuiltKind.DEFAULT_DICT, "float")


@pytest.mark.parametrize(
    ("annotation", "type_", "text"),
    [
        (int | float, UnionOf((INTEGER, NUMBER)), "1.0"),
        (float | int, UnionOf((NUMBER, INTEGER)), "1"),
        (Any | float, UnionOf((ANY, NUMBER)), "1"),
        (float | Any, UnionOf((NUMBER, ANY)), "1"),
        (Any | int, UnionOf((ANY, INTEGER)), "1.0"),
        (bool | int, UnionOf((BOOLEAN, INTEGER)), "1"),
        (set[int] | list[int], UnionOf((SetOf(INTEGER), ListOf(INTEGER))), "[1]"),
        (set[int] | tuple[int, ...], UnionOf((SetOf(INTEGER), VariadicTupleOf(INTEGER))), "[1]"),
        (list[float] | list[int], UnionOf((ListOf(NUMBER), ListOf(INTEGER))), "[1]"),
        (list[float] | list[int], UnionOf((ListOf(NUMBER), ListOf(INTEGER))), "[1, 2.5]"),
        (set[str] | list[Any], UnionOf((SetOf(STRING), ListOf(ANY))), '["a"]'),
        (tuple[str, ...] | list[Any], UnionOf((VariadicTupleOf(STRING), ListOf(ANY))), '["a"]'),
        (dict[str, Any] | every_type.Empty, UnionOf((DictOf(STRING, ANY), to("Empty"))), "{}"),
        (list[str] | list[Any], UnionOf((ListOf(STRING), ListOf(ANY))), '["a"]'),
        (every_type.Color | str, UnionOf((to("Color"), STRING)), '"red"'),
        (every_type.Color | Literal["red"], UnionOf((to("Color"), LiteralOf(constants("red")))), '"red"'),
        (str | Literal["red"], UnionOf((STRING, LiteralOf(constants("red")))), '"red"'),
        (Literal[1] | float, UnionOf((LiteralOf(constants(1)), NUMBER)), "1.0"),
        (float | Literal[1], UnionOf((NUMBER, LiteralOf(constants(1)))), "1"),
        (every_type.Point | every_type.Patch, UnionOf((to("Point"), to("Patch"))), '{"id": 1, "x": 2}'),
        (every_type.Tree | every_type.Point, UnionOf((to("Tree"), to("Point"))), '{"x": 2}'),
        (every_type.Tree | every_type.Empty, UnionOf((to("Tree"), to("Empty"))), '{"x": 2}'),
        (every_type.Empty | dict[str, Any], UnionOf((to("Empty"), DictOf(STRING, ANY))), '{"x": 2}'),
        (dict[str, Any] | every_type.Patch, UnionOf((DictOf(STRING, ANY), to("Patch"))), '{"id": 2}'),
        (every_type.Empty | OrderedDict[str, float], UnionOf((to("Empty"), ORDERED)), "{}"),
        (OrderedDict[str, float] | every_type.Empty, UnionOf((ORDERED, to("Empty"))), "{}"),
        (OrderedDict[str, float] | dict[str, float], UnionOf((ORDERED, DictOf(STRING, NUMBER))), "{}"),
        (every_type.Empty | Counter[str], UnionOf((to("Empty"), COUNTED)), "{}"),
        (Counter[str] | every_type.Empty, UnionOf((COUNTED, to("Empty"))), "{}"),
        (every_type.Empty | defaultdict[str, float], UnionOf((to("Empty"), DEFAULT)), "{}"),
        (every_type.Empty | defaultdict[str, float], UnionOf((to("Empty"), DEFAULT)), '{"x": 2}'),
        (OrderedDict[str, float] | dict[str, float], UnionOf((ORDERED, DictOf(STRING, NUMBER))), '{"x": 2}'),
        (every_type.Span | list[int], UnionOf((to("Span"), ListOf(INTEGER))), "[1]"),
        (tuple[int, ...] | every_type.Span, UnionOf((VariadicTupleOf(INTEGER), to("Span"))), "[1]"),
        (
            dict[str, int] | dict[int, int],
            UnionOf((DictOf(STRING, INTEGER), DictOf(INTEGER, INTEGER))),
            '{"1": 1}',
        ),
        (
            dict[int, int] | dict[str, int],
            UnionOf((DictOf(INTEGER, INTEGER), DictOf(STRING, INTEGER))),
            '{"1": 1}',
        ),
        (dict[int, int] | dict[str, int], UnionOf((DictOf(INTEGER, INTEGER), DictOf(STRING, INTEGER))), "{}"),
    ],
)
def test_the_branch_is_the_one_pydantic_takes(annotation: Any, type_: Type, text: str) -> None:
    ours = decoder(type_)({"p": json.loads(text)}, False)[1]["p"]
    assert same(ours, TypeAdapter(annotation).validate_json(text))


def test_coercion_does_not_win_over_a_branch_that_fits() -> None:
    """pydantic reads `"5"` as 5 where that fills one field more; here a repair needs that no branch takes the value."""
    more, less = dataclass("More", field("x", INTEGER), field("y", STRING)), dataclass("Less", field("x", STRING))
    type_ = UnionOf((to("More"), to("Less")))
    tools = toolset(tool("f", parameter("p", type_)), definitions=[more, less])
    value = {"x": "5", "y": "a"}

    @make
    class More:
        x: int
        y: str

    @make
    class Less:
        x: str

    with importable("shop", {"More": More, "Less": Less}):
        assert module(tools)["f"]({"p": value}, True) == ((), {"p": Less("5")}, ())
        adapter = TypeAdapter(More | Less)
        assert adapter.validate_json(json.dumps(value)) == More(5, "a")
        assert adapter.validate_json(json.dumps(value), strict=True) == Less("5")


@make
class Cat:
    kind: Literal["cat", "lion"]
    lives: int


@make
class Dog:
    kind: Literal["dog"]
    weight: float
    name: str = "Rex"


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ({"kind": "lion", "lives": 9}, Cat("lion", 9)),
        ({"kind": "dog", "weight": 1}, Dog("dog", 1.0)),
        ({"kind": "dog", "weight": 1.5, "name": "Bob"}, Dog("dog", 1.5, "Bob")),
        ({"kind": "dog", "weight": 1.5, "other": "Bob"}, Dog("dog", 1.5)),
        (7, 7),
        ({"kind": "cat", "lives": "x"}, ['p.lives: expected an integer, got "x" (a string)']),
        ({"kind": "dog", "lives": 9}, ["p.weight: required, but missing: a number"]),
        ({"kind": ["dog"], "weight": 9}, None),
        ({"weight": 9}, ["p.kind: required, but missing: one of the allowed values"]),
    ],
)
def test_objects_that_tell_themselves_apart(value: Any, result: Any) -> None:
    type_ = UnionOf((to("Cat"), INTEGER, to("Dog")))
    cat = dataclass("Cat", field("kind", LiteralOf(constants("cat", "lion"))), field("lives", INTEGER))
    dog = dataclass(
        "Dog", field("kind", LiteralOf(constants("dog"))), field("weight", NUMBER), field("name", STRING, '"Rex"')
    )
    with importable("shop", {"Cat": Cat, "Dog": Dog}):
        names = module(toolset(tool("f", parameter("p", type_)), definitions=[cat, dog]))
        for decode in (names["f"], lambda given, repair: complete(names["check_f"], given, repair)):
            if isinstance(result, list) or result is None:
                with pytest.raises(ToolInputError) as caught:
                    decode({"p": value}, True)
                assert result is None or [each.message for each in caught.value.errors] == result
            else:
                assert decode({"p": value}, True) == ((), {"p": result}, ())


class _Left(NamedTuple):
    a: Any = None


class _Right(NamedTuple):
    a: Any = None


@pytest.mark.parametrize("bottom", [{}, {"a": 5}, "x"])
def test_a_recursive_union_costs_no_more_than_its_value(bottom: Any) -> None:
    """Two branches of one shape: without memory each level would double the work."""
    both = UnionOf((to("_Left"), to("_Right")))
    definitions = [dataclass(name, field("a", both, "null")) for name in ("_Left", "_Right")]
    tools = toolset(tool("f", parameter("p", both)), definitions=definitions)
    value: Any = bottom
    for _ in range(60):
        value = {"a": value}
    with importable("shop", {"_Left": _Left, "_Right": _Right}):
        decode = module(tools)["f"]
        began = time.process_time()
        with suppress(ToolInputError):
            decode({"p": value}, True)
        assert time.process_time() - began < 5
