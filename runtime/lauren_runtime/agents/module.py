"""`AgentModule.for_root(...)`: a module of agents, their tools, and the runner that runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..cache import CacheBackend
from ..container.declaring import module, use_existing, use_factory
from ..container.errors import MetadataInheritanceError
from ..container.graph import meta_of
from ..container.resolving import Supplier
from ..container.tokens import Deferred, OptionalDep, named
from ..executor import ToolExecutor
from ..injection import tokens_of
from ..marks import HOOKS_META, MODULE_META, TOOL_META, own
from ..table import Table
from .config import AgentConfig
from .definition import AgentDefinition
from .limits import Prices
from .memory import ConversationStore
from .model_client import ModelClient
from .runner import AgentRunner
from .signals import Sink
from .supplied import Supplied
from .tokens import token_of

if TYPE_CHECKING:
    from ..approvals.approvals import Approvals


class AgentModule:
    """Makes modules of agents."""

    @classmethod
    def for_root(
        cls,
        *,
        agents: Iterable[type],
        tools: Iterable[Any] | None = None,
        imports: type | Iterable[Any] | None = None,
        shared_tools: Iterable[Any] | None = None,
        export_tools: Iterable[type] | None = None,
        injects: Iterable[Any] | None = None,
        hooks: Iterable[type] | None = None,
        global_tool_hooks: Iterable[type] | None = None,
        tool_cache: CacheBackend | None = None,
        config: AgentConfig | None = None,
        model: str | None = None,
        runner: type[AgentRunner] | None = None,
        signals: Sink | None = None,
        message_bus: Any = None,
        table: Table | None = None,
        model_client: ModelClient | None = None,
        approvals: Approvals | None = None,
        conversation_store: ConversationStore | None = None,
        prices: Prices | None = None,
        executor_options: Mapping[str, Any] | None = None,
    ) -> type:
        """A module that provides and exports its agents, one runner, and `AgentRunner[A]` for each agent `A`.

        It declares the tool classes of its agents, so that each is declared in one module alone.

        - tools: further tools, of every agent of the module
        - imports: a module, or several
        - shared_tools: tool classes that a module of `imports` declares and exports; functions need not be listed
        - export_tools: tool classes that this module declares for others; they are not its own agents' tools
        - injects: further providers, for what agents and tools need
        - hooks (or global_tool_hooks): hook classes that are asked for every tool
        - tool_cache, and executor_options: those of `ToolExecutor`
        - config: what holds where an agent says nothing; model: for agents that name none
        - runner: a subclass of AgentRunner to ask for by name; default: one of the module's own
        - signals: a sink for what happens
        - table, model_client: default: what stands for `Table` and `ModelClient` in the container
        - approvals, conversation_store: the same for `Approvals` and `ConversationStore`, if anything stands for them
        - message_bus, prices: as in AgentRunner

        State is the application's: nothing is kept on the agents' classes.

        Raises AgentConfigError for what is no agent, MetadataInheritanceError for a tool class that only inherits
        `@tool()`, DecoratorUsageError for what is no list. What does not fit together is found by
        `LaurenFactory.create`.
        """
        given = _Given(
            agents=_list("agents", agents),
            tools=_list("tools", tools),
            imports=_imports(imports),
            shared=[each for each in _list("shared_tools", shared_tools) if isinstance(each, type)],
            exported=_list("export_tools", export_tools),
            injects=_list("injects", injects),
            hooks=[*_list("hooks", hooks), *_list("global_tool_hooks", global_tool_hooks)],
        )
        options = {
            "config": config,
            "model": model,
            "message_bus": message_bus,
            "prices": prices,
            "tools": given.tools,
            "event_sinks": () if signals is None else (signals,),
        }
        executor = {**(executor_options or {}), "cache_backend": tool_cache, "global_hooks": tuple(given.hooks)}
        services = {
            Table: table,
            ModelClient: model_client,
            _approvals(): approvals,
            ConversationStore: conversation_store,
        }
        return _made(given, runner, _Recipe(options, executor, services))


class _Given:
    """What a module is made of, and what follows from it."""

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
        self.used: list[Any] = _once([*used, *tools])
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
        return [each for each in _once(found) if each not in provided]

    @property
    def supplied(self) -> list[type]:
        """What the runner's executor may ask for, besides agents: tools and hooks, own and imported."""
        hooks = [*self.hooks, *(hook for each in self.used for hook in own(each, HOOKS_META) or ())]
        return _once([*self.tool_classes, *self.shared, *hooks])


class _Recipe:
    """How the runner is made, but for what the container gives."""

    def __init__(self, options: dict[str, Any], executor: dict[str, Any], services: dict[Any, Any]) -> None:
        self.options = options
        self.executor = executor
        self.services = services

    @property
    def asked(self) -> list[Any]:
        """The services that the container is asked for."""
        needed = (Table, ModelClient)
        missing = [each for each, service in self.services.items() if service is None]
        return [each if each in needed else OptionalDep(each) for each in missing]

    def factory(self, given: _Given, runner: type[AgentRunner], asked: Sequence[Any]) -> Callable[..., AgentRunner]:
        """Makes the runner, from the services that were asked for and the suppliers of `asked`."""

        def make(*injected: Any) -> AgentRunner:
            services = dict(self.services)
            found = iter(injected)
            for each, service in self.services.items():
                services[each] = next(found) if service is None else service
            suppliers: dict[type, Supplier] = dict(zip(asked, found, strict=True))
            container = Supplied(given.name, suppliers)
            table, client, approvals, store = services.values()
            return runner(
                table,
                model_client=client,
                approvals=approvals,
                conversation_store=store,
                executor=ToolExecutor(table, container=container, **self.executor),
                **self.options,
            )

        return make


def _made(given: _Given, runner: type[AgentRunner] | None, recipe: _Recipe) -> type:
    """The module. The runner does not hold the agents: they may need it."""
    own_runner = runner or type(f"{given.name}Runner", (AgentRunner,), {"__module__": __name__})
    asked = [*given.supplied, *_once(given.agents)]
    suppliers = [Deferred(each, first=each not in given.agents) for each in asked]
    provider = use_factory(
        provide=own_runner,
        factory=recipe.factory(given, own_runner, asked),
        injects=[*recipe.asked, *suppliers],
    )
    tokens: list[Any] = [token_of(AgentRunner, each) for each in given.agents]
    declared = _once([*given.agents, *given.tool_classes, *given.hook_classes, *given.injects, *given.exported])
    made = type(given.name, (), {"__module__": __name__, "__doc__": "A module of agents.", "runner_class": own_runner})
    return module(
        imports=given.imports,
        providers=[*declared, provider, *(use_existing(provide=each, existing=own_runner) for each in tokens)],
        exports=[*given.agents, *given.exported, own_runner, *_once(tokens)],
    )(made)


def _list(name: str, given: Iterable[Any] | None) -> list[Any]:
    return list(tokens_of(f"AgentModule.for_root({name}=)", given or ()))


def _imports(given: type | Iterable[Any] | None) -> list[Any]:
    return [given] if isinstance(given, (type, str)) else _list("imports", given)


def _once(given: Iterable[Any]) -> list[Any]:
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


def _approvals() -> type:
    from ..approvals.approvals import Approvals

    return Approvals
