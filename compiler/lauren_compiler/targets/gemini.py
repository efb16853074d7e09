"""Gemini's generateContent, with `parametersJsonSchema`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .base import Aspect, AtMost, Certainty, Entry, Limit, Target, Text, described
from .rewrite import enums_for_constants, lone_references

_PROTO = "google-ai-generativelanguage 0.12.1, generativelanguage_v1beta/types/content.py"


def _entry(entry: Entry, schema: Mapping[str, Any]) -> dict[str, Any]:
    # Of an object without properties the server said "should be non-empty" (vercel/ai#3371, agno-agi/agno#2112).
    empty = not schema["properties"] and schema["additionalProperties"] is False
    parameters = {} if empty else {"parametersJsonSchema": schema}
    return {"name": entry["name"], **described(entry), **parameters}


_LIMITS = (
    Limit(
        Aspect.NAME,
        Text(r"[A-Za-z_][A-Za-z0-9_.:-]*", most=64),
        f"{_PROTO}; google-genai 3.6.1 for the first character",
        "2026-11-30",
        Certainty.SPECIFIED,
    ),
    Limit(Aspect.DESCRIPTION, Text(least=1), _PROTO, "2026-11-30", Certainty.SPECIFIED),
    Limit(
        Aspect.PROPERTY,
        Text(r"[A-Za-z_][A-Za-z0-9_]*", most=64),
        "google-genai 3.6.1, types.py",
        "2026-11-30",
        Certainty.SPECIFIED,
    ),
    Limit(Aspect.COUNT, AtMost(512), _PROTO, "2026-11-30", Certainty.SPECIFIED),
)

# google-genai 3.6.1, types.py, of `responseJsonSchema`: it has no `const`, and a `$ref` has no siblings.
_REWRITES = (lone_references, enums_for_constants)

GEMINI = Target("gemini", "Gemini", _entry, _LIMITS, _REWRITES, group="functionDeclarations")
