"""What rewrites leave alone, and that they change no schema in place."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lauren_compiler.targets.rewrite import Rewrite, enums_for_constants, items_for_arrays, lone_references, rewrite

RULES = (items_for_arrays, lone_references, enums_for_constants)
PLAIN: dict[str, Any] = {
    "type": "object",
    "properties": {"const": {"type": "array", "items": {"$ref": "#/$defs/A"}}, "n": {"enum": [{"const": 1}]}},
    "required": ["const"],
    "additionalProperties": False,
    "$defs": {"A": {"type": "string", "default": {"$ref": 1, "x": 2}}},
}


def test_what_no_rule_changes_is_the_same_object() -> None:
    assert rewrite(PLAIN, RULES) is PLAIN
    assert rewrite(PLAIN, ()) is PLAIN


@pytest.mark.parametrize(
    ("path", "part", "rule", "made"),
    [
        (("properties", "x"), {"type": "array", "maxItems": 0}, items_for_arrays, {"items": {}}),
        (("$defs", "B"), {"$ref": "#/$defs/A", "title": "T"}, lone_references, {"anyOf": [{"$ref": "#/$defs/A"}]}),
        (("additionalProperties",), {"anyOf": [{"const": 1}]}, enums_for_constants, {"anyOf": [{"enum": [1]}]}),
        (("properties", "x"), {"items": {"not": {"const": 1}}}, enums_for_constants, {"items": {"not": {"enum": [1]}}}),
        (("properties", "x"), {"prefixItems": [{"type": "array"}]}, items_for_arrays, {}),
    ],
)
def test_a_change_at_any_depth_is_made_in_a_copy(
    path: tuple[str, ...], part: dict[str, Any], rule: Rewrite, made: dict[str, Any]
) -> None:
    schema = json.loads(json.dumps(PLAIN))
    here = schema
    for step in path[:-1]:
        here = here[step]
    here[path[-1]] = part
    before = json.dumps(schema)
    found: Any = rewrite(schema, (rule,))
    assert json.dumps(schema) == before
    assert found is not schema
    for step in path:
        found = found[step]
    assert found != part
    assert made.items() <= found.items()
