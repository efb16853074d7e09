"""Schemas that users state: a decoder takes what the package jsonschema takes, and tells where else it goes wrong."""

from __future__ import annotations

import json
from typing import Any

import pytest
from harness.generated import decoder, importable
from harness.ir_strategies import any_json
from harness.verdicts import MANY, VALIDATOR
from hypothesis import given
from hypothesis import strategies as st
from lauren_compiler.ir.stated import for_decoding, kinds, problems
from lauren_compiler.ir.types import ListOf, Scalar, ScalarKind, Stated, Union
from lauren_compiler.ir.values import Factory
from lauren_runtime.decoding import Place
from lauren_runtime.decoding import Stated as Checker
from lauren_runtime.errors import ToolInputError

NAMES = st.sampled_from(["a", "b", "ab"])
SMALL = st.integers(0, 3)
VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-3, 4), st.sampled_from([0.5, 1.0, 2.5, "", "a", "ab", "1", "b\n"])
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=3)),
    max_leaves=6,
)
PATTERNS = st.sampled_from(["^a", "b$", "[ab]", "^$"])
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
PLAIN = {
    "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=3, unique=True)),
    "enum": st.lists(VALUES, min_size=1, max_size=3),
    "const": VALUES,
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), st.sampled_from([-1, 0, 1.5, 3])),
    "multipleOf": st.sampled_from([1, 2, 0.5]),
    **dict.fromkeys("minLength maxLength minItems maxItems minProperties maxProperties".split(), SMALL),
    "pattern": PATTERNS,
    "uniqueItems": st.booleans(),
    "required": st.lists(NAMES, max_size=2, unique=True),
    "dependentRequired": st.dictionaries(NAMES, st.lists(NAMES, max_size=2, unique=True), max_size=2),
    "$ref": st.just("#/$defs/node"),
    "description": st.just("a remark"),
}


def _composed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    one, several = st.one_of(inner, st.booleans()), st.lists(st.one_of(inner, st.booleans()), min_size=1, max_size=3)
    holding = {
        **dict.fromkeys("not if then else items contains additionalProperties propertyNames".split(), one),
        **dict.fromkeys("allOf anyOf oneOf prefixItems".split(), several),
        "properties": st.dictionaries(NAMES, one, max_size=2),
        "patternProperties": st.dictionaries(PATTERNS, one, max_size=2),
        "minContains": SMALL,
        "maxContains": SMALL,
    }
    chosen = st.lists(st.sampled_from([*holding, *PLAIN]), min_size=1, max_size=4, unique=True)
    return chosen.flatmap(lambda keys: st.fixed_dictionaries({key: {**PLAIN, **holding}[key] for key in keys}))


FLAT = st.lists(st.sampled_from(list(PLAIN)), min_size=1, max_size=2, unique=True).flatmap(
    lambda keys: st.fixed_dictionaries({key: PLAIN[key] for key in keys})
)
NODE = {"type": ["object", "array", "integer"], "additionalProperties": {"$ref": "#/$defs/node"}, "maxItems": 2}
SCHEMAS = st.recursive(FLAT, _composed, max_leaves=5).map(lambda schema: {**schema, "$defs": {"node": NODE}})


@MANY
@given(SCHEMAS, st.lists(VALUES, min_size=5, max_size=5))
def test_accepts_what_jsonschema_accepts(schema: dict[str, Any], values: list[Any]) -> None:
    assert problems(schema) == []
    checker = Checker(for_decoding(json.dumps(schema)), "a value")
    for value in values:
        at = Place(repair=False)
        found = checker.check(value, at)
        expected = VALIDATOR(schema).is_valid(value)
        assert (not at.faults) == expected, (value, at.faults and at.faults[0].expected)
        assert not expected or found == value


@MANY
@given(SCHEMAS, VALUES)
def test_a_repair_gives_what_the_schema_accepts(schema: dict[str, Any], value: Any) -> None:
    at = Place(repair=True)
    found = Checker(for_decoding(json.dumps(schema)), "a value").check(value, at)
    if not at.faults:
        assert VALIDATOR(schema).is_valid(found)
    if VALIDATOR(schema).is_valid(value):
        assert not at.faults
        assert not at.repairs


