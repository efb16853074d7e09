"""The agents of a build: their entries, and their provider files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...emit.digest import agent_digest
from ..folder import MANIFEST
from .findings import Findings
from .providers import check_entries


def check_agents(
    manifest: Mapping[str, Any], found: Mapping[str, bytes], documents: Mapping[str, Any], findings: Findings
) -> None:
    """Each agent's tools are in the manifest, its digest is right, and each target has a file of it."""
    tools = {tool["digest"]: tool["name"] for tool in manifest["tools"]}
    order = [(agent["name"], agent["module"], agent["qualname"]) for agent in manifest["agents"]]
    if order != sorted(order):
        findings.invalid(MANIFEST, "the agents are not in order of name, module and qualified name")
    for agent in manifest["agents"]:
        if agent_digest(agent) != agent["digest"]:
            findings.invalid(MANIFEST, f"the digest of agent `{agent['name']}` is not that of its entry")
        if [tools.get(digest) for digest in agent["tool_digests"]] != agent["tools"]:
            findings.invalid(MANIFEST, f"agent `{agent['name']}` has tools that the manifest has not")
    for target, about in manifest["targets"].items():
        offers = about.get("agents", {})
        if sorted(offers) != sorted(agent["folder"] for agent in manifest["agents"]):
            findings.invalid(MANIFEST, f"the target `{target}` is not written for all agents")
        for folder, offer in offers.items():
            path = f"agents/{folder}/{target}.json"
            if path in documents:
                check_entries(path, target, about.get("group"), offer["tools"], documents[path], findings)
            elif path not in found:
                findings.invalid(MANIFEST, f"there is no file for the agent in `{folder}` and the target `{target}`")
