"""The manifest and the provider lists of a build, for the tools that a table can run.

Knows no provider: the manifest says which tools stand in a provider's file, whether they stand in a group, and what the
entries of tools are that need to be bound.
"""

from __future__ import annotations

import json
import os

from .errors import BuildMismatchError
from .table import AgentEntry, Entry, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def manifest(table: Table) -> dict[str, Any]:
    """See `Table.manifest`."""
    found: dict[str, Any] = json.loads(_content(table, "manifest.json"))
    if found.get("digest") != table.digest:
        raise BuildMismatchError(
            f"the manifest beside {table.file} is of another build "
            f"(its digest is {found.get('digest')}, the table's {table.digest}): rebuild"
        )
    return found


def provider_tools(table: Table, target: str) -> list[Any]:
    """See `Table.provider_tools`."""
    build = manifest(table)
    about = _about(build, target)
    declared = _ungrouped(_published(table, build, f"providers/{target}.json"), about.get("group"))
    by_key = _entries_by_key(table, about, declared)
    chosen = [by_key[entry.key] for entry in table.entries if _offers(table, entry) and entry.key in by_key]
    return grouped(chosen, about.get("group"))


def provider_json(table: Table, target: str) -> bytes:
    """See `Table.provider_json`."""
    return json.dumps(provider_tools(table, target), ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def agent_entries(table: Table, agent: AgentEntry, target: str) -> tuple[dict[str, Any], str | None]:
    """The entries of an agent's tools by `module:qualname`, and the key they stand together under.

    Raises as `Table.provider_tools` does.
    """
    build = manifest(table)
    about = _about(build, target)
    path = _agent_path(agent, target)
    declared = _ungrouped(_published(table, build, path), about.get("group"))
    names = about["agents"][agent.folder]["tools"]
    found = {agent.tools[name]: each for name, each in zip(names, declared, strict=True)}
    own = set(agent.tools.values())
    found.update((each["tool"], each["entry"]) for each in about.get("bind", ()) if each["tool"] in own)
    return found, about.get("group")


def agent_file(table: Table, agent: AgentEntry, target: str) -> bytes:
    """The build's own file of an agent. Raises as `Table.provider_tools` does."""
    build = manifest(table)
    _about(build, target)
    return _file(table, build, _agent_path(agent, target))


def grouped(entries: list[Any], group: str | None) -> list[Any]:
    """Entries as the provider takes them."""
    if group is None:
        return entries
    return [{group: entries}] if entries else []


def _agent_path(agent: AgentEntry, target: str) -> str:
    return f"agents/{agent.folder}/{target}.json"


def _about(build: dict[str, Any], target: str) -> dict[str, Any]:
    """What the manifest says of a target."""
    targets = build["targets"]
    if target not in targets:
        raise KeyError(f"the build has no target {target!r} (it has: {', '.join(sorted(targets))})")
    found: dict[str, Any] = targets[target]
    return found


def _offers(table: Table, entry: Entry) -> bool:
    """Whether a list for all of a table's tools holds this one."""
    return table.can_run(entry) and table.get(entry.name) is entry


def _file(table: Table, build: dict[str, Any], path: str) -> bytes:
    """A provider file; it must be the one the manifest lists."""
    from hashlib import sha256  # who takes the manifest alone needs none

    content = _content(table, path)
    if sha256(content).hexdigest() != build["files"].get(path):
        raise BuildMismatchError(f"{path} beside {table.file} is not the file this build wrote: rebuild")
    return content


def _published(table: Table, build: dict[str, Any], path: str) -> list[Any]:
    found: list[Any] = json.loads(_file(table, build, path))
    return found


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
