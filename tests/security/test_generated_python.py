"""Text from sources cannot break out of generated Python, whatever it is; and black has nothing to say about it."""

from __future__ import annotations

import ast
from typing import Any

import black
import pytest
from harness.generated import decode_of, texts
from harness.tool_sets import (
    INTEGER,
    NUMBER,
    STRING,
    agent,
    constants,
    dataclass,
    enumeration,
    field,
    parameter,
    tool,
    toolset,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lauren_compiler.emit import dispatch
from lauren_compiler.ir.tools import Binding, Form, Options, ParameterKind, SourceLocation, Tool, ToolSet
from lauren_compiler.ir.types import DictOf, ListOf, LiteralOf, ObjectKind, Reference, SetOf, Type, Union
from lauren_compiler.ir.values import Constant, Factory, Sequence
from msgspec.structs import replace

ATTACKS = [
    '"""',
    "'''",
    '"; import os; "',
    "\\",
    "\\\"\\'",
    "\n    import os\n",
    "\r",
    "\u2028",
    "{{ view }}",
    "{% endfor %}",
    "{# #}",
    "{}%s$x`",
    "\u202eevil\u2066",
    "\ud800",
    "# type: ignore\n",
    "fmt: off",
    "# fmt: skip",
    "x" * 200,
    "a " * 60,
    "(" * 90,
    "f(a, b" * 15,
    "'\", (" * 20,
    "é" * 50,
    "class",
    "__builtins__",
    "at",
    "passed",
    "arguments",
]
hostile = st.one_of(st.sampled_from(ATTACKS), st.text(st.characters(exclude_categories=()), max_size=20))
identifiers = st.sampled_from(
    ["city", "class_", "at", "passed", "number", "self", "naïve", "v" * 90, "text", "given", "args"]
)


def types() -> st.SearchStrategy[Type]:
    literals = st.lists(hostile | st.integers() | st.booleans(), min_size=1, max_size=4, unique_by=repr)
    leaves = st.one_of(
        st.sampled_from([STRING, INTEGER, NUMBER, *map(Reference, ("m:E", "m:D", "m:T"))]),
        literals.map(lambda values: LiteralOf(constants(*values))),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            inner.map(ListOf),
            inner.map(lambda value: DictOf(STRING, value)),
            st.lists(inner, min_size=2, max_size=3, unique=True).map(lambda members: Union(tuple(members))),
        ),
        max_leaves=4,
    )


@st.composite
def parameters(draw: st.DrawFn) -> Any:
    names = draw(st.lists(identifiers, max_size=4, unique=True))
    wires = draw(st.lists(hostile, min_size=len(names), max_size=len(names), unique=True))
    order = list(ParameterKind)
    kinds = sorted((draw(st.sampled_from(order)) for _ in names), key=order.index)
    passed = st.sampled_from([None, Constant('"\n'), Factory("m", "D"), Sequence("list", constants(1, "'"))])
    return [
        parameter(name, draw(types()), None, wire=wire, kind=kind, passed=draw(passed))
        if draw(st.booleans())
        else parameter(name, draw(types()), wire=wire, kind=kind)
        for name, wire, kind in zip(names, wires, kinds, strict=True)
    ]


@st.composite
def tools(draw: st.DrawFn) -> ToolSet:
    names = draw(st.lists(identifiers, max_size=3, unique=True))
    wires = draw(st.lists(hostile, min_size=len(names), max_size=len(names), unique=True))
    members = [
        field(name, draw(st.sampled_from([STRING, NUMBER])), wire=wire) for name, wire in zip(names, wires, strict=True)
    ]
    definitions = [
        enumeration("E", constants(*draw(st.lists(hostile, min_size=1, max_size=3, unique=True))), module="m"),
        dataclass("D", *members, module="m"),
        dataclass("T", *members, module="m", kind=ObjectKind.TYPED_DICT, closed=True),
    ]
    made: list[Tool] = []
    for index in range(draw(st.integers(1, 2))):
        made.append(
            tool(
                f"{draw(hostile)}{index}",
                *draw(parameters()),
                module=draw(st.sampled_from(["m", "m.n"])),
                qualname=draw(hostile),
                source=SourceLocation(draw(hostile), 1),
                binding=Binding.BIND,
                form=draw(st.sampled_from(list(Form))),
                extra=draw(st.none() | types()),
                hidden=tuple(draw(st.lists(hostile, max_size=1))),
                options=Options(label=draw(hostile), cache_ttl=0, hooks=((draw(hostile), "inline"),)),
            )
        )
    agents = [
        agent(draw(hostile), *made, module=draw(hostile), qualname=draw(hostile))
        for _ in range(draw(st.integers(0, 2)))
    ]
    return replace(toolset(*made, definitions=definitions), agents=tuple(agents))


