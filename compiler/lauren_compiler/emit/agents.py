"""Agents in the manifest, and the folders of their provider files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..ir.agents import Agent
from ..ir.tools import ToolSet
from .digest import agent_digest
from .names import file_stem, is_device


def agent_entries(toolset: ToolSet, entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The manifest's entry of each agent; `entries` are those of the tools, in their order."""
    digests = {tool.order: entry["digest"] for tool, entry in zip(toolset.tools, entries, strict=True)}
    folders = agent_folders(toolset.agents)
    return [_entry(agent, folder, digests) for agent, folder in zip(toolset.agents, folders, strict=True)]


def agent_folders(agents: Sequence[Agent]) -> list[str]:
    """The folder in `agents/` of each: its name, unless another has it too or Windows keeps it for a device.

    Some file systems do not tell `A` from `a`; names of agents differ in more than that, but for those that functions
    make, whose folders carry a digest of their place.
    """
    uses = Counter(agent.name.casefold() for agent in agents)
    return [
        file_stem(
            agent.name,
            agent.module,
            agent.qualname,
            apart=is_device(agent.name) or (agent.local and uses[agent.name.casefold()] > 1),
        )
        for agent in agents
    ]


def _entry(agent: Agent, folder: str, digests: Mapping[tuple[str, str, str], str]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "name": agent.name,
        "module": agent.module,
        "qualname": agent.qualname,
        "model": agent.model,
        "system": agent.system,
        "tools": [tool.name for tool in agent.tools],
        "folder": folder,
        "tool_digests": [digests[tool.order] for tool in agent.tools],
    }
    entry = {key: value for key, value in entry.items() if value is not None}
    entry["source"] = {"path": agent.source.path, "line": agent.source.line}
    entry["digest"] = agent_digest(entry)
    return entry
