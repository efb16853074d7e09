"""The options of `tool()`, by what they take."""

from __future__ import annotations

CALLABLES = (
    "pre_hook",
    "post_hook",
    "error_hook",
    "cache_key_fn",
    "confirmation_policy",
    "initial_state",
    "initial_tool_state",
    "dependency_factory",
)
TEXTS = ("name", "description", "label")
FLAGS = ("requires_confirmation", "confirmation_policy_error_default")
NUMBERS = ("cache_ttl", "timeout")
SCHEMAS = ("input_schema", "schema")
"""Two names of one option."""
KNOWN = frozenset({*CALLABLES, *TEXTS, *FLAGS, *NUMBERS, *SCHEMAS})
