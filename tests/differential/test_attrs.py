"""attrs classes: what they are said to take is what their constructor takes, and what is built is what it makes."""

from __future__ import annotations

import inspect
import itertools
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Final, get_args, get_origin

import attrs
import pytest
from harness.attrs_sources import modules
from harness.generated import decode_of
from harness.ir_strategies import some_values
from harness.verdicts import REFUSED, VALIDATOR
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from lauren_compiler.config import Config
from lauren_compiler.pipeline import Outcome, run
from lauren_compiler.schema.json_schema import input_schema
from lauren_runtime.errors import ToolInputError
from pydantic import TypeAdapter

NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("attrs")


def executed(source: str, name: str) -> ModuleType | str:
    """The module, run; why attrs does not define its classes, if it does not."""
    module = ModuleType(name)
    sys.modules[name] = module
    try:
        exec(compile(source, name, "exec", dont_inherit=True), vars(module))
    except (TypeError, ValueError, RuntimeError, SyntaxError) as refused:
        return f"{type(refused).__name__}: {refused}"
    return module


def compiled(source: str, name: str, folder: Path) -> Outcome:
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    return run(Config(sources=(path,), roots=(folder,), project=folder, out=folder / "out"))


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(drawn=modules(), data=st.data())
def test_an_attrs_class_takes_what_its_constructor_takes(
    drawn: tuple[str, list[str]], data: st.DataObject, folder: Path
) -> None:
    source, classes = drawn
    name = f"attrs{next(NUMBERS)}"
    there = executed(source, name)
    outcome = compiled(source, name, folder)
    if isinstance(there, str):
        event("refused by attrs")
        # What the slots of several bases make of memory is nothing that a source says.
        assert not outcome.artifacts or "lay-out conflict" in there, there
        return
    assert outcome.artifacts, [found.message for found in outcome.diagnostics]
    (text,) = (each.content for each in outcome.artifacts if each.path == f"_tools/{name}.py")
    names: dict[str, Any] = {"__name__": "generated"}
    exec(compile(text, "generated", "exec"), names)
    for tool in outcome.toolset.tools:
        cls = getattr(there, tool.qualname.removeprefix("takes_"))
        assert cls.__name__ in classes
        schema = input_schema(tool, outcome.toolset)
        assert taken(schema["$defs"][cls.__name__]) == signature(cls)
        value = data.draw(some_values(tool.parameters[0].type, outcome.toolset.by_key))
        made = decoded(decode_of(names, tool.name), value)
        if made is REFUSED:
            continue
        event("decoded")
        assert VALIDATOR(schema).is_valid({"p": value})
        assert state(made) == state(cls(**arguments(cls, value)))


def taken(schema: dict[str, Any]) -> list[tuple[str, bool]]:
    """The names in a class's schema, and which of them have to be there."""
    return [(name, name in schema.get("required", ())) for name in schema["properties"]]


def signature(cls: type) -> list[tuple[str, bool]]:
    """The same of its constructor."""
    parameters = inspect.signature(cls).parameters.values()
    return [(each.name, each.default is inspect.Parameter.empty) for each in parameters]


def arguments(cls: Any, value: dict[str, Any]) -> dict[str, Any]:
    """The arguments that pydantic makes of a JSON object by the types of the attributes; other keys are dropped."""
    fields = {field.alias: field.type or Any for field in attrs.fields(cls) if field.init}
    plain = {name: get_args(kind)[0] if get_origin(kind) is Final else kind for name, kind in fields.items()}
    known = {name: item for name, item in value.items() if name in plain}
    return {name: TypeAdapter(plain[name]).validate_json(json.dumps(item)) for name, item in known.items()}


def state(made: Any) -> tuple[type, dict[str, Any]]:
    """The attributes that are there: one that the constructor does not take may never be set."""
    names = [field.name for field in attrs.fields(type(made)) if hasattr(made, field.name)]
    return type(made), {name: getattr(made, name) for name in names}


def decoded(decode: Any, value: Any) -> Any:
    try:
        return decode({"p": value}, False)[1]["p"]
    except ToolInputError:
        return REFUSED