@MANY
@given(SCHEMAS, VALUES)
def test_values_are_of_the_kinds_that_a_schema_is_said_to_take(schema: dict[str, Any], value: Any) -> None:
    names = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    kind = "null" if value is None else names[type(value)]
    assert not VALIDATOR(schema).is_valid(value) or kind in kinds(schema, schema["$defs"])


@given(any_json())
def test_the_true_schema_takes_everything(value: Any) -> None:
    at = Place(repair=False)
    assert Checker("{}", "a value").check(value, at) == value
    assert not at.faults


@pytest.mark.parametrize(
    ("schema", "path", "words"),
    [
        ({"type": "strnig"}, ("type",), "is not valid under"),
        ({"properties": {"a": {"minimum": "1"}}}, ("properties", "a", "minimum"), "is not of type 'number'"),
        ({"items": {"unevaluatedItems": False}}, ("items",), "`unevaluatedItems` is not checked"),
        ({"$ref": "https://example.org/x"}, (), "leads out of the schema"),
        ({"properties": {"x": {"$ref": "#/$defs/gone"}}}, ("properties", "x"), "leads out of the schema"),
        ({"pattern": "("}, ("pattern",), "is not a 'regex'"),
        ({"patternProperties": {"[": True}}, ("patternProperties",), "is not a 'regex'"),
        ({"$defs": {"a": {"$ref": "#/$defs/a"}}}, ("$defs", "a"), "refers to itself alone"),
        ({"properties": {"a": {"$defs": {}}}}, ("properties", "a"), "stand at the root"),
        ({"const": float("inf")}, ("const",), "has no JSON form"),
        ({"default": {1: 2}}, ("default",), "is no string"),
        ([], (), "a schema is a table"),
    ],
)
def test_what_is_wrong_with_a_schema_is_told(schema: Any, path: tuple[str, ...], words: str) -> None:
    found = problems(schema)
    assert [place for place, _ in found] == [path]
    assert words in found[0][1]


def test_a_converter_makes_the_object_and_its_refusal_is_a_fault() -> None:
    def halve(value: int) -> float:
        if value % 2:
            raise ValueError("odd")
        return value / 2

    stated = Stated('{"type":"integer"}', converter=Factory("shop", "halve"))
    with importable("shop", {"halve": halve}):
        decode = decoder(ListOf(stated))
        assert decode({"p": [4, 6]}, True)[1] == {"p": [2.0, 3.0]}
        assert decode({"p": ["4"]}, True)[1] == {"p": [2.0]}
        with pytest.raises(ToolInputError, match=r"p\[1\]: refused: odd"):
            decode({"p": [4, 5]}, True)
        with pytest.raises(ToolInputError, match=r"p\[0\]: expected an integer"):
            decode({"p": ["x"]}, True)


def test_a_schema_beside_a_type_is_held_to_or_only_shown() -> None:
    integer = Scalar(ScalarKind.INTEGER)
    both = decoder(Stated('{"maximum":3}', integer))
    assert both({"p": 3}, True)[1] == {"p": 3}
    for wrong in (4, "x"):
        with pytest.raises(ToolInputError):
            both({"p": wrong}, True)
    shown = decoder(Stated('{"maximum":3}', integer, checked=False))
    assert shown({"p": 4}, True)[1] == {"p": 4}


def test_a_stated_member_of_a_union_is_chosen_by_its_kind() -> None:
    either = Union((Stated('{"type":"object","required":["a"]}'), Scalar(ScalarKind.STRING)))
    decode = decoder(either)
    assert decode({"p": {"a": 1}}, True)[1] == {"p": {"a": 1}}
    assert decode({"p": "a"}, True)[1] == {"p": "a"}
    with pytest.raises(ToolInputError):
        decode({"p": {}}, True)


def test_what_one_keyword_took_may_not_be_mended_away_by_the_next() -> None:
    schema = {"const": [False, False], "uniqueItems": True}
    at = Place(repair=True)
    Checker(for_decoding(json.dumps(schema)), "a value").check([False, False], at)
    assert at.faults
