"""What the provider file of one agent has: its own tools, in the target's form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ..diagnostics.model import Sink
from ..ir.agents import Agent
from ..ir.cards import Listed
from ..ir.tools import Binding
from .base import Target
from .checks import Finding, too_many
from .writing import Written, diagnostic, omission


def agent_offer(
    target: Target, agent: Agent, tools: Sequence[Written], path: str, sink: Sink, *, named: bool
) -> tuple[list[Mapping[str, Any]], dict[str, Any]]:
    """The entries of the file at `path` and what the manifest says of it; `tools` are all of the build.

    What is against each of them was told. Tools that need an object stand in it as little as in the file for all tools.
    """
    own = {tool.order for tool in agent.tools}
    entries: list[Mapping[str, Any]] = []
    names: list[str] = []
    omitted: list[Mapping[str, Any]] = []
    over: list[tuple[Listed, Finding]] = []
    for each in tools:
        tool = each.tool
        if tool.order not in own or tool.binding is Binding.BIND:
            continue
        beyond = too_many(tool, len(entries) + 1, target)
        over += ((tool, finding) for finding in beyond)
        refused = [*each.omitted, *(omission(tool, found) for found in beyond if found.limit.certainty.enforced)]
        if refused:
            omitted += refused
        else:
            names.append(tool.name)
            entries.append(each.entry)
    for _, finding in over[:1]:
        label, help = f"agent `{agent.name}` has {len(own)}", "give it fewer, or make two agents of it"
        at_agent = replace(finding, span=agent.span, label=label, help=help)
        sink.add(diagnostic(at_agent, [each for each, _ in over], path, named=named))
    return entries, {"tools": names, "omitted": omitted}
