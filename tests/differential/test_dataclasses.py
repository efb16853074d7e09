"""Dataclasses with `InitVar`, `Field(...)`, constructors of their own, and pydantic's: as pydantic has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from harness import pydantic_oracle
from harness.compiled_module import Compiled
from harness.dataclass_sources import SETUP, TOOL, dataclasses
from harness.ir_strategies import some_values
from harness.verdicts import REFUSED, VALIDATOR
from hypothesis import HealthCheck, given, settings
from lauren_compiler.schema.json_schema import input_schema, output_schema
from lauren_runtime.errors import ToolInputError
from lauren_runtime.json_form import form_of
from pydantic import TypeAdapter, ValidationError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sources")


@pytest.mark.parametrize("case", dataclasses(), ids=lambda case: " ".join(case.split())[:50])
def test_a_dataclass_is_what_pydantic_makes_of_it(case: str, folder: Path) -> None:
    compiled = Compiled(f"{SETUP}\n\n{case}\n\n{TOOL}", folder)
    annotation = get_type_hints(compiled.module.f, include_extras=True)["p"]
    (tool,) = compiled.outcome.toolset.tools
    schema = input_schema(tool, compiled.outcome.toolset)
    theirs = pydantic_oracle.model_schema({"p": (annotation, ...)})
    del schema["additionalProperties"]
    assert pydantic_oracle.comparable(schema) == pydantic_oracle.comparable(theirs)
    for name, definition in schema["$defs"].items():
        assert list(definition["properties"]) == list(theirs["$defs"][name]["properties"])
    results = output_schema(tool, compiled.outcome.toolset)
    assert results is not None
    assert pydantic_oracle.comparable(results) == pydantic_oracle.comparable(pydantic_oracle.result_schema(annotation))
    adapter: TypeAdapter[Any] = TypeAdapter(annotation)
    validator = VALIDATOR(schema)

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(some_values(tool.parameters[0].type, compiled.outcome.toolset.by_key))
    def holds(value: Any) -> None:
        made = decoded(compiled, value)
        assert (made is not REFUSED) == validator.is_valid({"p": value})
        expected = validated(adapter, value)
        if made is not REFUSED and expected is not REFUSED:
            assert made == expected
            assert form_of(made) == adapter.dump_python(expected, mode="json", by_alias=True)

    holds()


def decoded(compiled: Compiled, value: Any) -> Any:
    try:
        return compiled.value(value)
    except ToolInputError:
        return REFUSED


def validated(adapter: TypeAdapter[Any], value: Any) -> Any:
    try:
        return adapter.validate_json(json.dumps(value), by_alias=True, by_name=False, strict=False)
    except ValidationError:
        return REFUSED
