"""msgspec structs: their schemas equal msgspec's, and what is built of JSON is what its decoder makes of it."""

from __future__ import annotations

import itertools
import json
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec
import pytest
from harness.generated import decode_of
from harness.ir_strategies import some_values
from harness.struct_sources import Module, modules
from harness.verdicts import REFUSED, VALIDATOR
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st
from lauren_compiler.config import Config
from lauren_compiler.ir.types import ObjectDefinition
from lauren_compiler.pipeline import Outcome, run
from lauren_compiler.schema.json_schema import input_schema
from lauren_runtime.errors import ToolInputError

NUMBERS = itertools.count()
LISTED = tomllib.loads((Path(__file__).parent / "divergences.toml").read_text("utf-8"))["msgspec"]
IMPORTS = """
import datetime
import enum
from decimal import Decimal

import attrs
from msgspec import Struct

from lauren_runtime import tool

"""
DRAWN = settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("structs")


def executed(source: str, name: str) -> ModuleType | str:
    """The module, run; why msgspec does not define its classes, if it does not."""
    module = ModuleType(name)
    sys.modules[name] = module
    try:
        exec(compile(source, name, "exec", dont_inherit=True), vars(module))
    except (TypeError, ValueError) as refused:
        return str(refused)
    return module


def compiled(source: str, name: str, folder: Path) -> Outcome:
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    return run(Config(sources=(path,), roots=(folder,), project=folder, out=folder / "out"))


@DRAWN
@given(module=modules(), data=st.data())
def test_a_struct_is_what_msgspec_says(module: Module, data: st.DataObject, folder: Path) -> None:
    name = f"structs{next(NUMBERS)}"
    there = executed(module.source, name)
    outcome = compiled(module.source, name, folder)
    messages = [found.message for found in outcome.diagnostics]
    if isinstance(there, str):
        event("refused by msgspec")
        assert not outcome.artifacts, there
        return
    assert outcome.artifacts, messages
    (tool,) = (each for each in outcome.toolset.tools if each.qualname == "takes_A")
    ours = input_schema(tool, outcome.toolset)
    theirs = json.loads(json.dumps(msgspec.json.schema(there.A)))
    assert comparable({**ours["properties"]["p"], "$defs": ours["$defs"]}) == comparable(theirs)

    (text,) = (each.content for each in outcome.artifacts if each.path == f"_tools/{name}.py")
    names: dict[str, Any] = {"__name__": "generated"}
    exec(compile(text, "generated", "exec"), names)
    validator = VALIDATOR(ours)
    for _ in range(4):
        value = data.draw(some_values(tool.parameters[0].type, outcome.toolset.by_key))
        made = decoded(decode_of(names, "takes_a"), value)
        if made is REFUSED:
            continue
        event("decoded")
        assert validator.is_valid({"p": value})
        theirs = decoded_by_msgspec(there.A, value)
        # pydantic takes more texts for a date and for a UUID than msgspec: a number of seconds, braces.
        assert made == theirs or str(theirs).startswith(("Invalid RFC3339 encoded", "Invalid UUID"))


@pytest.mark.parametrize("entry", LISTED, ids=lambda entry: entry["name"])
def test_a_divergence(entry: Mapping[str, str], folder: Path) -> None:
    assert entry["reason"]
    name = f"structs{next(NUMBERS)}"
    source = f"{IMPORTS}{entry['source']}\n\n@tool()\ndef f(p: A) -> None:\n    'Does it.'\n"
    there = executed(source, name)
    assert isinstance(there, ModuleType), there
    outcome = compiled(source, name, folder)
    (tool,) = outcome.toolset.tools
    ours = input_schema(tool, outcome.toolset)["$defs"]
    theirs = {name: without_title(schema, name) for name, schema in msgspec.json.schema(there.A)["$defs"].items()}
    assert exact(ours) == exact(json.loads(entry["ours"]))
    assert exact(theirs) == exact(json.loads(entry["theirs"]))
    assert exact(ours) != exact(theirs)


def test_the_names_of_fields_that_are_declared_again(folder: Path) -> None:
    names = ("int", "int = field(name='x!')")
    renames = ("", ", rename='upper'", ", rename={'a': 'A!'}", ", rename={}")
    kinds = itertools.product(names, renames, (*names, "str = 'y'", ""), (*renames, ", rename=None"))
    lines: list[str] = []
    for number, (below, rename, again, renamed) in enumerate(kinds):
        lines += [f"class Base{number}(Struct{rename}):", "    b: int", f"    a: {below}"]
        lines += [f"class Made{number}(Base{number}{renamed}):", f"    a: {again}" if again else "    pass"]
        lines += ["@tool()", f"def takes_{number}(p: Made{number}) -> None:", "    'Takes it.'"]
    source = "from msgspec import Struct, field\nfrom lauren_runtime import tool\n" + "\n".join(lines) + "\n"
    name = f"structs{next(NUMBERS)}"
    there = executed(source, name)
    assert isinstance(there, ModuleType), there
    outcome = compiled(source, name, folder)
    assert len(outcome.toolset.tools) == 160
    ours = {key.partition(":")[2]: each for key, each in outcome.toolset.by_key.items()}
    for number in range(160):
        definition = ours[f"Made{number}"]
        assert isinstance(definition, ObjectDefinition)
        wires = tuple(each.wire for each in definition.fields)
        assert wires == vars(there)[f"Made{number}"].__struct_encode_fields__, number


def exact(value: Any) -> str:
    """`1`, `1.0` and `true` are equal to Python, and are not here."""
    return json.dumps(value, sort_keys=True)


def decoded(decode: Any, value: Any) -> Any:
    try:
        return decode({"p": value}, False)[1]["p"]
    except ToolInputError:
        return REFUSED


def decoded_by_msgspec(cls: Any, value: Any) -> Any:
    """The struct, or msgspec's reason against the JSON."""
    try:
        return msgspec.json.decode(json.dumps(whole(value)), type=cls)
    except msgspec.ValidationError as refused:
        return refused


def whole(value: Any) -> Any:
    """The same JSON, its integral numbers written as integers: msgspec takes `1.0` for no integer, the schema does."""
    if isinstance(value, dict):
        return {key: whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def comparable(schema: Any, key: str = "") -> Any:
    """A schema without what only one of both says, and which means nothing more.

    msgspec gives classes their names as titles, says `enum` of one value, no type of constants, `required` of nothing,
    and `items: false` behind a fixed tuple, which `maxItems` says too.
    """
    if isinstance(schema, list):
        return [comparable(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if key == "properties":
        return {name: comparable(item) for name, item in schema.items()}
    if key == "$defs":
        return {name: comparable(without_title(item, name), "definition") for name, item in schema.items()}
    # For msgspec a time without an offset is no `date-time`: it says so only where `Meta(tz=True)` asks for one.
    schema = {word: item for word, item in schema.items() if (word, item) != ("format", "date-time")}
    found = {word: comparable(item, word) if word != "default" else item for word, item in schema.items()}
    if "const" in found:
        found["enum"] = [found.pop("const")]
    if "enum" in found:
        found.pop("type", None)
        found["enum"] = sorted(found["enum"], key=str)
    if "anyOf" in found:
        found["anyOf"] = sorted(found["anyOf"], key=lambda item: json.dumps(item, sort_keys=True))
    empty: dict[str, Any] = {"required": [], "items": False, "additionalProperties": True, "minItems": 0}
    return {word: item for word, item in found.items() if word not in empty or item != empty[word]}


def without_title(schema: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: item for key, item in schema.items() if key != "title" or item != name}
