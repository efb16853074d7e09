"""Ways to say what a schema says in a provider's terms; none changes what it admits."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias, cast

Schema: TypeAlias = dict[str, Any]
Rewrite: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""One schema without its subschemas to another; the same one where there is nothing to change."""

_NAMED = frozenset({"properties", "$defs"})
_LISTED = frozenset({"anyOf", "prefixItems"})
_SINGLE = frozenset({"items", "additionalProperties", "propertyNames", "not"})


def rewrite(schema: Mapping[str, Any], rules: Iterable[Rewrite]) -> Mapping[str, Any]:
    """`schema` with every rule applied to every subschema, outer ones first: a copy if that changes any."""
    rules = tuple(rules)
    if not rules or _is_unchanged(schema, rules):
        return schema
    root: Schema = {}
    pending: list[tuple[Mapping[str, Any], Schema]] = [(schema, root)]

    def later(part: Any) -> Any:
        if not isinstance(part, dict):
            return part
        copy: Schema = {}
        pending.append((cast("Schema", part), copy))
        return copy

    while pending:
        node, target = pending.pop()
        for rule in rules:
            node = rule(node)
        for key, part in node.items():
            target[key] = _part(key, part, later)
    return root


def _is_unchanged(schema: Mapping[str, Any], rules: tuple[Rewrite, ...]) -> bool:
    """Whether no rule changes any subschema: so it is with most, which are then written as they are."""
    pending = [schema]
    while pending:
        node = pending.pop()
        for rule in rules:
            if rule(node) is not node:
                return False
        for key, part in node.items():
            if key in _SINGLE:
                inside: Iterable[Any] = (part,)
            elif key in _NAMED:
                inside = part.values()
            elif key in _LISTED:
                inside = part
            else:
                continue
            pending += [each for each in inside if isinstance(each, dict)]
    return True


def items_for_arrays(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """Every array has `items`; behind `prefixItems` they say nothing, for `maxItems` ends the array there."""
    return {**node, "items": {}} if node.get("type") == "array" and "items" not in node else node


def lone_references(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """A `$ref` has no siblings: one that has them goes into an `anyOf` of its own."""
    if "$ref" not in node or len(node) == 1:
        return node
    return {"anyOf": [{"$ref": node["$ref"]}], **{key: part for key, part in node.items() if key != "$ref"}}


def enums_for_constants(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """A `const` is an `enum` of one value."""
    if "const" not in node:
        return node
    return {("enum" if key == "const" else key): ([part] if key == "const" else part) for key, part in node.items()}


def _part(key: str, part: Any, later: Callable[[Any], Any]) -> Any:
    if key in _NAMED:
        return {name: later(member) for name, member in part.items()}
    if key in _LISTED:
        return [later(member) for member in part]
    return later(part) if key in _SINGLE else part
