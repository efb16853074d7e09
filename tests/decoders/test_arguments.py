"""From the root object to positional and keyword arguments: kinds, aliases, defaults, `**kwargs`."""

from __future__ import annotations

from typing import Any

import pytest
from harness import every_type
from harness.generated import module
from harness.tool_sets import INTEGER, NULL, NUMBER, REQUIRED, STRING, constants, parameter, to, tool, toolset
from harness.verdicts import MANY
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from lauren_compiler.ir.tools import ContextParameter, Parameter, ParameterKind, Tool
from lauren_compiler.ir.types import Anything, ListOf, Union
from lauren_compiler.ir.values import Constant, Construction, EnumMember, Factory, Mapping, Sequence
from lauren_compiler.schema.json_schema import input_schema
from lauren_runtime.decoding import complete
from lauren_runtime.errors import ToolInputError

ONLY, EITHER, KEYWORD = ParameterKind


def decoders(*parameters: Parameter, **changes: Any) -> tuple[Any, Any]:
    """The tool's own function, and its complete path alone."""
    names = module(toolset(tool("f", *parameters, **changes), definitions=every_type.DEFINITIONS))
    return names["f"], lambda arguments, repair: complete(names["check_f"], arguments, repair)


def both(arguments: Any, *parameters: Parameter, **changes: Any) -> Any:
    """What both paths make of it."""
    quick, whole = decoders(*parameters, **changes)
    found = quick(arguments, True)
    assert whole(arguments, True) == found
    return found[:2]


def refused(arguments: Any, *parameters: Parameter, **changes: Any) -> list[str]:
    found: list[list[str]] = []
    for decode in decoders(*parameters, **changes):
        with pytest.raises(ToolInputError) as caught:
            decode(arguments, True)
        found.append([each.message for each in caught.value.errors])
    assert found[0] == found[1]
    return found[0]


def test_an_absent_argument_is_not_passed() -> None:
    assert both({"a": "x"}, parameter("a", STRING), parameter("b", INTEGER, "3")) == ((), {"a": "x"})
    assert both({"a": "x", "b": 1}, parameter("a", STRING), parameter("b", INTEGER, "3")) == ((), {"a": "x", "b": 1})


def test_null_stands_for_a_default_only() -> None:
    assert both({"b": None}, parameter("b", INTEGER, "3")) == ((), {})
    assert both({"b": None}, parameter("b", Union((INTEGER, NULL)), "3")) == ((), {"b": None})
    assert both({"b": None}, parameter("b", Anything(), "3")) == ((), {"b": None})
    assert refused({"b": None}, parameter("b", INTEGER)) == ["b: expected an integer, got null"]


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (Constant(3), 3),
        (Constant(b"a\"'\n"), b"a\"'\n"),
        (Sequence("list", constants(1, "a")), [1, "a"]),
        (Sequence("tuple", constants(1)), (1,)),
        (Sequence("set", ()), set()),
        (Sequence("frozenset", constants(1)), frozenset((1,))),
        (Mapping(((Constant("k"), Sequence("list", ())),)), {"k": []}),
        (EnumMember("shop:Color", "B", Constant("blue")), every_type.Color.B),
        (
            Construction("shop:Point", (("x", Constant(1)), ("tags", Sequence("list", constants("t"))))),
            every_type.Point(1, tags=["t"]),
        ),
        (Factory("builtins", "list"), []),
        (Factory("shop", "Empty"), every_type.Empty()),
    ],
)
@pytest.mark.parametrize("kind", [ONLY, EITHER])
def test_defaults_that_the_decoder_passes(value: Any, result: Any, kind: ParameterKind) -> None:
    made = parameter("b", Anything(), None, passed=value, kind=kind)
    quick, whole = decoders(made)
    for decode in (quick, whole):
        args, kwargs, _ = decode({}, True)
        assert (*args, *kwargs.values()) == (result,)
        again, again_kwargs, _ = decode({}, True)
        if isinstance(result, (list, dict, set)):
            assert (*again, *again_kwargs.values())[0] is not (*args, *kwargs.values())[0]
    assert both({"b": 1}, made) in [((1,), {}), ((), {"b": 1})]


def test_aliases() -> None:
    made = parameter("from_", STRING, wire="from")
    assert both({"from": "x"}, made) == ((), {"from_": "x"})
    assert refused({"from_": "x"}, made) == [
        "from: required, but missing: a string",
        'from_: there is no parameter of this name; did you mean "from"? (allowed: "from")',
    ]


def test_positional_only() -> None:
    made = (
        parameter("a", STRING, kind=ONLY),
        parameter("b", INTEGER, "1", kind=ONLY),
        parameter("c", NUMBER, kind=KEYWORD),
    )
    assert both({"a": "x", "c": 1.5}, *made) == (("x",), {"c": 1.5})
    assert both({"a": "x", "b": 2, "c": 1}, *made) == (("x", 2), {"c": 1.0})


