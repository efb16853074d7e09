"""What `--target-runtime lauren-ai` says is so: held against the real lauren-ai 1.6.0, in an environment of its own.

For every tool: what it is said to make is what it makes; a difference is told exactly where the schemas do not say the
same; and the rows of the table that are named are those that the difference comes from.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harness.annotations import CLASSES, IMPORTS, annotations
from harness.compiling import compile_files
from harness.drawn_tools import modules
from harness.peers import Derived, LaurenAI, agree, derive, is_as_predicted
from hypothesis import HealthCheck, assume, given, settings
from lauren_compiler.ir.divergences import DIVERGENCES, Divergence

EXAMPLE = """
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Annotated, ClassVar, Literal, NamedTuple, NewType, cast
from annotated_types import Ge
from pydantic import BaseModel
from lauren_ai import tool
"""
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
def real() -> Iterator[LaurenAI]:
    process = LaurenAI()
    yield process
    process.close()


def held(derived: Derived, made: dict[str, Any]) -> list[str]:
    """What does not hold of a module's tools, one line each."""
    wrong = [] if derived.theirs.keys() == made.keys() else [f"tools: {sorted(derived.theirs)} {sorted(made)}"]
    for name in derived.theirs.keys() & made.keys():
        said, ours, theirs = derived.theirs[name], derived.ours[name], made[name]
        if not is_as_predicted(said, theirs):
            wrong.append(f"{name}: said {said}\n        made {theirs}")
        told = derived.is_told(ours["name"])
        if told is agree(ours["input_schema"], theirs["input_schema"], texts=False):
            wrong.append(f"{name}: told {told}, ours {ours['input_schema']}\n        made {theirs['input_schema']}")
    return wrong + [f"no row: {each.message} {each.notes}" for each in derived.told if not each.label]


@pytest.mark.parametrize("row", DIVERGENCES, ids=lambda row: row.name)
def test_a_row_of_the_table(row: Divergence, real: LaurenAI, tmp_path: Path) -> None:
    """Its example has this difference, and no other."""
    derived = derive(EXAMPLE + row.example, tmp_path)
    assert derived.errors == ()
    made = real.tools(EXAMPLE + row.example)
    if row.name == "unknown-option":
        assert made["error"].startswith("TypeError: tool() got an unexpected keyword argument 'timeout'")
    else:
        assert held(derived, made) == []
    assert derived.kinds == ({row.name} if row.told else set())
    assert {each.level.value for each in derived.told} == ({row.told} if row.told else set())
    (ours,) = derived.ours.values()
    assert ours not in made.values()


@pytest.mark.parametrize("future", ["", "from __future__ import annotations\n"], ids=["plain", "future"])
def test_every_annotation(future: str, real: LaurenAI, tmp_path: Path) -> None:
    tools = "".join(
        f"@tool()\ndef f_{number}(p: {one}, q: {one} = None):\n    '''Does it.'''\n\n\n"
        for number, one in enumerate(annotations())
    )
    source = f"{future}{IMPORTS}from lauren_ai import tool\n\n\n{CLASSES}\n\n{tools}"
    derived = derive(source, tmp_path)
    assert derived.errors == ()
    assert held(derived, real.tools(source)) == []
    silent = [name for name, ours in derived.ours.items() if not derived.is_told(ours["name"])]
    assert len(silent) < len(annotations())


def test_plain_tools_agree(real: LaurenAI, tmp_path: Path) -> None:
    derived = derive(TOOLS, tmp_path)
    made = real.tools(TOOLS)
    assert held(derived, made) == []
    assert derived.told == ()
    assert {name: (each["name"], each["description"]) for name, each in derived.ours.items()} == {
        name: (each["name"], each["description"]) for name, each in made.items()
    }


ALIASES = """
from typing import Dict, List, Optional, Tuple, TypeVar, Union
from lauren_ai import tool

T = TypeVar("T")
U = TypeVar("U")
Pair = Tuple[T, T]
Some = Optional[List[T]]
Table = Dict[T, U]
Turned = Table[U, T]


@tool()
def f(
    a: Pair[Pair[int]],
    b: Some[Some[int]],
    c: Union[Some[int], Some[str]],
    d: Table[str, Table[str, Pair[int]]],
    e: Turned[int, str],
    g: Table[str, Turned[str, List[int]]],
) -> None:
    '''Does it.'''
"""


def test_forms_of_one_alias_inside_each_other(real: LaurenAI, tmp_path: Path) -> None:
    derived = derive(ALIASES, tmp_path)
    assert derived.errors == ()
    assert held(derived, real.tools(ALIASES)) == []


def test_the_tools_that_lauren_ai_ships_compile_from_its_installed_source(real: LaurenAI) -> None:
    where = "import lauren_ai\nfrom lauren_ai import tool\n@tool(description=lauren_ai.__file__)\ndef f() -> None: ..."
    package = Path(real.tools(where)["f"]["description"]).parent
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


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(source=modules())
def test_drawn_modules(source: str, real: LaurenAI, tmp_path_factory: pytest.TempPathFactory) -> None:
    made = real.tools(source)
    assume("error" not in made)  # a module that Python itself can't run
    derived = derive(source, tmp_path_factory.mktemp("drawn"))
    compiled = {name: each for name, each in made.items() if name in derived.ours}
    assume(compiled)
    assert held(derived, compiled) == []
    for name, theirs in compiled.items():
        ours = derived.ours[name]
        same = (
            agree(ours["input_schema"], theirs["input_schema"], texts=True)
            and ours["description"] == theirs["description"]
        )
        if not derived.is_told(ours["name"]):
            assert derived.is_told(ours["name"], text=True) is not same
