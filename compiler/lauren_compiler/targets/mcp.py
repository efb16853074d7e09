"""The Model Context Protocol's `tools/list`, revisions 2025-06-18 and later."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..schema.references import is_object
from .base import Aspect, Certainty, Entry, Limit, Target, Text, described

_SCHEMA = "Model Context Protocol, schema 2025-11-25 and 2026-07-28"


def _entry(entry: Entry, schema: Mapping[str, Any]) -> dict[str, Any]:
    title = {"title": entry["label"]} if "label" in entry else {}
    output = {"outputSchema": output_schema(entry["output_schema"])} if "output_schema" in entry else {}
    return {"name": entry["name"], **title, **described(entry), "inputSchema": schema, **output}


def output_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a result as the protocol has it: its root says that it is an object, or it is wrapped in one."""
    if is_object(schema):
        return {"type": "object", **schema}
    result = {key: part for key, part in schema.items() if key != "$defs"}
    definitions = {"$defs": schema["$defs"]} if "$defs" in schema else {}
    return {"type": "object", "properties": {"result": result}, "required": ["result"], **definitions}


_LIMITS = (Limit(Aspect.NAME, Text(r"[A-Za-z0-9_.-]+", least=1, most=128), _SCHEMA, "2026-08-22", Certainty.SPECIFIED),)

MCP = Target("mcp", "MCP", _entry, _LIMITS)
