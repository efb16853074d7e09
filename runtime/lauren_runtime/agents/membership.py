"""What belongs to a module of agents: the tools and hooks it declares, and those it only uses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..container.errors import MetadataInheritanceError
from ..container.graph import meta_of
from ..container.tokens import named
from ..marks import HOOKS_META, MODULE_META, TOOL_META, own
from .definition import AgentDefinition


class Membership:
    """What a module is given, and what follows from it.

    Raises AgentConfigError for what is no agent, MetadataInheritanceError for a tool class that inherits `@tool()`.
    """

    def __init__(
        self,
        *,
        agents: list[Any],
        tools: list[Any],
        imports: list[Any],
        shared: list[type],
        exported: list[Any],
        injects: list[Any],
        hooks: list[type],
    ) -> None:
        self.agents = agents
        self.tools = tools
        self.imports = imports
        self.shared = shared
        self.exported = exported
        self.injects = injects
        self.hooks = hooks
        used = [tool for each in agents for tool in AgentDefinition(each).tools]
        self.used: list[Any] = once([*used, *tools])
        self.name = "".join(each.__name__ for each in agents) + "Module"
        for each in self.used:
            _check_own_mark(each)

    @property
    def tool_classes(self) -> list[type]:
        """Those that the module declares."""
        return [each for each in self.used if isinstance(each, type) and each not in self.shared]

    @property
    def hook_classes(self) -> list[type]:
        """Those of all its tools, and of the module, that no import provides."""
        provided = [token for each in self.imports if own(each, MODULE_META) for token in meta_of(each).exports]
        found = [*self.hooks, *(hook for each in self.used for hook in own(each, HOOKS_META) or ())]
        return [each for each in once(found) if each not in provided]

    @property
    def supplied(self) -> list[type]:
        """What the runner's executor may ask for, besides agents: tools and hooks, own and imported."""
        hooks = [*self.hooks, *(hook for each in self.used for hook in own(each, HOOKS_META) or ())]
        return once([*self.tool_classes, *self.shared, *hooks])


def once(given: Iterable[Any]) -> list[Any]:
    """Each thing once, where it stood first."""
    found: list[Any] = []
    for each in given:
        if not any(each is other for other in found):
            found.append(each)
    return found


def _check_own_mark(tool: Any) -> None:
    if isinstance(tool, type) and own(tool, TOOL_META) is None and hasattr(tool, TOOL_META):
        base = next(each for each in tool.__mro__ if own(each, TOOL_META) is not None)
        raise MetadataInheritanceError(
            f"{named(tool)} is a tool only by its base {named(base)}: decorate it with @tool() itself",
            detail={"class": named(tool), "inherits_from": named(base)},
        )
