"""All that is wrong with a call, each at its place, in words a model can act on."""

from __future__ import annotations

from typing import Any

import pytest
from harness.generated import decoder
from harness.tool_sets import BOOLEAN, INTEGER, NULL, NUMBER, STRING, constants, to
from lauren_compiler.ir.types import Anything, DictOf, ListOf, LiteralOf, SetOf, TupleOf, Type, Union
from lauren_runtime.errors import ArgumentError, ToolInputError


def errors(type_: Type, value: Any, **arguments: Any) -> list[ArgumentError]:
    with pytest.raises(ToolInputError) as caught:
        decoder(type_)({"p": value, **arguments}, True)
    return caught.value.errors


@pytest.mark.parametrize(
    ("type_", "value", "messages"),
    [
        (STRING, 5, ["p: expected a string, got 5 (an integer)"]),
        (INTEGER, "x", ['p: expected an integer, got "x" (a string)']),
        (INTEGER, 1.5, ["p: expected an integer, got 1.5 (a number)"]),
        (NUMBER, 10**400, ["p: expected a number that a float can hold, got a very long integer"]),
        (BOOLEAN, None, ["p: expected true or false, got null"]),
        (Union((INTEGER, NULL)), [], ["p: expected an integer or null, got an array of 0 items"]),
        (
            to("Color"),
            "green",
            ['p: expected one of the allowed values, got "green" (a string) (allowed: "red", "blue")'],
        ),
        (ListOf(INTEGER), {"a": 1}, ["p: expected an array, got an object with 1 key"]),
        (
            ListOf(INTEGER),
            ["x", 2, None],
            ['p[0]: expected an integer, got "x" (a string)', "p[2]: expected an integer, got null"],
        ),
        (TupleOf((INTEGER, STRING)), [1], ["p: expected an array of 2 items, got an array of 1 item"]),
        (to("Span"), [], ["p: expected an array of 1 to 2 items, got an array of 0 items"]),
        (DictOf(STRING, INTEGER), {"a b": "x"}, ['p["a b"]: expected an integer, got "x" (a string)']),
        (DictOf(INTEGER, STRING), {"x": "y"}, ['p.x: expected an integer as key, got "x" (a string)']),
        (
            DictOf(LiteralOf(constants("a")), INTEGER),
            {"b": 1},
            ['p.b: expected one of the allowed keys, got "b" (a string) (allowed: "a")'],
        ),
        (
            SetOf(Anything()),
            [[1]],
            ["p: expected items that can be in a set: no arrays, no objects, got an array of 1 item"],
        ),
        (to("Point"), {}, ["p.x: required, but missing: an integer"]),
        (
            to("Point"),
            {"x": 1, "color": "green", "tags": [1]},
            [
                'p.color: expected one of the allowed values, got "green" (a string) (allowed: "red", "blue")',
                "p.tags[0]: expected a string, got 1 (an integer)",
            ],
        ),
        (
            to("Patch"),
            {"id": 1, "nota": "x"},
            ['p.nota: there is no key of this name; did you mean "note"? (allowed: "id", "note")'],
        ),
        (ListOf(to("Point")), [{"x": 1}, {"x": "q"}], ['p[1].x: expected an integer, got "q" (a string)']),
        (Union((INTEGER, STRING)), None, ["p: expected an integer or a string, got null"]),
        (
            Union((LiteralOf(constants("auto")), INTEGER)),
            "x",
            ['p: expected one of the allowed values or an integer, got "x" (a string) (allowed: "auto")'],
        ),
        (Union((to("Point"), STRING)), {"y": 1}, ["p.x: required, but missing: an integer"]),
        (
            Union((to("Point"), to("Patch"))),
            {"id": "x", "note": 1},
            [
                'p.id: expected an integer, got "x" (a string)',
                "p.note: expected a string or null, got 1 (an integer)",
            ],
        ),
        (
            Union((ListOf(INTEGER), to("Span"))),
            ["x"],
            ["p: expected an array or an array of 1 to 2 items, got an array of 1 item"],
        ),
    ],
)
def test_messages(type_: Type, value: Any, messages: list[str]) -> None:
    assert [each.message for each in errors(type_, value)] == messages


def test_every_error_of_a_call() -> None:
    found = errors(ListOf(INTEGER), ["x"], q=1, P=2)
    assert [each.path for each in found] == ["p[0]", "q", "P"]
    assert found[2].message == 'P: there is no parameter of this name; did you mean "p"? (allowed: "p")'
    assert found[2].allowed == ("p",)


@pytest.mark.parametrize("arguments", [None, 5, "x", [1], "[1]"])
def test_arguments_that_are_no_object(arguments: Any) -> None:
    with pytest.raises(ToolInputError, match="expected an object with the arguments"):
        decoder(STRING)(arguments, True)


def test_long_values_are_cut() -> None:
    (found,) = errors(INTEGER, "x" * 10_000)
    assert len(found.message) < 200
    (found,) = errors(LiteralOf(constants(*(f"v{number}" for number in range(100)))), "x")
    assert found.message.endswith('"v29" and 70 more)')
    assert len(found.allowed) == 100


def test_errors_tell_nothing_of_the_inside() -> None:
    text = str(ToolInputError(errors(to("Point"), {"x": {}, "tags": 3, "color": []})))
    assert all(word not in text for word in ("Traceback", "shop", "http", "_check", "Point"))


@pytest.mark.parametrize("key", ["k" * 10_000, "k y" * 10_000, "\u2028" * 10_000])
def test_long_keys_are_cut(key: str) -> None:
    for type_, value in ((DictOf(STRING, INTEGER), {key: "x"}), (to("Patch"), {"id": 1, key: 2})):
        (found,) = errors(type_, value)
        assert len(found.message) < 300
        assert len(found.path) < 80
    (found,) = errors(DictOf(INTEGER, INTEGER), {key: 1})
    assert len(found.message) < 300
    (found,) = errors(INTEGER, 1, **{key: 2})
    assert len(found.message) < 300


def test_long_paths_are_cut_in_the_middle() -> None:
    value: Any = {"left": 5}
    for _ in range(200):
        value = {"left": value}
    (found,) = errors(to("Tree"), value)
    assert len(found.path) == 301
    assert found.path.startswith("p.left.left.")
    assert found.path.endswith(".left.left")
    assert "…" in found.path


def test_many_errors_are_counted() -> None:
    unknown = {f"unknown{number}": number for number in range(20_000)}
    found = errors(ListOf(INTEGER), ["x"] * 20_000, **unknown)
    assert len(found) == 40_000
    lines = str(ToolInputError(found)).splitlines()
    assert len(lines) == 27
    assert lines[1].startswith("- p[0]: ")
    assert lines[-1] == "- and 39,975 more"
