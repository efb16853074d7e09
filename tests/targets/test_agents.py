"""The provider files of agents: what stands in the file for all tools, of their own tools alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from harness.every_type import every_type
from harness.tool_sets import agent, tool, toolset
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lauren_compiler.config import Config
from lauren_compiler.diagnostics.model import Level
from lauren_compiler.emit.agents import agent_entries, agent_folders
from lauren_compiler.emit.json_text import Texts
from lauren_compiler.emit.manifest import entries, schema_paths
from lauren_compiler.ir.agents import Agent
from lauren_compiler.ir.tools import Binding, SourceLocation, Tool, ToolSet
from lauren_compiler.ir.verify import verify
from lauren_compiler.targets import TARGETS, Offers, build
from msgspec.structs import replace

WHOLE = every_type()


def offers(whole: ToolSet, *targets: str, named: bool = True) -> Offers:
    config = Config(sources=(Path("/shop"),), targets=targets, targets_named=named)
    return build(verify(whole), entries(whole), config, Texts())


def files(found: Offers) -> dict[str, Any]:
    return {artifact.path: json.loads(artifact.content) for artifact in found.artifacts}


def with_agents(whole: ToolSet, *agents: Agent) -> ToolSet:
    return replace(whole, agents=tuple(sorted(agents, key=lambda each: each.order)))


def declared(document: list[Any], target: str) -> list[Any]:
    group = TARGETS[target].group
    return document[0][group] if group is not None and document else document


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(list(TARGETS)), st.sets(st.integers(0, len(WHOLE.tools) - 1)))
def test_an_agents_file_is_the_part_of_the_whole_with_its_tools(target: str, chosen: set[int]) -> None:
    own = [WHOLE.tools[index] for index in sorted(chosen)]
    found = files(offers(with_agents(WHOLE, agent("one", *own)), target))
    names = {tool.name for tool in own}
    whole = zip(WHOLE.tools, declared(found[f"providers/{target}.json"], target), strict=True)
    assert declared(found[f"agents/one/{target}.json"], target) == [each for tool, each in whole if tool.name in names]


def test_tools_that_share_a_name_stand_in_their_agents_files_alone() -> None:
    shop, web = tool("search", module="shop"), tool("Search", module="web", description="Web.")
    alone = tool("alone")
    whole = with_agents(toolset(shop, web, alone), agent("a", shop, alone), agent("b", web))
    found = offers(whole, "mcp")
    lists = {path: [each["name"] for each in document] for path, document in files(found).items()}
    assert lists == {
        "providers/mcp.json": ["alone"],
        "agents/a/mcp.json": ["alone", "search"],
        "agents/b/mcp.json": ["Search"],
    }
    assert [each["tool"] for each in found.manifest["mcp"]["bind"]] == ["web:Search", "shop:search"]
    paths = schema_paths(entries(whole))
    assert len(set(map(str.casefold, paths))) == 3
    assert "schemas/alone.json" in paths


def test_bound_tools_are_in_no_file() -> None:
    bound = tool("bound", binding=Binding.BIND)
    found = offers(with_agents(toolset(bound), agent("a", bound)), "mcp")
    assert files(found)["agents/a/mcp.json"] == []
    assert found.manifest["mcp"]["agents"] == {"a": {"tools": [], "omitted": []}}


def test_a_tool_that_a_target_refuses_is_left_out_of_its_agents_files_too() -> None:
    refused = tool("2go")
    found = offers(with_agents(toolset(refused), agent("a", refused)), "gemini", named=False)
    assert files(found)["agents/a/gemini.json"] == []
    (left_out,) = found.manifest["gemini"]["agents"]["a"]["omitted"]
    assert (left_out["tool"], left_out["code"]) == ("2go", "LC501")


@pytest.mark.parametrize("named", [True, False])
def test_the_number_of_tools_counts_for_each_agent(named: bool) -> None:
    tools = [tool(f"t{number:03}") for number in range(600)]
    whole = with_agents(toolset(*tools), agent("few", *tools[520:]), agent("many", *tools[:520]))
    found = offers(whole, "gemini", named=named)
    about = found.manifest["gemini"]
    assert (len(about["tools"]), len(about["agents"]["many"]["tools"])) == (512, 512)
    assert len(about["agents"]["few"]["tools"]) == 80
    labels = {each.label: each.level for each in found.diagnostics}
    level = Level.ERROR if named else Level.WARNING
    assert labels == {"`t512` is number 513": level, "agent `many` has 520": level}


def names(*agents: Agent) -> list[str]:
    return agent_folders(agents)


def test_folders_differ_where_letter_case_does_not_count() -> None:
    local = agent("Support", qualname="make.<locals>.A")
    folders = names(agent("support"), local, agent("con"), agent("Other"))
    assert (folders[0], folders[3]) == ("support", "Other")
    assert folders[1].startswith("Support--")
    assert folders[2].startswith("con--")
    assert names(local) == ["Support"]


def test_an_agents_digest_covers_its_tools_and_not_its_place() -> None:
    def digest(own: Tool, **changes: Any) -> str:
        whole = with_agents(toolset(own), agent("a", own, **changes))
        (entry,) = agent_entries(whole, entries(whole))
        return str(entry["digest"])

    plain = digest(tool("f"))
    assert digest(tool("f"), source=SourceLocation("elsewhere.py", 9)) == plain
    others = [digest(tool("f", is_async=True)), digest(tool("f"), model="m"), digest(tool("f"), system="")]
    assert len({plain, *others}) == 4
