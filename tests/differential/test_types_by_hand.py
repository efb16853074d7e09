"""The schema of each kind of type equals pydantic's for the same annotation."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from harness import pydantic_oracle
from harness.every_type import CASES, DEFINITIONS, Color, Point
from harness.tool_sets import INTEGER, NULL, STRING, parameter, to, tool, toolset
from lauren_compiler.ir.types import Described, ListOf, Type, Union
from lauren_compiler.schema.json_schema import input_schema, output_schema
from pydantic import Field


@pytest.mark.parametrize(("annotation", "type_"), CASES, ids=lambda value: str(value)[:60])
def test_arguments(annotation: Any, type_: Type) -> None:
    compiled = tool("f", parameter("p", type_))
    ours = input_schema(compiled, toolset(compiled, definitions=DEFINITIONS))
    assert ours.pop("additionalProperties") is False
    theirs = pydantic_oracle.model_schema({"p": (annotation, ...)})
    assert pydantic_oracle.comparable(ours) == pydantic_oracle.comparable(theirs)


@pytest.mark.parametrize(("annotation", "type_"), CASES, ids=lambda value: str(value)[:60])
def test_results(annotation: Any, type_: Type) -> None:
    compiled = tool("f", output=type_)
    ours = output_schema(compiled, toolset(compiled, definitions=DEFINITIONS))
    assert ours is not None
    assert pydantic_oracle.comparable(ours) == pydantic_oracle.comparable(pydantic_oracle.result_schema(annotation))


@pytest.mark.parametrize(
    ("annotation", "default", "compiled"),
    [
        (int, 3, parameter("p", INTEGER, "3")),
        (Color, Color.B, parameter("p", to("Color"), '"blue"')),
        (Point, Point(1, tags=["a"]), parameter("p", to("Point"), '{"x":1,"y":0,"color":"red","tags":["a"]}')),
        (int | None, None, parameter("p", Union((INTEGER, NULL)), "null")),
        (int, Field(3, description="d", title="t"), parameter("p", INTEGER, "3", description="d", title="t")),
        (Color, Field(description="Mine."), parameter("p", to("Color"), description="Mine.")),
        (Color, Field(description="A colour."), parameter("p", to("Color"), description="A colour.")),
        (Color, Field(Color.A, title="t"), parameter("p", to("Color"), '"red"', title="t")),
        (list[int], Field(default_factory=list), parameter("p", ListOf(INTEGER), None)),
        (
            Annotated[int | str, Field(description="inner")],
            Field(description="outer"),
            parameter("p", Described(Union((INTEGER, STRING)), "inner"), description="outer"),
        ),
    ],
)
def test_defaults_and_texts(annotation: Any, default: Any, compiled: Any) -> None:
    one = tool("f", compiled)
    ours = input_schema(one, toolset(one, definitions=DEFINITIONS))
    del ours["additionalProperties"]
    theirs = pydantic_oracle.model_schema({"p": (annotation, default)})
    assert pydantic_oracle.comparable(ours) == pydantic_oracle.comparable(theirs)
