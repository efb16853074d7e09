"""How the runner of a module is made, when its container makes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from ..cache import CacheBackend
from ..container.resolving import Supplier
from ..container.tokens import OptionalDep
from ..executor import ToolExecutor
from ..table import Table
from .config import AgentConfig
from .limits import Prices
from .memory import ConversationStore
from .model_client import ModelClient
from .runner import AgentRunner
from .signals import Sink
from .supplied import Supplied

if TYPE_CHECKING:
    from ..approvals.approvals import Approvals


class ModuleOptions(TypedDict, total=False):
    """What `AgentModule.for_root` passes on to its runner.

    - table, model_client: default: what stands for `Table` and `ModelClient` in the container
    - approvals, conversation_store: the same for `Approvals` and `ConversationStore`, if anything stands for them
    - config: what holds where an agent says nothing; model: for agents that name none
    - tool_cache, and executor_options: those of `ToolExecutor`
    - signals: a sink for what happens
    - message_bus, prices: as in AgentRunner
    """

    table: Table | None
    model_client: ModelClient | None
    approvals: Approvals | None
    conversation_store: ConversationStore | None
    config: AgentConfig | None
    model: str | None
    tool_cache: CacheBackend | None
    executor_options: Mapping[str, Any] | None
    signals: Sink | None
    message_bus: Any
    prices: Prices | None


class Recipe:
    """The options of a module, and what its container is asked for: the services that were not given."""

    def __init__(self, options: ModuleOptions) -> None:
        from ..approvals.approvals import Approvals

        unknown = options.keys() - ModuleOptions.__annotations__.keys()
        if unknown:
            raise TypeError(f"AgentModule.for_root has no option {sorted(unknown)[0]!r}{_near(sorted(unknown)[0])}")
        self._options = options
        needed = {"table": Table, "model_client": ModelClient}
        wanted = {"approvals": Approvals, "conversation_store": ConversationStore}
        self._asked: dict[str, Any] = {name: token for name, token in needed.items() if options.get(name) is None}
        self._asked.update((name, OptionalDep(token)) for name, token in wanted.items() if options.get(name) is None)

    @property
    def asked(self) -> list[Any]:
        """The tokens of what the container is asked for, to be passed to `runner` in this order."""
        return list(self._asked.values())

    def runner(
        self,
        kind: type[AgentRunner],
        injected: Sequence[Any],
        *,
        module_name: str,
        tools: Sequence[Any],
        hooks: Sequence[Any],
        supplied: Sequence[type],
    ) -> AgentRunner:
        """The runner, from what was injected: the services that were asked for, then a supplier for each of
        `supplied`.
        """
        given, found = self._options, dict(zip(self._asked, injected, strict=False))
        suppliers: dict[type, Supplier] = dict(zip(supplied, injected[len(found) :], strict=True))
        services: dict[str, Any] = {
            name: found.get(name, given.get(name))
            for name in ("table", "model_client", "approvals", "conversation_store")
        }
        table: Table = services.pop("table")
        signals = given.get("signals")
        return kind(
            table,
            executor=ToolExecutor(
                table,
                container=Supplied(module_name, suppliers),
                cache_backend=given.get("tool_cache"),
                global_hooks=tuple(hooks),
                **(given.get("executor_options") or {}),
            ),
            tools=tools,
            config=given.get("config"),
            model=given.get("model"),
            message_bus=given.get("message_bus"),
            prices=given.get("prices"),
            event_sinks=() if signals is None else (signals,),
            **services,
        )


def _near(unknown: str) -> str:
    """Which option was meant, if one is like it."""
    from difflib import get_close_matches  # only when it has already failed
    from inspect import signature

    from .module import AgentModule

    named = [each for each in signature(AgentModule.for_root).parameters if each != "options"]
    near = get_close_matches(unknown, [*named, *ModuleOptions.__annotations__], n=1)
    return f", did you mean {near[0]}?" if near else ""
