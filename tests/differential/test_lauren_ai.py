"""Schemas equal those of lauren-ai 1.6.0, run in an environment of its own, but where `divergences.toml` says so."""

from __future__ import annotations

import json
import os
import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from harness import requires
from harness.annotations import CLASSES, IMPORTS, annotations
from harness.compiling import compile_files, compile_source

HERE = Path(__file__).parent
DIVERGENCES = tomllib.loads((HERE / "divergences.toml").read_text("utf-8"))["lauren-ai"]
LISTED = {one for entry in DIVERGENCES for one in entry.get("annotations", [])}
ROOT = {entry["root"] for entry in DIVERGENCES if "root" in entry}

SETUP = IMPORTS + "from lauren_ai import tool\n\n\n" + CLASSES
TOOLS = '''
from __future__ import annotations

from typing import Any, Literal

from lauren_ai import ToolContext, tool


@tool()
async def get_weather(city: str, unit: Literal["celsius", "fahrenheit"] = "celsius") -> dict:
    """Return current weather for a city.

    Args:
        city: The city name to look up.
        unit: Temperature unit.
    """
    return {}


@tool(name="find", description="Find a thing.")
def search(query: str, limit: int = 10, tags: list[str] = [], exact: bool = False) -> list:
    """Not shown.

    Args:
        query: What to look for, in words
            that go on here.
        limit: How many.
    """
    return []


@tool()
class OrderLookup:
    """Look an order up."""

    async def run(self, order_id: str, ctx: ToolContext, extra: dict[str, int] = {}) -> Any:
        return None


@tool()
def with_context(ctx: ToolContext, note: str = "none", *, factor: float = 1.5) -> str:
    """Use the context."""
    return note
'''


@pytest.fixture(scope="module")
def theirs() -> Mapping[str, Any]:
    asked = json.dumps({"setup": SETUP, "annotations": annotations(), "module": TOOLS})
    done = subprocess.run(
        [python(), str(HERE / "lauren_ai_schemas.py")], input=asked, capture_output=True, text=True, cwd=HERE
    )
    assert done.returncode == 0, done.stderr
    answer: Mapping[str, Any] = json.loads(done.stdout)
    return answer


def python() -> str:
    """The Python of an environment with lauren-ai in it."""
    return os.environ.get("LAUREN_AI_PYTHON") or requires.missing(
        "LAUREN_AI_PYTHON names no Python with lauren-ai==1.6.0"
    )


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    tools = "".join(
        f"@tool()\ndef f_{number}(p: {one}):\n    '''Does it.'''\n\n\n" for number, one in enumerate(annotations())
    )
    build = compile_source(f"{SETUP}\n\n{tools}", tmp_path_factory.mktemp("annotations"))
    assert not build.errors, build.messages
    return {one: build.tools[f"f_{number}"]["input_schema"] for number, one in enumerate(annotations())}


def without_root(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: part for key, part in schema.items() if key not in ROOT}


def test_every_annotation_agrees_or_is_listed(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> None:
    differing = {
        one
        for one in annotations()
        if without_root(theirs["annotations"][one]["input_schema"]) != without_root(ours[one])
    }
    assert differing - LISTED == set(), "not listed in divergences.toml"
    assert LISTED - differing == set(), "listed in divergences.toml, and no difference any more"
    assert len(differing) < len(annotations()) - 15


def test_the_root_differs_as_listed(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> None:
    assert list(ROOT) == ["additionalProperties"]
    assert ours["int"]["additionalProperties"] is False
    assert "additionalProperties" not in theirs["annotations"]["int"]["input_schema"]


def test_plain_tools_agree_in_name_description_and_schema(theirs: Mapping[str, Any], tmp_path: Path) -> None:
    build = compile_source(TOOLS, tmp_path)
    assert not build.errors, build.messages
    found = {
        tool["qualname"]: {
            "name": tool["name"],
            "description": tool["description"],
            "input_schema": without_root(tool["input_schema"]),
        }
        for tool in build.tools.values()
    }
    assert found == {
        name: {**each, "input_schema": without_root(each["input_schema"])} for name, each in theirs["tools"].items()
    }


def test_the_tools_that_lauren_ai_ships_compile_from_its_installed_source(tmp_path: Path) -> None:
    ask = "import lauren_ai, pathlib; print(pathlib.Path(lauren_ai.__file__).parent)"
    done = subprocess.run([python(), "-c", ask], capture_output=True, text=True, check=True, cwd=tmp_path)
    package = Path(done.stdout.strip())
    build = compile_files([package / "_skills" / "__init__.py"], package.parent)
    assert not build.errors, build.messages
    assert {name: list(tool["input_schema"]["properties"]) for name, tool in build.tools.items()} == {
        "code_execution_tool": ["code", "timeout"],
        "http_fetch_tool": ["url", "method", "headers", "timeout"],
    }
    assert build.tools["http_fetch_tool"]["context_parameter"] == "ctx"
    assert build.tools["http_fetch_tool"]["input_schema"]["properties"]["headers"] == {
        "anyOf": [{"type": "object", "additionalProperties": True}, {"type": "null"}],
        "default": None,
        "description": "Optional request headers dict.",
    }