def test_a_gap_among_positional_only() -> None:
    known = (parameter("a", to("Color"), '"red"', kind=ONLY), parameter("b", INTEGER, "1", kind=ONLY))
    assert both({"b": 2}, *known) == ((every_type.Color.A, 2), {})
    assert both({"a": "blue"}, *known) == ((every_type.Color.B,), {})
    assert both({}, *known) == ((), {})
    unknown = (parameter("a", STRING, None, kind=ONLY), parameter("b", INTEGER, "1", kind=ONLY))
    assert refused({"b": 2}, *unknown) == ["a: has to be given, because a later one is"]


def test_keyword_arguments() -> None:
    made: dict[str, Any] = {
        "extra": ListOf(NUMBER),
        "context": ContextParameter("ctx", EITHER),
        "hidden": ("_secret",),
    }
    plain, alias = parameter("a", STRING), parameter("from_", STRING, None, wire="from")
    assert both({"a": "x", "more": [1], "less": []}, plain, alias, **made) == (
        (),
        {"a": "x", "more": [1.0], "less": []},
    )
    for name in ("ctx", "_secret", "from_"):
        assert refused({"a": "x", name: [1]}, plain, alias, **made) == [
            f"{name}: there is no parameter of this name"
            + ('; did you mean "from"?' if name == "from_" else "")
            + ' (allowed: "a", "from")'
        ]
    assert refused({"a": "x", "more": ["y"]}, plain, alias, **made) == [
        'more[0]: expected a number, got "y" (a string)'
    ]


def test_context_and_hidden_names_are_no_arguments() -> None:
    made: dict[str, Any] = {"context": ContextParameter("ctx", EITHER), "hidden": ("_secret",)}
    for name in ("ctx", "_secret"):
        (message,) = refused({name: 1}, **made)
        assert message.startswith(f"{name}: there is no parameter of this name")


def test_a_key_that_is_hard_to_write() -> None:
    key = 'a "key"\n' + "k" * 60
    made = (parameter("p", INTEGER, wire=key), parameter("q", INTEGER, "1", wire=key + "!"))
    assert both({key: 1, key + "!": 2}, *made) == ((), {"p": 1, "q": 2})


TYPES = st.sampled_from(
    [STRING, INTEGER, NUMBER, ListOf(STRING), to("Color"), to("Point"), Union((INTEGER, NULL)), Anything()]
)
VALUES = st.sampled_from(["x", "red", 1, 2.5, 1.0, True, None, [], ["a"], [1], {}, {"x": 1}, {"x": "1"}])


@st.composite
def tools(draw: st.DrawFn) -> Tool:
    names = draw(st.lists(st.sampled_from("abcde"), max_size=4, unique=True))
    kinds = sorted((draw(st.sampled_from((ONLY, EITHER, KEYWORD))) for _ in names), key=list(ParameterKind).index)
    parameters = []
    optional = False
    for name, kind in zip(names, kinds, strict=True):
        optional = draw(st.booleans()) or (optional and kind is not KEYWORD)
        wire = draw(st.sampled_from((name, name.upper())))
        parameters.append(parameter(name, draw(TYPES), None if optional else REQUIRED, kind=kind, wire=wire))
    return tool("f", *parameters, extra=draw(st.none() | TYPES), hidden=("_h",))


@MANY
@given(tools(), st.dictionaries(st.sampled_from([*"abcdeABCDE", "_h"]), VALUES, max_size=6))
def test_any_signature(made: Tool, arguments: dict[str, Any]) -> None:
    """The schema's verdict; and what is decoded binds to a function of that signature."""
    tools_ = toolset(made, definitions=every_type.DEFINITIONS)
    names = module(tools_)
    fits = Draft202012Validator(input_schema(made, tools_)).is_valid(arguments)
    gap = _gap(made, arguments)
    if not fits or gap:
        with pytest.raises(ToolInputError, match=None if not fits else "has to be given"):
            names["f"](arguments, False)
        return
    args, kwargs, _ = names["f"](arguments, False)
    bound = _function(made)(*args, **kwargs)
    given_names = {each.name for each in made.parameters if each.wire in arguments}
    others = set(arguments) - {each.wire for each in made.parameters}
    assert {name for name, value in bound.items() if value is not REQUIRED} == given_names | others


def _gap(made: Tool, arguments: dict[str, Any]) -> bool:
    """Whether a positional-only argument is absent before one that is given."""
    given_ = [each.wire in arguments for each in made.parameters if each.kind is ONLY]
    return given_ != sorted(given_, reverse=True)


def _function(made: Tool) -> Any:
    """A function of that signature which returns what it got, without its defaults."""
    parts: list[str] = []
    kinds = [each.kind for each in made.parameters]
    for index, each in enumerate(made.parameters):
        if each.kind is KEYWORD and KEYWORD not in kinds[:index]:
            parts.append("*")
        parts.append(each.name if each.required else f"{each.name}=ABSENT")
        if each.kind is ONLY and kinds[index + 1 : index + 2] != [ONLY]:
            parts.append("/")
    parts += ["**more"] if made.extra is not None else []
    returned = ", ".join(f"{each.name!r}: {each.name}" for each in made.parameters)
    more = ", **more" if made.extra is not None else ""
    names: dict[str, Any] = {"ABSENT": REQUIRED}
    exec(f"def f({', '.join(parts)}): return {{**{{{returned}}}{more}}}", names)
    return names["f"]
