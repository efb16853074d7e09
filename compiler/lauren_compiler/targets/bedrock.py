"""Amazon Bedrock's Converse."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .base import Aspect, Certainty, Entry, Limit, Target, Text, described


def _entry(entry: Entry, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"toolSpec": {"name": entry["name"], **described(entry), "inputSchema": {"json": schema}}}


_LIMITS = (
    Limit(
        Aspect.NAME,
        Text(r"[a-zA-Z0-9_-]+", least=1, most=64),
        "botocore 1.44.8, bedrock-runtime/2023-09-30/service-2.json",
        "2026-11-30",
        Certainty.SPECIFIED,
    ),
    Limit(
        Aspect.NAME,
        Text(r"[a-zA-Z][a-zA-Z0-9_-]*"),
        "older models of the service, elastic/kibana#206487",
        "2026-11-30",
        Certainty.REPORTED,
    ),
)

BEDROCK = Target("bedrock", "Amazon Bedrock", _entry, _LIMITS)
