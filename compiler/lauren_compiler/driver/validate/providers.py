"""The provider files of a build, against what the manifest says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

from .documents import check_schema
from .findings import Findings

_SCHEMAS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "anthropic": (("input_schema",),),
    "openai": (("function", "parameters"),),
    "openai-responses": (("parameters",),),
    "gemini": (("parametersJsonSchema",),),
    "bedrock": (("toolSpec", "inputSchema", "json"),),
    "mcp": (("inputSchema",), ("outputSchema",)),
}
"""Where the JSON Schemas stand in an entry of each target."""


def check_provider(target: str, about: Mapping[str, Any], document: Any, findings: Findings) -> None:
    """The file has one entry for each tool that the manifest names for it, each with valid schemas."""
    path = f"providers/{target}.json"
    check_entries(path, target, about.get("group"), about.get("tools"), document, findings)
    for bound in about.get("bind", []):
        _check_entry(path, target, bound["tool"], bound["entry"], findings)


def check_entries(
    path: str, target: str, group: str | None, expected: list[str] | None, document: Any, findings: Findings
) -> None:
    """A file for a target has one entry for each tool that is expected."""
    entries = _entries(document, group)
    if entries is None:
        findings.invalid(path, f"{path} is not the list that the manifest describes")
        return
    if expected is not None and len(expected) != len(entries):
        findings.invalid(path, f"{path} has {len(entries)} entries, the manifest names {len(expected)} tools for it")
        return
    names = expected or [f"entry {number}" for number in range(1, len(entries) + 1)]
    for name, entry in zip(names, entries, strict=True):
        _check_entry(path, target, str(name), entry, findings)


def _check_entry(path: str, target: str, name: str, entry: Mapping[str, Any], findings: Findings) -> None:
    if _name(entry) not in (name, None) and ":" not in name and not name.startswith("entry "):
        findings.invalid(path, f"{path} has `{_name(entry)}` where the manifest has `{name}`")
    for schema in _schemas(entry, _SCHEMAS.get(target, ())):
        check_schema(path, schema, f"the schema of `{name}`", findings)


def _entries(document: Any, group: str | None) -> list[dict[str, Any]] | None:
    """The entries of a file; None if it has another shape."""
    entries = _objects(document)
    if entries is None or group is None or not entries:
        return entries
    return _objects(entries[0][group]) if len(entries) == 1 and set(entries[0]) == {group} else None


def _objects(value: Any) -> list[dict[str, Any]] | None:
    """A list of objects, None if `value` is none."""
    if not isinstance(value, list):
        return None
    items = cast("list[object]", value)
    return [cast("dict[str, Any]", item) for item in items] if all(isinstance(item, dict) for item in items) else None


def _name(entry: Mapping[str, Any]) -> str | None:
    """The tool's name in an entry of any target."""
    for part in (entry, entry.get("function"), entry.get("toolSpec")):
        if isinstance(part, dict) and "name" in part:
            return str(cast("dict[str, Any]", part)["name"])
    return None


def _schemas(entry: Mapping[str, Any], places: tuple[tuple[str, ...], ...]) -> Iterator[Any]:
    for place in places:
        found: Any = entry
        for key in place:
            found = cast("dict[str, Any]", found).get(key) if isinstance(found, dict) else None
        if found is not None:
            yield found
