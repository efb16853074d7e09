"""What a table knows of agents: by name, class and instance; their own tools and lists; tools that share a name."""

from __future__ import annotations

import asyncio
import importlib
import itertools
import json
import sys
from pathlib import Path
from typing import Any

import lauren_runtime
import pytest
from harness.compiling import write_build
from lauren_runtime import (
    BuildMismatchError,
    InMemoryCacheBackend,
    Table,
    ToolCall,
    ToolExecutionError,
    ToolExecutor,
    ToolSetupError,
    load_build,
    use_tools,
)
from lauren_runtime.table import ABI, AgentEntry

SOURCE = '''
from lauren_runtime import agent, tool, use_tools


@tool()
def clock(zone: str) -> str:
    """The time."""
    return zone


@tool(name="search", cache_ttl=60)
def search_shop(text: str) -> str:
    """Search the shop."""
    return f"shop: {text}"


@tool(name="search", cache_ttl=60)
def search_web(text: str) -> str:
    """Search the web."""
    return f"web: {text}"


@agent()
@use_tools(clock, search_shop)
class Shop: ...


@agent(name="web")
@use_tools(search_web)
class Browser: ...


@agent()
class Idle: ...


class NightShop(Shop): ...


def build(word):
    @tool()
    def inner() -> str:
        """Inner."""
        return word

    @agent()
    @use_tools(clock, inner)
    class Local: ...

    return Local, inner


def second():
    @agent()
    class Local: ...

    return Local
'''
TARGETS = ("anthropic", "gemini", "mcp")
NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The table, and the module that it is the build of."""
    folder = tmp_path_factory.mktemp("agents")
    name = f"agents_{next(NUMBERS)}"
    write_build(SOURCE, folder, name)
    sys.path.insert(0, str(folder))
    try:
        return load_build(str(folder / "lauren_build")), importlib.import_module(name)
    finally:
        sys.path.remove(str(folder))


@pytest.fixture
def table(built: Any) -> Table:
    return built[0]


@pytest.fixture
def shop(built: Any) -> Any:
    return built[1]


def call(table: Table, name: str, **arguments: str) -> str:
    result = asyncio.run(ToolExecutor(table, on_error="raise").execute(ToolCall("t1", name, arguments)))
    return str(result.content)


def test_an_agent_is_known_by_name_class_subclass_and_instance(table: Table, shop: Any) -> None:
    for agent in ("shop", shop.Shop, shop.NightShop, shop.Shop(), shop.NightShop()):
        assert table.for_agent(agent).names == ("clock", "search")
    assert table.for_agent(shop.Idle).names == ()


@pytest.mark.parametrize("agent", ["Shop", "nobody", int, 3])
def test_an_unknown_agent(table: Table, agent: Any) -> None:
    with pytest.raises(ToolSetupError, match=r"no agent .*it has: idle, local, local, shop, web"):
        table.for_agent(agent)


def test_a_build_without_agents(tmp_path: Path) -> None:
    write_build(SOURCE.partition("@tool(name=")[0], tmp_path, "plain_tools")
    with pytest.raises(ToolSetupError, match=r"no agent named 'shop' \(it has none"):
        load_build(str(tmp_path / "lauren_build")).for_agent("shop")


def test_each_agent_calls_its_own_tool_of_a_shared_name(table: Table) -> None:
    assert call(table.for_agent("shop"), "search", text="lamp") == "shop: lamp"
    assert call(table.for_agent("web"), "search", text="lamp") == "web: lamp"


def test_their_results_are_not_mixed_up_in_a_cache(table: Table) -> None:
    backend = InMemoryCacheBackend()

    async def answers() -> list[str]:
        found: list[str] = []
        for agent in ("shop", "web", "shop"):
            executor = ToolExecutor(table.for_agent(agent), cache_backend=backend)
            result = await executor.execute(ToolCall("t1", "search", {"text": "lamp"}))
            found.append(str(result.content))
        return found

    assert asyncio.run(answers()) == ["shop: lamp", "web: lamp", "shop: lamp"]


def test_the_whole_table_does_not_guess_which_is_meant(table: Table, shop: Any) -> None:
    assert "search" not in table
    assert table.get("search") is None
    with pytest.raises(ToolExecutionError, match="several agents have each a tool named 'search'"):
        call(table, "search", text="lamp")
    with pytest.raises(ToolSetupError, match="several tools are named 'search'"):
        table.select("search")
    assert call(table.select(shop.search_web), "search", text="lamp") == "web: lamp"


@pytest.mark.parametrize("target", TARGETS)
def test_lists_of_agents(table: Table, target: str) -> None:
    for agent, names in (("shop", ["clock", "search"]), ("web", ["search"]), ("idle", [])):
        tools = table.agent_tools(agent, target)
        entries = tools[0]["functionDeclarations"] if target == "gemini" and tools else tools
        assert [each["name"] for each in entries] == names
        assert json.loads(table.agent_json(agent, target)) == tools
        assert table.for_agent(agent).provider_tools(target) == tools
    whole = json.dumps(table.provider_tools(target))
    assert '"clock"' in whole
    assert "search" not in whole.lower()


def test_the_bytes_are_those_of_the_file(table: Table) -> None:
    folder = Path(table.file).parent
    assert table.agent_json("shop", "mcp") == (folder / "agents" / "shop" / "mcp.json").read_bytes()


def test_a_target_that_was_not_built(table: Table) -> None:
    with pytest.raises(KeyError, match="no target 'fax'"):
        table.agent_json("shop", "fax")


def test_what_was_bound_is_in_an_agents_list(table: Table, shop: Any) -> None:
    local, inner = shop.build("bound")
    assert [each["name"] for each in table.agent_tools(local, "mcp")] == ["clock"]
    bound = table.bind(inner)
    assert [each["name"] for each in bound.agent_tools(local, "mcp")] == ["clock", "inner"]
    assert json.loads(bound.agent_json(local, "mcp")) == bound.agent_tools(local, "mcp")
    assert call(bound.for_agent(local), "inner") == "bound"
    assert [each["name"] for each in bound.agent_tools("shop", "mcp")] == ["clock", "search"]


def test_what_was_left_out_by_select_is_not(table: Table, shop: Any) -> None:
    selected = table.select(shop.clock)
    assert [each["name"] for each in selected.agent_tools("shop", "mcp")] == ["clock"]
    assert json.loads(selected.agent_json("shop", "mcp")) == selected.agent_tools("shop", "mcp")
    assert selected.agent_tools("web", "mcp") == []


def test_agents_of_functions_with_one_name_are_told_by_their_class(table: Table, shop: Any) -> None:
    with pytest.raises(ToolSetupError, match="several agents are named 'local'"):
        table.for_agent("local")
    assert table.for_agent(shop.second()).names == ()
    assert table.for_agent(shop.build("")[0]).names == ("clock", "inner")


def test_a_class_with_other_tools_than_were_compiled(table: Table, shop: Any) -> None:
    class More(shop.Shop): ...

    use_tools(shop.search_web)(More)
    with pytest.raises(BuildMismatchError, match=r"search_web, which agent 'shop' of the build has not: rebuild"):
        table.for_agent(More)


def test_an_agent_that_was_not_compiled_is_not_taken_for_its_base(table: Table, shop: Any) -> None:
    class New(shop.Shop): ...

    lauren_runtime.agent()(New)
    with pytest.raises(ToolSetupError, match="New is no agent of this build"):
        table.for_agent(New)


def test_a_newer_agent_is_refused() -> None:
    newer = AgentEntry(name="a", module="m", qualname="A", tools={}, moods=("calm",))
    with pytest.raises(BuildMismatchError, match="built by a newer compiler"):
        Table(abi=ABI, package="", file="dispatch.py", digest="", modules={}, entries=(), agents=(newer,))
