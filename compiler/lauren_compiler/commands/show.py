"""`lauren-compile show`: what tools compile to, as JSON on stdout."""

from __future__ import annotations

import argparse
import json
from typing import Any

from ..config import UsageError
from ..config.pyproject import did_you_mean
from ..diagnostics.render import KnownLines, Report
from ..driver.build import Built, check
from .console import emit_json, emit_report, remark
from .session import configuration, run_phases, working_directory


def run(options: argparse.Namespace) -> int:
    """With `--tool` its schema, or its entry of a target; else all schemas by name, or the target's whole list.

    Diagnostics go to stderr; with errors there is nothing to show. Raises UsageError for a tool that isn't there.
    """
    targets = [options.target] if options.target else []
    loaded = configuration(options, paths=[options.path], targets=targets)
    built = check(loaded, working_directory(), run_phases)
    emit_report(Report(built.diagnostics, KnownLines(built.lines), built.outcome.tools.found), "full")
    if built.failed:
        return 1
    documents = _documents(built)
    manifest = documents.get("manifest.json", {"tools": [], "targets": {}})
    if options.tool is not None:
        _known(options.tool, [tool["name"] for tool in manifest["tools"]], options.path)
    if options.target is None:
        return _schemas(manifest, options.tool)
    return _entries(documents, manifest, options.target, options.tool)


def _documents(built: Built) -> dict[str, Any]:
    artifacts = built.outcome.artifacts
    return {artifact.path: json.loads(artifact.content) for artifact in artifacts if artifact.path.endswith(".json")}


def _known(tool: str, names: list[str], path: str) -> None:
    if tool not in names:
        hint = did_you_mean(tool, names)
        raise UsageError(f"no tool `{tool}` in {path}" + (f": {hint}" if hint else ""))


def _schemas(manifest: dict[str, Any], tool: str | None) -> int:
    schemas = {entry["name"]: entry["input_schema"] for entry in manifest["tools"]}
    emit_json(schemas if tool is None else schemas[tool])
    return 0


def _entries(documents: dict[str, Any], manifest: dict[str, Any], target: str, tool: str | None) -> int:
    """The target's file, or the one entry of it; a tool left out of the target has none."""
    document = documents.get(f"providers/{target}.json", [])
    if tool is None:
        emit_json(document)
        return 0
    about = manifest["targets"][target]
    entries = document[0][about["group"]] if about.get("group") and document else document
    for name, entry in (*zip(about["tools"], entries, strict=True), *_bound(manifest, about)):
        if name == tool:
            emit_json(entry)
            return 0
    reasons = [left_out["message"] for left_out in about["omitted"] if left_out["tool"] == tool]
    remark(f"`{tool}` is left out of {target}" + "".join(f": {reason}" for reason in reasons[:1]))
    return 1


def _bound(manifest: dict[str, Any], about: dict[str, Any]) -> list[tuple[str, Any]]:
    """Name and entry of the tools that a table gets by `bind`."""
    names = {f"{entry['module']}:{entry['qualname']}": entry["name"] for entry in manifest["tools"]}
    return [(names[bound["tool"]], bound["entry"]) for bound in about.get("bind", [])]
