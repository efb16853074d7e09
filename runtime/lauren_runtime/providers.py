"""The manifest and the provider lists of a build, for the tools that a table can run.

Knows no provider: the manifest says which tools stand in a provider's file, whether they stand in a group, and what the
entries of tools are that need to be bound.
"""

from __future__ import annotations

import json
import os
from hashlib import sha256
from typing import Any, cast

from .errors import BuildMismatchError
from .table import Table


def manifest(table: Table) -> dict[str, Any]:
    """See `Table.manifest`."""
    found = cast("dict[str, Any]", json.loads(_content(table, "manifest.json")))
    if found.get("digest") != table.digest:
        raise BuildMismatchError(
            f"the manifest beside {table.file} is of another build "
            f"(its digest is {found.get('digest')}, the table's {table.digest}): rebuild"
        )
    return found


def provider_tools(table: Table, target: str) -> list[Any]:
    """See `Table.provider_tools`."""
    build = manifest(table)
    targets = build["targets"]
    if target not in targets:
        raise KeyError(f"the build has no target {target!r} (it has: {', '.join(sorted(targets))})")
    about = targets[target]
    group: str | None = about.get("group")
    declared = _ungrouped(_published(table, build, f"providers/{target}.json"), group)
    by_key = _entries_by_key(table, about, declared)
    chosen = [by_key[entry.key] for entry in table.entries if table.can_run(entry) and entry.key in by_key]
    if group is None:
        return chosen
    return [{group: chosen}] if chosen else []


def provider_json(table: Table, target: str) -> bytes:
    """See `Table.provider_json`."""
    return json.dumps(provider_tools(table, target), ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def _published(table: Table, build: dict[str, Any], path: str) -> list[Any]:
    """The provider file; it must be the one the manifest lists."""
    content = _content(table, path)
    if sha256(content).hexdigest() != build["files"].get(path):
        raise BuildMismatchError(f"{path} beside {table.file} is not the file this build wrote: rebuild")
    return cast("list[Any]", json.loads(content))


def _ungrouped(published: list[Any], group: str | None) -> list[Any]:
    if group is None:
        return published
    return [declaration for each in published for declaration in each[group]]


def _entries_by_key(table: Table, about: dict[str, Any], declared: list[Any]) -> dict[str, Any]:
    """Provider entries by `module:qualname`: those of the file, then those of tools that are bound."""
    importable = {entry.name: entry.key for entry in table.entries if entry.binding == "import"}
    found = {importable[name]: each for name, each in zip(about["tools"], declared, strict=True) if name in importable}
    found.update((each["tool"], each["entry"]) for each in about.get("bind", ()))
    return found


def _content(table: Table, path: str) -> bytes:
    folder = os.path.dirname(os.path.abspath(table.file))
    try:
        with open(os.path.join(folder, path), "rb") as file:
            return file.read()
    except FileNotFoundError as error:
        raise BuildMismatchError(
            f"{path} is not in {folder}: copy or package the build whole, its JSON files too"
        ) from error
