"""`lauren-compile show`: what tools compile to, as JSON on stdout."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from ..config import UsageError, working_directory
from ..config.pyproject import did_you_mean
from ..diagnostics.render import KnownLines, Report
from ..driver.build import Built, check
from .console import emit_json, emit_report, remark
from .session import configuration, run_phases


def run(options: argparse.Namespace) -> int:
    """With `--tool` its schema, or its entry of a target; else all schemas by name, or the target's whole list.

    With `--agent` the same of that agent's tools alone. Diagnostics go to stderr; with errors there is nothing to show.
    Without a PATH what is configured. Raises UsageError for a tool or agent that isn't there.
    """
    place = options.path or "the sources of the configuration"
    targets = [options.target] if options.target else []
    loaded = configuration(options, paths=[options.path] if options.path else [], targets=targets)
    built = check(loaded, working_directory(), run_phases)
    emit_report(Report(built.diagnostics, KnownLines(built.lines), built.outcome.tools.found), "full")
    if built.failed:
        return 1
    documents = _documents(built)
    manifest = documents.get("manifest.json", {"tools": [], "agents": [], "targets": {}})
    shown = _shown(manifest, options, place)
    if options.tool is not None:
        _known("tool", options.tool, [tool["name"] for tool in shown.tools], place)
    if options.target is None:
        return _schemas(shown.tools, options.tool)
    return _entries(documents, manifest, shown, options.target, options.tool)


class _Shown(Struct, frozen=True):
    """The manifest's entries of the tools to show, and the agent whose they are."""

    tools: list[Mapping[str, Any]]
    agent: Mapping[str, Any] | None = None


def _shown(manifest: Mapping[str, Any], options: argparse.Namespace, place: str) -> _Shown:
    if options.agent is None:
        several = [tool for tool in manifest["tools"] if tool["name"] == options.tool]
        if len(several) > 1:
            agents = [agent["name"] for agent in manifest["agents"] if options.tool in agent["tools"]]
            raise UsageError(f"several tools are called `{options.tool}`: add --agent {' or '.join(agents) or 'NAME'}")
        return _Shown(manifest["tools"])
    _known("agent", options.agent, [agent["name"] for agent in manifest["agents"]], place)
    agent = next(agent for agent in manifest["agents"] if agent["name"] == options.agent)
    digests = set(agent["tool_digests"])
    return _Shown([tool for tool in manifest["tools"] if tool["digest"] in digests], agent)


def _documents(built: Built) -> dict[str, Any]:
    artifacts = built.outcome.artifacts
    return {artifact.path: json.loads(artifact.content) for artifact in artifacts if artifact.path.endswith(".json")}


def _known(what: str, name: str, names: list[str], place: str) -> None:
    if name not in names:
        hint = did_you_mean(name, names)
        raise UsageError(f"no {what} `{name}` in {place}" + (f": {hint}" if hint else ""))


def _schemas(tools: Iterable[Mapping[str, Any]], tool: str | None) -> int:
    """By name; of several tools with one name, all but the first with their places too."""
    schemas: dict[str, Any] = {}
    for entry in tools:
        name, place = entry["name"], f"{entry['module']}:{entry['qualname']}"
        schemas[f"{name} ({place})" if name in schemas else name] = entry["input_schema"]
    emit_json(schemas if tool is None else schemas[tool])
    return 0


def _entries(
    documents: Mapping[str, Any], manifest: Mapping[str, Any], shown: _Shown, target: str, tool: str | None
) -> int:
    """The target's file, or the one entry of it; a tool left out of the target has none."""
    about = manifest["targets"].get(target, {})
    path, offer = f"providers/{target}.json", about
    if shown.agent is not None:
        folder = shown.agent["folder"]
        path, offer = f"agents/{folder}/{target}.json", about["agents"][folder]
    document = documents.get(path, [])
    if tool is None:
        emit_json(document)
        return 0
    entries = document[0][about["group"]] if about.get("group") and document else document
    for name, entry in (*zip(offer["tools"], entries, strict=True), *_apart(shown, about)):
        if name == tool:
            emit_json(entry)
            return 0
    reasons = [left_out["message"] for left_out in offer["omitted"] if left_out["tool"] == tool]
    remark(f"`{tool}` is left out of {target}" + "".join(f": {reason}" for reason in reasons[:1]))
    return 1


def _apart(shown: _Shown, about: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Name and entry of the tools that stand in no file for all: those that a table gets by `bind`, or for an agent."""
    names = {f"{entry['module']}:{entry['qualname']}": entry["name"] for entry in shown.tools}
    return [(names[each["tool"]], each["entry"]) for each in about.get("bind", ()) if each["tool"] in names]
