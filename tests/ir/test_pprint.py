"""Types and tools read like what one would write."""

from __future__ import annotations

from harness.every_type import CASES, DEFINITIONS
from harness.tool_sets import BOOLEAN, INTEGER, NULL, STRING, agent, constants, parameter, to, tool, toolset
from lauren_compiler.ir.pprint import tool_text, toolset_text, type_text, value_text
from lauren_compiler.ir.tools import ContextParameter, ParameterKind
from lauren_compiler.ir.types import Described, DictOf, ListOf, LiteralOf, SetOf, TupleOf, Union, VariadicTupleOf
from lauren_compiler.ir.values import Constant, Construction, EnumMember, Factory, Sequence
from lauren_compiler.ir.values import Mapping as MappingValue
from msgspec.structs import replace


def test_types() -> None:
    texts = {
        "list[Point | None]": ListOf(Union((to("Point"), NULL))),
        "dict[str, Order.Line]": DictOf(STRING, to("Order.Line")),
        "tuple[int, ...]": VariadicTupleOf(INTEGER),
        "tuple[int, bool, *tuple[str, ...]]": VariadicTupleOf(STRING, (INTEGER, BOOLEAN)),
        "tuple[()]": TupleOf(()),
        "tuple[int, str]": TupleOf((INTEGER, STRING)),
        "set[int]": SetOf(INTEGER),
        "frozenset[int]": SetOf(INTEGER, frozen=True),
        "int": Described(INTEGER, "text"),
        "Literal['a', 1, Color.RED]": LiteralOf((*constants("a", 1), EnumMember("m:Color", "RED", Constant("r")))),
    }
    assert {text: type_text(type_) for text, type_ in texts.items()} == {text: text for text in texts}


def test_values() -> None:
    texts = {
        "[1, 'a']": Sequence("list", constants(1, "a")),
        "(1,)": Sequence("tuple", constants(1)),
        "{1, 2}": Sequence("set", constants(1, 2)),
        "set()": Sequence("set", ()),
        "frozenset({1})": Sequence("frozenset", constants(1)),
        "{'a': None}": MappingValue(((Constant("a"), Constant(None)),)),
        "Point(x=1)": Construction("shop:Point", (("x", Constant(1)),)),
        "list()": Factory("builtins", "list"),
    }
    assert {text: value_text(value) for text, value in texts.items()} == {text: text for text in texts}


def test_a_tool() -> None:
    whole = tool(
        "f",
        parameter("a", STRING),
        parameter("b", INTEGER, "3", wire="B", kind=ParameterKind.KEYWORD_ONLY),
        parameter("c", INTEGER, None),
        extra=NULL,
        context=ContextParameter("ctx", ParameterKind.POSITIONAL_OR_KEYWORD),
        hidden=("_x",),
        output=STRING,
        is_async=True,
    )
    assert tool_text(whole).splitlines() == [
        "f: function shop:f (import) is_async",
        "    a: str  # positional_or_keyword",
        "    b as 'B': int = 3  # keyword_only",
        "    c: int = ...  # positional_or_keyword",
        "    **: None",
        "    context ctx  # positional_or_keyword",
        "    hidden _x",
        "    -> str",
    ]


def test_an_agent() -> None:
    one = tool("f", module="kit", qualname="K.f")
    text = toolset_text(replace(toolset(one), agents=(agent("a", one),)))
    assert "\n\na: agent shop:A\n    f: kit:K.f\n" in text


def test_definitions() -> None:
    text = toolset_text(toolset(definitions=DEFINITIONS))
    assert "shop:Count = alias of int\n" in text
    assert "shop:Right = flag of A = 1, B = 2\n" in text
    assert "shop:Patch = closed typed_dict\n    id: int\n    note: str | None = ...\n" in text


def test_every_type_has_a_text() -> None:
    assert all(type_text(type_) for _, type_ in CASES)
