"""`TABLE.for_agent`, `TABLE.agent_tools` and `TABLE.agent_json`: which agent is meant, and what it may call."""

from __future__ import annotations

import json

from .binding import keys_of
from .errors import BuildMismatchError, ToolSetupError
from .marks import AGENT_META, TOOL_META, USE_TOOLS_META, own
from .providers import agent_entries, agent_file, grouped
from .table import AgentEntry, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def for_agent(table: Table, agent: Any) -> Table:
    """See `Table.for_agent`."""
    tools = find_agent(table, agent).tools
    entries = [entry for entry in table.entries if tools.get(entry.name) == entry.key]
    keys = {entry.key for entry in entries}
    return table.replaced(entries, {key: value for key, value in table.bound.items() if key in keys})


def agent_tools(table: Table, agent: Any, target: str) -> list[Any]:
    """See `Table.agent_tools`."""
    found = find_agent(table, agent)
    own_table = for_agent(table, agent)
    by_key, group = agent_entries(table, found, target)
    chosen = [by_key[entry.key] for entry in own_table.entries if own_table.can_run(entry) and entry.key in by_key]
    return grouped(chosen, group)


def agent_json(table: Table, agent: Any, target: str) -> bytes:
    """See `Table.agent_json`."""
    found = find_agent(table, agent)
    own_table = for_agent(table, agent)
    if len(own_table) == len(found.tools) and not own_table.bound:
        return agent_file(table, found, target)
    tools = agent_tools(table, agent, target)
    return json.dumps(tools, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def find_agent(table: Table, agent: Any) -> AgentEntry:
    """The agent of that name, class, subclass or instance; an entry of the table is one already.

    Raises ToolSetupError if the build has none, or several, BuildMismatchError if the class has other tools by now.
    """
    if isinstance(agent, AgentEntry):
        return agent
    if isinstance(agent, str):
        return _named(table, agent)
    kind: Any = agent if isinstance(agent, type) else type(agent)
    by_key = {each.key: each for each in table.agents}
    for base in kind.__mro__:
        found = by_key.get(f"{base.__module__}:{base.__qualname__}")
        if found is not None:
            _check_tools(kind, found)
            return found
        if own(base, AGENT_META) is not None:
            break  # an agent itself, of which the build has nothing
    raise ToolSetupError(
        f"{kind.__module__}:{kind.__qualname__} is no agent of this build ({_known(table)}). Is it decorated with "
        "@agent(...), and its module among the compiled sources? Did the build say that it can't be decided?"
    )


def _check_tools(kind: type, agent: AgentEntry) -> None:
    """Every tool that the class lists was compiled; more than those may come from a module's `tools=`."""
    compiled = set(agent.tools.values())
    for tool in getattr(kind, USE_TOOLS_META, ()):
        if hasattr(tool, TOOL_META) and compiled.isdisjoint(keys_of(tool)):
            raise BuildMismatchError(
                f"{kind.__qualname__} has the tool {next(keys_of(tool))}, which agent {agent.name!r} of the build has "
                "not: rebuild; a subclass with more tools has to be decorated with @agent(...) itself"
            )


def _named(table: Table, name: str) -> AgentEntry:
    found = [agent for agent in table.agents if agent.name == name]
    if not found:
        raise ToolSetupError(f"the build has no agent named {name!r} ({_known(table)})")
    if len(found) > 1:
        places = " and ".join(agent.key for agent in found)
        raise ToolSetupError(f"several agents are named {name!r}, {places}: give the class")
    return found[0]


def _known(table: Table) -> str:
    return f"it has: {', '.join(agent.name for agent in table.agents)}" if table.agents else "it has none"
