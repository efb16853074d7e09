"""`AgentModule.for_root(...)`: a module of agents, their tools, and the runner that runs them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Unpack

from ..container.declaring import module, use_existing, use_factory
from ..container.tokens import Deferred
from ..injection import tokens_of
from .membership import Membership, once
from .recipe import ModuleOptions, Recipe
from .runner import AgentRunner
from .tokens import token_of


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
        runner: type[AgentRunner] | None = None,
        **options: Unpack[ModuleOptions],
    ) -> type:
        """A module that provides and exports its agents, one runner, and `AgentRunner[A]` for each agent `A`.

        It declares the tool classes of its agents, so that each is declared in one module alone.

        - tools: further tools, of every agent of the module
        - imports: a module, or several
        - shared_tools: tool classes that a module of `imports` declares and exports; functions need not be listed
        - export_tools: tool classes that this module declares for others; they are not its own agents' tools
        - injects: further providers, for what agents and tools need
        - hooks (or global_tool_hooks): hook classes that are asked for every tool
        - runner: a subclass of AgentRunner to ask for by name; default: one of the module's own
        - options: see ModuleOptions

        State is the application's: nothing is kept on the agents' classes.

        Raises AgentConfigError for what is no agent, MetadataInheritanceError for a tool class that only inherits
        `@tool()`, DecoratorUsageError for what is no list. What does not fit together is found by
        `LaurenFactory.create`.
        """
        given = Membership(
            agents=_list("agents", agents),
            tools=_list("tools", tools),
            imports=[imports] if isinstance(imports, (type, str)) else _list("imports", imports),
            shared=[each for each in _list("shared_tools", shared_tools) if isinstance(each, type)],
            exported=_list("export_tools", export_tools),
            injects=_list("injects", injects),
            hooks=[*_list("hooks", hooks), *_list("global_tool_hooks", global_tool_hooks)],
        )
        return _made(given, runner, Recipe(options))


def _made(given: Membership, runner: type[AgentRunner] | None, recipe: Recipe) -> type:
    """The module. The runner does not hold the agents: they may hold it."""
    kind = runner or type(f"{given.name}Runner", (AgentRunner,), {"__module__": __name__})
    supplied = [*given.supplied, *once(given.agents)]

    def make(*injected: Any) -> AgentRunner:
        about: dict[str, Any] = {"module_name": given.name, "tools": given.tools, "hooks": given.hooks}
        return recipe.runner(kind, injected, supplied=supplied, **about)

    suppliers = [Deferred(each, first=each not in given.agents) for each in supplied]
    provider = use_factory(provide=kind, factory=make, injects=[*recipe.asked, *suppliers])
    tokens = [token_of(AgentRunner, each) for each in given.agents]
    declared = once([*given.agents, *given.tool_classes, *given.hook_classes, *given.injects, *given.exported])
    made = type(given.name, (), {"__module__": __name__, "__doc__": "A module of agents.", "runner_class": kind})
    return module(
        imports=given.imports,
        providers=[*declared, provider, *(use_existing(provide=each, existing=kind) for each in tokens)],
        exports=[*given.agents, *given.exported, kind, *once(tokens)],
    )(made)


def _list(name: str, given: Iterable[Any] | None) -> list[Any]:
    return list(tokens_of(f"AgentModule.for_root({name}=)", given or ()))
