"""OpenAI: Chat Completions and Responses, without strict mode."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .base import Aspect, AtMost, Certainty, Entry, Forbidden, Limit, Target, Text, described
from .rewrite import items_for_arrays


def _chat(entry: Entry, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": {"name": entry["name"], **described(entry), "parameters": schema}}


def _responses(entry: Entry, schema: Mapping[str, Any]) -> dict[str, Any]:
    # Without `strict` the service would try strict mode by itself (openai 3.57.0, namespace_tool_param.py).
    return {"type": "function", "name": entry["name"], **described(entry), "parameters": schema, "strict": False}


_NAME = Limit(
    Aspect.NAME,
    Text(r"[a-zA-Z0-9_-]+", least=1, most=64),
    "openai 3.57.0, shared_params/function_definition.py",
    "2026-11-30",
    Certainty.SPECIFIED,
)
_LIMITS = (
    Limit(
        Aspect.DESCRIPTION,
        Text(most=1024),
        "Azure's messages in modelcontextprotocol/servers#799; api.openai.com takes more since 2025",
        "2026-11-30",
        Certainty.REPORTED,
    ),
    Limit(
        Aspect.ROOT,
        Forbidden(("oneOf", "anyOf", "allOf", "enum", "const", "not")),
        "the server's messages in langchain-ai/langchainjs#9804 and microsoft/vscode#307515",
        "2026-11-30",
        Certainty.REPORTED,
    ),
    Limit(
        Aspect.COUNT,
        AtMost(128),
        "the server's messages in zed-industries/zed#32946 and openai/openai-openapi#76",
        "2026-11-30",
        Certainty.REPORTED,
    ),
)
# "array schema missing items" (digitalocean/mcp-digitalocean#265, langgenius/dify#32894).
_REWRITES = (items_for_arrays,)

OPENAI = Target("openai", "OpenAI Chat Completions", _chat, (_NAME, *_LIMITS), _REWRITES)
OPENAI_RESPONSES = Target("openai-responses", "OpenAI Responses", _responses, (_NAME, *_LIMITS), _REWRITES)
