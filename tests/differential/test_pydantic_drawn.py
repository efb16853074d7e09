"""Drawn annotations of pydantic's, of parameters and of models' fields: its schema, its values."""

from __future__ import annotations

import json
import typing
from pathlib import Path
from typing import Any

import pytest
from harness import pydantic_oracle
from harness.compiled_module import Compiled
from harness.ir_strategies import some_values
from harness.pydantic_strategies import SETUP, Drawn, annotations
from harness.verdicts import REFUSED, VALIDATOR
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lauren_runtime.errors import ToolInputError
from pydantic import TypeAdapter, ValidationError

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
DRAWN = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("drawn")


@DRAWN
@given(one=annotations(), data=st.data())
def test_a_parameter(folder: Path, one: Drawn, data: st.DataObject) -> None:
    _agrees(f"{SETUP}\n\n@tool()\ndef f(p: {one.text}):\n    'Does it.'\n", folder, data)


@DRAWN
@given(one=annotations(), other=annotations(), data=st.data())
def test_a_field(folder: Path, one: Drawn, other: Drawn, data: st.DataObject) -> None:
    model = f"class A(BaseModel):\n    a: {one.text}\n    b: Optional[{other.text}] = None"
    _agrees(f"{SETUP}\n\n{model}\n\n\n@tool()\ndef f(p: A):\n    'Does it.'\n", folder, data)


def _agrees(source: str, folder: Path, data: st.DataObject) -> None:
    compiled = Compiled(source, folder)
    (tool,) = [entry for entry in _manifest(compiled)["tools"] if entry["name"] == "f"]
    hint = typing.get_type_hints(compiled.module.f, include_extras=True)["p"]
    ours = dict(tool["input_schema"])
    del ours["additionalProperties"]
    assert pydantic_oracle.comparable(ours) == pydantic_oracle.comparable(
        pydantic_oracle.model_schema({"p": (hint, ...)})
    )
    (parameter,) = compiled.outcome.toolset.tools[0].parameters
    adapter: TypeAdapter[Any] = TypeAdapter(hint)
    accepted = VALIDATOR(tool["input_schema"])
    for _ in range(3):
        # Of `1.0`, an integer to JSON Schema, pydantic may make a date where a union has one.
        value = data.draw(some_values(parameter.type, compiled.outcome.toolset.by_key).filter(_is_plain))
        made = _decoded(compiled, value)
        strict, lax = _validated(adapter, value, strict=True), _validated(adapter, value, strict=False)
        if made is not REFUSED:
            assert accepted.is_valid({"p": value})
            assert lax is not REFUSED
            assert any(type(made) is type(one) and made == one for one in (lax, strict)), (made, lax)
        elif strict is not REFUSED:
            assert not accepted.is_valid({"p": value}), strict


def _is_plain(value: Any) -> bool:
    """Whether no number of integral value is written with a point or exponent."""
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return not (isinstance(value, float) and value.is_integer())


def _manifest(compiled: Compiled) -> Any:
    (content,) = (each.content for each in compiled.outcome.artifacts if each.path == "manifest.json")
    return json.loads(content)


def _decoded(compiled: Compiled, value: Any) -> Any:
    try:
        return compiled.value(value)
    except ToolInputError:
        return REFUSED


def _validated(adapter: TypeAdapter[Any], value: Any, *, strict: bool) -> Any:
    try:
        return adapter.validate_json(json.dumps(value), strict=strict)
    except ValidationError:
        return REFUSED
