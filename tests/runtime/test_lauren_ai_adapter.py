"""Compiled tools in the real lauren-ai: its executor, its loop, streamed and with approval, and its modules."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import lauren_runtime
import pytest
from harness import requires
from harness.compiling import write_build

LOOP = (Path(__file__).parent / "lauren_ai_loop.txt").read_text("utf-8")
SOURCE = '''
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from lauren import injectable, module
from lauren_ai import AfterToolHookDecision, ToolHook, agent, tool, use_hooks, use_tools
from lauren_ai._tools import ToolContext, ToolResult

LOG: list[object] = []
PAID: list[int] = []


@dataclass
class Place:
    city: str
    on: date


@tool()
async def ship(to: Place, count: int = 1) -> dict[str, object]:
    """Ship things.

    Args:
        to: Where to, and when.
    """
    LOG.append((to.city, to.on.year, count))
    return {"to": to, "count": count}


@tool()
def whoami(ctx: ToolContext) -> str:
    """Say who asks."""
    return f"{type(ctx).__module__} {ctx.tool_use_id} {ctx.turn}"


@tool()
def spell(word: str) -> Iterator[str]:
    """Spell a word."""
    yield from word


@tool()
def refuse(hard: bool) -> ToolResult:
    """Refuse."""
    if hard:
        return ToolResult.error("no", tool_use_id="?")
    return ToolResult.ok({"yes": 1}, tool_use_id="?")


@tool(requires_confirmation=True)
def pay(amount: int) -> int:
    """Pay."""
    PAID.append(amount)
    return amount


class Watch(ToolHook):
    async def after_tool_call(self, result, ctx):
        return AfterToolHookDecision.replace(f"watched {result}")


@tool()
@use_hooks(Watch)
async def hooked(number: int) -> int:
    """Be watched."""
    return number


@injectable()
class Database:
    pass


@tool()
class Catalogue:
    """Search the catalogue."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def run(self, query: str, most: int = 5) -> list[str]:
        """Search.

        Args:
            query: What for.
        """
        LOG.append([query, most, type(self.database).__name__])
        return [query] * most


@module(providers=[Database], exports=[Database])
class Stock: ...


@agent(model="m")
@use_tools(ship, pay)
class Clerk: ...


@agent(model="m")
@use_tools(Catalogue, hooked)
class Seller: ...
'''


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the program in lauren_ai_loop.txt prints."""
    folder = tmp_path_factory.mktemp("shop")
    python = os.environ.get("LAUREN_AI_PYTHON") or requires.missing(
        "LAUREN_AI_PYTHON names no Python with lauren-ai==1.6.0"
    )
    write_build(SOURCE, folder)
    runtime = Path(lauren_runtime.__file__).parent.parent
    done = subprocess.run([python, "-c", LOOP, str(folder), str(runtime)], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, Any] = {}
    for line in done.stdout.splitlines():
        found |= json.loads(line)
    return found


def test_arguments_are_decoded_and_repaired(printed: dict[str, Any]) -> None:
    content, is_error = printed["place"]
    assert (json.loads(content), is_error) == ({"to": {"city": "Oslo", "on": "2026-02-03"}, "count": 2}, False)


def test_wrong_arguments_are_told_all_at_once(printed: dict[str, Any]) -> None:
    kind, text = printed["wrong"]
    assert kind == "raised"
    for part in ("to.city: expected a string", "to.on", "cuont", "count"):
        assert part in text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("context", ["lauren_ai._tools t1 3", False]),
        ("stream", ["abc", False]),
        ("bound", [["lamp"] * 5, False]),
        ("result", ['{"yes": 1}', False]),
        ("refused", ["raised", "Tool 'refuse' raised: ReportedError: no"]),
        ("approval", ["approve", {"amount": "3"}]),
        ("loop", ["done", [["Oslo", 2026, 2], ["lamp", 5, "Database"], ["Oslo", 2026, 1]]]),
        ("streamed", ["shipped", ["Bergen", 2026, 1]]),
        ("approved", ["paid", ["p1", "p2"], [30]]),
        ("module", ["found", ["lamp", 2, "Database"], ["catalogue", "hooked"]]),
        ("watched", True),
    ],
)
def test_what_their_parts_give(printed: dict[str, Any], name: str, expected: object) -> None:
    assert printed[name] == expected


def test_the_model_is_told_what_is_wrong(printed: dict[str, Any]) -> None:
    assert "to.city: required, but missing" in printed["told"]


def test_the_model_is_offered_the_compiled_schema(printed: dict[str, Any]) -> None:
    place = printed["offered"]["$defs"]["Place"]
    assert place["properties"]["on"] == {"type": "string", "format": "date"}
    assert printed["offered"]["additionalProperties"] is False
