"""Anthropic Messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .base import Aspect, Certainty, Entry, Forbidden, Limit, Target, Text, described


def _entry(entry: Entry, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": entry["name"], **described(entry), "input_schema": schema}


_LIMITS = (
    Limit(
        Aspect.NAME,
        Text(r"[a-zA-Z0-9_-]+", least=1, most=128),
        "Anthropic, Define tools",
        "2026-09-20",
        Certainty.DOCUMENTED,
    ),
    Limit(
        Aspect.PROPERTY,
        Text(r"[a-zA-Z0-9_.-]+", least=1, most=64),
        "the server's messages in n8n-io/n8n#30590 and anthropics/claude-code#79418",
        "2026-11-30",
        Certainty.REPORTED,
    ),
    Limit(
        Aspect.ROOT,
        Forbidden(("oneOf", "allOf", "anyOf")),
        "the server's messages in anthropics/claude-code#27337 and #40075",
        "2026-11-30",
        Certainty.REPORTED,
    ),
)

ANTHROPIC = Target("anthropic", "Anthropic", _entry, _LIMITS)
