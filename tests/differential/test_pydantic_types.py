"""What only pydantic can build: the schema of each way to say it, and the value of each JSON, are pydantic's."""

from __future__ import annotations

import inspect
import json
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import black
import pytest
from harness import pydantic_oracle
from harness.compiling import compile_source, write_build
from harness.pydantic_sources import ALL, SETUP, VALUES
from harness.verdicts import REFUSED, VALIDATOR
from lauren_compiler.config import Config
from lauren_compiler.ir.codec import from_json, to_json
from lauren_compiler.ir.pprint import toolset_text
from lauren_compiler.pipeline import run
from lauren_runtime.errors import ToolInputError
from lauren_runtime.loading import decoder_of, load_build
from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

# Of pydantic: of fields outside of models, and where it takes `false` for an address.
pytestmark = pytest.mark.filterwarnings(
    "ignore::pydantic.warnings.UnsupportedFieldAttributeWarning", "ignore::DeprecationWarning"
)

NAME = "shop_of_pydantic"
TOOLS = "\n".join(f"@tool()\ndef f{index}(p: {one}):\n    'Does it.'\n" for index, one in enumerate(ALL))
SOURCE = f"{SETUP}\n{TOOLS}"


@pytest.fixture(scope="module")
def shop() -> Iterator[types.ModuleType]:
    module = types.ModuleType(NAME)
    sys.modules[NAME] = module
    exec(compile(SOURCE, NAME, "exec", dont_inherit=True), vars(module))
    yield module
    del sys.modules[NAME]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pydantic")


@pytest.fixture(scope="module")
def tools(folder: Path) -> Mapping[str, Any]:
    build = compile_source(SOURCE, folder, NAME)
    assert not build.errors, build.messages
    write_build(SOURCE, folder, NAME)
    return build.tools


@pytest.mark.parametrize("index", range(len(ALL)), ids=ALL)
def test_the_schema(index: int, shop: types.ModuleType, tools: Mapping[str, Any]) -> None:
    function = getattr(shop, f"f{index}")
    hint = typing.get_type_hints(function, include_extras=True)["p"]
    default = inspect.signature(function).parameters["p"].default
    theirs = pydantic_oracle.model_schema({"p": (hint, ... if default is inspect.Parameter.empty else default)})
    ours = dict(tools[f"f{index}"]["input_schema"])
    assert ours.pop("additionalProperties") is False
    assert pydantic_oracle.comparable(ours) == pydantic_oracle.comparable(theirs)


@pytest.mark.parametrize("index", range(len(ALL)), ids=ALL)
def test_the_values(index: int, shop: types.ModuleType, tools: Mapping[str, Any], folder: Path) -> None:
    """Taken is what pydantic takes, as far as the schema accepts it; and it is what pydantic makes of it."""
    function = getattr(shop, f"f{index}")
    hint = typing.get_type_hints(function, include_extras=True)["p"]
    default = inspect.signature(function).parameters["p"].default
    if isinstance(default, FieldInfo):
        hint = typing.Annotated[hint, default]
    adapter: TypeAdapter[Any] = TypeAdapter(hint)
    accepted = VALIDATOR(tools[f"f{index}"]["input_schema"])
    table = load_build(str(folder / "lauren_build"))
    decode = decoder_of(table, table[f"f{index}"])
    taken = 0
    for value in VALUES:
        ours = decoded(decode, value)
        strict, lax = (validated(adapter, value, strict=strict) for strict in (True, False))
        if ours is not REFUSED:
            taken += 1
            assert accepted.is_valid({"p": value}), value
            assert lax is not REFUSED, (value, ours)
            assert (type(ours), repr(ours)) == (type(lax), repr(lax)), value
        elif strict is not REFUSED:
            assert not accepted.is_valid({"p": value}), (value, strict)
    assert taken


def test_the_decoders_are_as_black_has_them(tools: Mapping[str, Any], folder: Path) -> None:
    text = (folder / "lauren_build" / "_tools" / f"{NAME}.py").read_text("utf-8")
    assert tools
    assert black.format_str(text, mode=black.Mode()) == text


def test_the_tool_set_has_a_json_form(folder: Path) -> None:
    path = folder / "again.py"
    path.write_text(SOURCE, encoding="utf-8")
    tools = run(Config(sources=(path,), roots=(folder,), project=folder, out=folder / "out")).toolset
    assert from_json(to_json(tools)) == tools
    assert all(tool.name in toolset_text(tools) for tool in tools.tools)


def decoded(decode: Any, value: Any) -> Any:
    try:
        _, kwargs, _ = decode({"p": value}, False)
    except ToolInputError:
        return REFUSED
    return kwargs["p"]


def validated(adapter: TypeAdapter[Any], value: Any, *, strict: bool) -> Any:
    try:
        return adapter.validate_json(json.dumps(value), strict=strict)
    except (ValidationError, TypeError):
        return REFUSED
