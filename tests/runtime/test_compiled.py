"""Real builds: what the compiler generates and what the runtime expects are one thing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from harness.compiling import write_build
from harness.hand_build import run
from lauren_runtime import InMemoryCacheBackend, Table, ToolCallContext, ToolExecutor, ToolHook, load_build

SOURCE = '''
import enum
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Literal
from lauren_runtime import ToolContext, tool

class Unit(enum.Enum):
    C = "celsius"

@dataclass
class Place:
    city: str
    tags: set[str]

@tool(cache_ttl=60)
def forecast(place: Place, days: int = 1, unit: Unit = Unit.C) -> str:
    """Forecast."""
    return f"{place.city} {sorted(place.tags)} {days} {unit.name}"

@tool()
async def where(place: Place, ctx: ToolContext, /, note: str | None = None) -> list:
    """Where."""
    return [place.city, ctx.tool_name, note]

@tool()
def count(n: int) -> Iterator[str]:
    """Count."""
    for i in range(n):
        yield str(i)

@tool()
async def pick(n: int) -> AsyncIterator[Literal["a", "b"]]:
    """Pick."""
    for i in range(n):
        yield "ab"[i]

@tool()
def numbers(n: int) -> Iterator[int]:
    """Numbers."""
    yield from range(n)

class Shop:
    def __init__(self, name: str) -> None:
        self.name = name

    @tool()
    def price(self, item: str) -> str:
        """Price."""
        return f"{item} at {self.name}"

def make(word: str):
    @tool()
    def local(times: int = 1) -> str:
        """Local."""
        return word * times
    return local
'''


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "shop", raising=False)
    write_build(SOURCE, tmp_path)
    return load_build(str(tmp_path / "lauren_build"))


PLACE: dict[str, Any] = {"city": "Oslo", "tags": ["b", "a"]}


def test_arguments_arrive_as_what_they_are_declared(table: Table) -> None:
    executor = ToolExecutor(table)
    assert run(executor, "forecast", {"place": PLACE, "days": "3", "unit": "celsius"}).content == "Oslo ['a', 'b'] 3 C"
    assert run(executor, "where", {"place": PLACE}).content == '["Oslo", "where", null]'
    assert run(executor, "count", {"n": 3}).content == "012"


@pytest.mark.parametrize(
    ("name", "whole", "nothing"), [("count", "01", ""), ("pick", "ab", ""), ("numbers", "[0, 1]", "[]")]
)
def test_items_that_are_declared_texts_are_one_text_also_if_there_are_none(
    table: Table, name: str, whole: str, nothing: str
) -> None:
    executor = ToolExecutor(table, check_output="error")
    assert run(executor, name, {"n": 2}).content == whole
    assert run(executor, name, {"n": 0}).content == nothing
    promised = [each["name"] for each in table.manifest()["tools"] if "output_schema" in each]
    assert (name in promised) == (name == "numbers")


@pytest.mark.parametrize(
    "arguments", ['{"place": {"city": NaN}}', "[]", {"place": PLACE, "zip": 1}, {"place": PLACE, "days": float("inf")}]
)
def test_bad_arguments_are_refused(table: Table, arguments: Any) -> None:
    assert run(ToolExecutor(table), "forecast", arguments).content.startswith(
        "Invalid arguments for tool 'forecast':\n- "
    )


def test_arguments_that_contain_themselves_are_refused_where_they_would_be_copied(table: Table) -> None:
    endless: dict[str, Any] = {}
    endless["place"] = endless
    for executor in (ToolExecutor(table), ToolExecutor(table, global_hooks=[ToolHook()])):
        assert run(executor, "forecast", endless).is_error
    watched = ToolExecutor(table, cache_backend=InMemoryCacheBackend())
    assert run(watched, "forecast", endless).is_error


def test_hooks_see_wire_and_decoded_forms_after_repair(table: Table) -> None:
    seen: list[Any] = []

    class Look(ToolHook):
        def before_tool_call(self, ctx: ToolCallContext) -> None:
            seen.append((ctx.tool_input, sorted(ctx.arguments)))
            ctx.tool_input["place"]["city"] = "Bergen"

    executor = ToolExecutor(table, global_hooks=[Look()])
    given = {"place": '{"city": "Oslo", "tags": []}'}
    assert run(executor, "forecast", given).content == "Bergen [] 1 C"
    assert run(executor, "where", {"place": PLACE}).content == '["Bergen", "where", null]'
    assert seen[0][0] == {"place": {"city": "Bergen", "tags": []}}
    assert [names for _, names in seen] == [["place"], ["place"]]


def test_the_order_of_a_set_makes_no_other_key(table: Table) -> None:
    executor = ToolExecutor(table, cache_backend=InMemoryCacheBackend())
    first = run(executor, "forecast", {"place": PLACE})
    second = run(executor, "forecast", {"place": {"city": "Oslo", "tags": ["a", "b"]}})
    assert (first.cached, second.cached, second.content) == (False, True, first.content)


def test_bound_tools_run_and_are_published(table: Table) -> None:
    import shop  # type: ignore[import-not-found]

    executor = ToolExecutor(table)
    for name, arguments in (("price", {"item": "x"}), ("local", {})):
        assert "TABLE.bind" in run(executor, name, arguments).content
    bound = table.bind(shop.Shop("market").price, shop.make("ab"))
    assert run(ToolExecutor(bound), "price", {"item": "tea"}).content == "tea at market"
    assert run(ToolExecutor(bound), "local", {"times": 2}).content == "abab"
    for target in bound.manifest()["targets"]:
        assert len(str(bound.provider_tools(target))) > len(str(table.provider_tools(target))) > 0
        assert b'"price"' in bound.provider_json(target)
        assert b'"price"' not in table.provider_json(target)
        assert b'"forecast"' not in bound.select("price").provider_json(target)


def test_a_changed_signature_is_noticed(tmp_path: Path, table: Table) -> None:
    (tmp_path / "shop.py").write_text(SOURCE.replace("def count(n: int)", "def count(m: int)"), encoding="utf-8")
    assert "rebuild" in run(ToolExecutor(table), "count", {"n": 1}).content
