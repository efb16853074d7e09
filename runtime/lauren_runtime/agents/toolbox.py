"""The tools of one agent, and of no other: the table's part, what runs it, and the lists that providers are sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..executor import ToolExecutor
from ..table import Table
from .definition import AgentDefinition
from .errors import AgentConfigError
from .model_client import ToolList


class Toolbox:
    """Raises AgentConfigError for two tools of one name, ToolSetupError for one that the build does not have."""

    def __init__(self, definition: AgentDefinition, executor: ToolExecutor, further: Sequence[Any] = ()) -> None:
        self.table = _own_table(definition, executor.table, further)
        self.executor = executor.on(self.table)
        self._lists: dict[str, ToolList] = {}

    def list_for(self, target: str) -> ToolList:
        """What goes into that provider's `tools`, read once. Raises AgentConfigError for a target not built for."""
        if target not in self._lists:
            try:
                self._lists[target] = ToolList(self.table.provider_json(target))
            except KeyError as error:
                raise AgentConfigError(
                    f"the model client sends tools as {target!r} takes them, but {error.args[0]}: build with "
                    f"--target {target}"
                ) from None
        return self._lists[target]


def _own_table(definition: AgentDefinition, table: Table, further: Sequence[Any]) -> Table:
    found = table.select(*definition.tools, *further)
    names = Counter(entry.name for entry in found.entries)
    twice = [name for name, count in names.items() if count > 1]
    if twice:
        raise AgentConfigError(
            f"agent {definition.name!r} has two tools named {twice[0]!r}", detail={"agent": definition.name}
        )
    return found