ALLOWED_NODES = frozenset(
    """
    Module FunctionDef arguments arg Assign AnnAssign AugAssign Expr Constant Name Attribute Subscript Call keyword
    Tuple List Dict Load Store If Return Raise Try ExceptHandler Pass Compare Is IsNot In NotIn Eq NotEq Gt Lt LtE
    BoolOp And Or UnaryOp Not USub BinOp Add Sub For ListComp DictComp comprehension Starred ImportFrom alias
    """.split()
)
IMPORTED = frozenset(
    """
    __future__ typing lauren_runtime.decoding lauren_runtime.decoding.quick lauren_runtime.decoding.call
    lauren_runtime.table
    """.split()
)


def outputs(toolset_: ToolSet) -> dict[str, str]:
    found = dict(texts(toolset_))
    entries = [{"module": each.module, "digest": "d", "input_schema": {}} for each in toolset_.tools]
    for artifact in (dispatch.render_init(), dispatch.render(toolset_, entries, "d")):
        found[artifact.path] = artifact.content.decode()
    return found


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(tools())
def test_nothing_breaks_out(drawn: ToolSet) -> None:
    for path, text in outputs(drawn).items():
        assert text.isascii(), path
        tree = ast.parse(text)
        for node in ast.walk(tree):
            assert type(node).__name__ in ALLOWED_NODES, ast.dump(node)
            if isinstance(node, ast.ImportFrom):
                assert node.module in IMPORTED
        defined = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        assert len(set(defined)) == len(defined)
        assert black.format_str(text, mode=black.Mode()) == text, path


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_words_stay_data(attack: str) -> None:
    """A literal, a key and an enum value arrive as they are, and nothing else happens."""
    made = tool(
        "f",
        parameter("p", LiteralOf(constants(attack, "other"))),
        parameter("q", INTEGER, wire=attack) if attack != "p" else parameter("q", INTEGER),
    )
    (text,) = (text for path, text in texts(toolset(made)).items() if "shop" in path)
    names: dict[str, Any] = {"__name__": "generated"}
    exec(compile(text, "<generated>", "exec"), names)
    decode = decode_of(names, "f")
    assert decode({"p": attack, attack: 1}, False) == ((), {"p": attack, "q": 1}, ())
    assert decode({"p": attack, attack: "1"}, True)[1] == {"p": attack, "q": 1}


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("kind", [STRING, ListOf(STRING), DictOf(STRING, STRING), Reference("m:E")])
def test_hostile_keys_keep_the_layout(attack: str, kind: Type) -> None:
    made = tool("f", parameter("p", kind, wire=attack), parameter("q", ListOf(kind), None, wire=f"{attack}2"))
    enum = enumeration("E", constants(attack, "other"), module="m")
    for path, text in outputs(toolset(made, definitions=[enum])).items():
        assert black.format_str(text, mode=black.Mode()) == text, path


def test_agents_of_every_length_keep_the_layout() -> None:
    for length in range(1, 64):
        own = [tool("t" * length, module="m" * width, qualname=f"q{width}") for width in (1, 30, 60)]
        whole = replace(toolset(*own), agents=(agent("a" * length, own[length % 3]),))
        text = outputs(whole)["dispatch.py"]
        assert black.format_str(text, mode=black.Mode()) == text, length


def test_keys_of_every_length_keep_the_layout() -> None:
    kinds: list[Type] = [STRING, LiteralOf(constants(1, 2)), Reference("m:E"), ListOf(STRING), SetOf(STRING)]
    enum = enumeration("E", constants("a", "other"), module="m")
    for length in range(1, 75, 3):
        members = [parameter(f"p{at}", kind, wire="k" * length + f"{at}") for at, kind in enumerate(kinds)]
        for path, text in outputs(toolset(tool("f", *members), definitions=[enum])).items():
            assert black.format_str(text, mode=black.Mode()) == text, (length, path)
