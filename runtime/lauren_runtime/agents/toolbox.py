"""The tools of one agent, and of no other: the table's part, what runs it, and the lists that providers are sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..agent_lists import find_agent
from ..errors import ToolSetupError
from ..executor import ToolExecutor
from ..table import AgentEntry, Table
from .definition import AgentDefinition
from .errors import AgentConfigError
from .model_client import ToolList


class Toolbox:
    """Raises AgentConfigError for two tools of one name, ToolSetupError for one that the build does not have."""

    def __init__(self, definition: AgentDefinition, executor: ToolExecutor, further: Sequence[Any] = ()) -> None:
        self.table = _own_table(definition, executor.table, further)
        self.executor = executor.on(self.table)
        self._definition = definition
        self._whole = executor.table
        self._lists: dict[str, ToolList] = {}

    def list_for(self, target: str) -> ToolList:
        """What goes into that provider's `tools`, read once: the agent's own file, where the build has one of these
        tools. Raises AgentConfigError for a target not built for.
        """
        if target not in self._lists:
            try:
                self._lists[target] = ToolList(self._json(target))
            except KeyError as error:
                raise AgentConfigError(
                    f"the model client sends tools as {target!r} takes them, but {error.args[0]}: build with "
                    f"--target {target}"
                ) from None
        return self._lists[target]

    def _json(self, target: str) -> bytes:
        tools = {entry.name: entry.key for entry in self.table.entries}
        built = find_built(self._whole, self._definition.cls)
        if built is not None and dict(built.tools) == tools:
            return self._whole.agent_json(built, target)
        shared = [name for name in tools if self._whole.is_shared(name)]
        if shared:
            raise AgentConfigError(
                f"agent {self._definition.name!r} has a tool named {shared[0]!r}, as another agent has, so that only "
                "the build can tell what the model is shown: compile the agent's module, and rebuild",
                detail={"agent": self._definition.name},
            )
        return self.table.provider_json(target)


def find_built(table: Table, cls: type) -> AgentEntry | None:
    """The agent of a build that a class is; None if it was not compiled, or inherits the mark and adds tools."""
    try:
        return find_agent(table, cls)
    except ToolSetupError:
        return None


def _own_table(definition: AgentDefinition, table: Table, further: Sequence[Any]) -> Table:
    found = table.select(*definition.tools, *further)
    names = Counter(entry.name for entry in found.entries)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise AgentConfigError(
            f"agent {definition.name!r} has two tools named {twice[0]!r}", detail={"agent": definition.name}
        )
    return found
