"""`AgentModule.for_root`: what it provides, who owns which tool, and what is wrong with a module."""

from __future__ import annotations

import asyncio
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from harness.agent_shop import SOURCE
from harness.compiling import write_build
from lauren_runtime import (
    AgentConfig,
    AgentConfigError,
    AgentModule,
    AgentRunner,
    Approvals,
    CircularDependencyError,
    DuplicateBindingError,
    InMemoryCacheBackend,
    LaurenApp,
    LaurenFactory,
    MetadataInheritanceError,
    MissingProviderError,
    ModelClient,
    ModuleExportViolation,
    ProtocolAmbiguityError,
    StartupError,
    Table,
    agent,
    load_build,
    module,
    use_tools,
    use_value,
)
from lauren_runtime.agents.signals import Signal, ToolPendingApproval
from lauren_runtime.testing import ScriptedModel, asks


class Shop:
    """The compiled source, and the modules that every application here has."""

    def __init__(self, folder: Path) -> None:
        name = "agent_shop"
        write_build(SOURCE, folder, name)
        self.table = load_build(str(folder / "lauren_build"))
        self.source = types.ModuleType(name)
        sys.modules[name] = self.source
        exec(compile(SOURCE, name, "exec"), vars(self.source))
        data = [self.source.Database, self.source.Session]
        self.Data = module(providers=data, exports=data)(type("Data", (), {}))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)

    def models(self, *script: Any) -> type:
        """A module that provides the table and a model."""
        given = [
            use_value(provide=Table, value=self.table),
            use_value(provide=ModelClient, value=ScriptedModel(*script)),
        ]
        return module(providers=given, exports=[Table, ModelClient])(type("LLMProvider", (), {}))


@pytest.fixture(scope="session")
def compiled_shop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    return Shop(tmp_path_factory.mktemp("agent_shop"))


@pytest.fixture
def shop(compiled_shop: Shop) -> Shop:
    compiled_shop.source.LOG.clear()
    return compiled_shop


def create(*imports: Any) -> LaurenApp:
    return LaurenFactory.create(module(imports=imports)(type("App", (), {})))


def told(runner: AgentRunner) -> list[str]:
    """What the model was told of the calls of its last request."""
    model: Any = runner.model_client
    return [block["content"] for block in model.results]


def run(app: LaurenApp, *runs: tuple[Any, Any], **options: Any) -> list[list[str]]:
    """Start an application, run agents by the runners of these tokens, and shut it down."""

    async def go() -> list[list[str]]:
        found = []
        async with app:
            for token, agent in runs:
                runner = await app.resolve(token)
                await runner.run(agent, "go", **options)
                found.append(told(runner))
        return found

    return asyncio.run(go())


def test_a_module_provides_its_agents_and_one_runner(shop: Shop) -> None:
    agents = AgentModule.for_root(agents=[shop.A, shop.B], imports=[shop.models(), shop.Data], model="m")
    assert agents.__name__ == "ABModule"

    async def go() -> None:
        async with create(agents) as app:
            runner = await app.resolve(AgentRunner)
            assert isinstance(runner, AgentRunner)
            for token in (AgentRunner[shop.A], AgentRunner[shop.B], agents.runner_class):  # type: ignore[attr-defined]
                assert await app.resolve(token) is runner
            assert isinstance(await app.resolve(shop.A), shop.A)
            with pytest.raises(MissingProviderError):
                await app.resolve(shop.Check)
        assert shop.LOG == ["Check made", "database closed"]

    asyncio.run(go())


def test_a_runner_in_brackets_is_one_class_per_agent(shop: Shop) -> None:
    assert AgentRunner[shop.A] is AgentRunner[shop.A] is not AgentRunner[shop.B]
    for wrong in (shop.Database, "A", shop.A()):
        with pytest.raises(TypeError, match="takes a class that is decorated with @agent"):
            AgentRunner[wrong]


def test_two_agents_of_a_module_share_a_tools_object(shop: Shop) -> None:
    models = shop.models(asks("check"), "done", [asks("check"), asks("add", a=1)], "done")
    app = create(AgentModule.for_root(agents=[shop.A, shop.B], imports=[models, shop.Data], model="m"))
    both = run(app, (AgentRunner[shop.A], shop.A), (AgentRunner, shop.B))
    assert both == [["1"], ["2", "There is no tool named 'add'. The tools are: check"]]


def ownership(
    shop: Shop, *, shared: bool, exported: bool = True, imported: bool = True, script: tuple[Any, ...] = ()
) -> LaurenApp:
    """The pattern of the guide: a module that owns a tool, and two that use it."""
    owner = module(imports=[shop.Data], providers=[shop.Check], exports=[shop.Check] if exported else [])(
        type("CheckAuthModule", (), {})
    )
    imports = [shop.models(*script), *([owner] if imported else []), *([] if shared else [shop.Data])]
    options: dict[str, Any] = {"shared_tools": [shop.Check, shop.add]} if shared else {}
    made = [AgentModule.for_root(agents=[each], imports=imports, model="m", **options) for each in (shop.A, shop.B)]
    return create(*made, *([] if imported else [owner]))


def test_the_owner_of_a_shared_tool_has_its_one_object(shop: Shop) -> None:
    app = ownership(shop, shared=True, script=(asks("check"), "done", asks("check"), "done"))
    assert run(app, (AgentRunner[shop.A], shop.A), (AgentRunner[shop.B], shop.B)) == [["1"], ["2"]]
    assert shop.LOG.count("Check made") == 1


def test_a_shared_tool_that_is_not_said_to_be_is_declared_twice(shop: Shop) -> None:
    with pytest.raises(ModuleExportViolation, match="Check is declared in CheckAuthModule and in AModule"):
        ownership(shop, shared=False)


@pytest.mark.parametrize("missing", ["exported", "imported"])
def test_a_shared_tool_has_to_be_exported_and_imported(shop: Shop, missing: str) -> None:
    with pytest.raises(MissingProviderError, match="no provider for Check visible from AModule") as caught:
        ownership(shop, shared=True, **{missing: False})
    assert caught.value.detail["token"] == "Check"
    assert caught.value.detail["module"] == "AModule"


def test_two_runners_in_sight_are_told_apart_in_brackets(shop: Shop) -> None:
    app = ownership(shop, shared=True)

    async def go() -> None:
        with pytest.raises(ProtocolAmbiguityError):
            await app.resolve(AgentRunner)
        assert await app.resolve(AgentRunner[shop.A]) is not await app.resolve(AgentRunner[shop.B])

    asyncio.run(go())


def test_a_named_runner(shop: Shop) -> None:
    class TransferRunner(AgentRunner): ...

    app = create(AgentModule.for_root(agents=[shop.Empty], imports=shop.models("x"), model="m", runner=TransferRunner))
    assert isinstance(asyncio.run(app.resolve(TransferRunner)), TransferRunner)
    assert isinstance(asyncio.run(app.resolve(AgentRunner[shop.Empty])), TransferRunner)


def test_tools_of_the_module_are_every_agents(shop: Shop) -> None:  # M01
    models = shop.models([asks("add", a=1), asks("check")], "done")
    made = AgentModule.for_root(
        agents=[shop.Empty], tools=[shop.add, shop.Check], imports=[models, shop.Data], model="m"
    )
    assert run(create(made), (AgentRunner, shop.Empty)) == [["2", "1"]]


def test_the_modules_configuration_holds_where_an_agent_says_nothing(shop: Shop) -> None:  # M02
    models = shop.models(asks("add", a=1), asks("add", a=1))
    config = AgentConfig(system_prompt="MODULE PROMPT", max_turns=1)
    app = create(
        AgentModule.for_root(agents=[shop.A, shop.Empty], imports=[models, shop.Data], config=config, model="m")
    )

    async def go() -> None:
        async with app:
            runner = await app.resolve(AgentRunner)
            first = await runner.run(shop.Empty, "go")
            await runner.run(shop.A, "go")
            assert (first.stop_reason, first.turns) == ("max_turns", 1)
            assert [each.system for each in runner.model_client.requests] == ["MODULE PROMPT", "A's prompt."]

    asyncio.run(go())


def test_tools_of_the_scopes_request_and_transient(shop: Shop) -> None:  # M04
    calls = [asks("per_run"), asks("per_run"), asks("per_call"), asks("per_call")]
    app = create(
        AgentModule.for_root(agents=[shop.Scoped], imports=[shop.models(calls, "x", calls, "x"), shop.Data], model="m")
    )
    assert run(app, (AgentRunner, shop.Scoped), (AgentRunner, shop.Scoped)) == [["1", "2", "1", "1"]] * 2
    assert shop.LOG == ["session closed", "session closed", "database closed"]


def test_a_second_module_of_the_same_agent_changes_nothing_in_the_first(shop: Shop) -> None:  # M06
    app = create(AgentModule.for_root(agents=[shop.A], imports=[shop.models(asks("check"), "x"), shop.Data]))
    AgentModule.for_root(agents=[shop.A], imports=[shop.models()])
    other = create(AgentModule.for_root(agents=[shop.A], imports=[shop.models(asks("check"), "x"), shop.Data]))
    assert run(app, (AgentRunner, shop.A)) == [["1"]]
    assert run(other, (AgentRunner, shop.A)) == [["1"]]


def test_a_tool_by_inheritance_alone_is_refused(shop: Shop) -> None:  # M08
    undecorated = agent()(use_tools(shop.Sub)(type("Undecorated", (), {})))
    with pytest.raises(MetadataInheritanceError, match=r"Sub is a tool only by its base Base: decorate it with @tool"):
        AgentModule.for_root(agents=[undecorated], imports=[shop.models()])


def test_functions_in_shared_tools_are_passed_over(shop: Shop) -> None:  # M09
    models = shop.models(asks("add", a=1), "x")
    made = AgentModule.for_root(
        agents=[shop.Empty], tools=[shop.add], shared_tools=[shop.add], imports=models, model="m"
    )
    assert run(create(made), (AgentRunner, shop.Empty)) == [["2"]]


def test_without_its_imports_a_module_misses_the_table_and_the_model(shop: Shop) -> None:  # M10
    with pytest.raises(MissingProviderError, match=r"no provider for Table: .*create\(..., table=TABLE\)") as caught:
        create(AgentModule.for_root(agents=[shop.Empty]))
    assert [error.detail["token"] for error in caught.value.errors] == ["Table", "ModelClient"]
    assert {error.detail["module"] for error in caught.value.errors} == {"EmptyModule"}


def test_what_is_given_is_not_asked_for(shop: Shop) -> None:
    approvals = Approvals(time_limit=5)
    given = {"table": shop.table, "model_client": ScriptedModel(asks("pay"), "x"), "approvals": approvals}

    def approve(signal: Signal) -> None:
        if isinstance(signal, ToolPendingApproval):
            approvals.approve_tool(signal.agent_run_id, signal.tool_use_id)

    app = create(AgentModule.for_root(agents=[shop.Various], imports=shop.Data, model="m", signals=approve, **given))
    assert run(app, (AgentRunner, shop.Various)) == [["paid"]]


def test_the_applications_table_is_a_providers(shop: Shop) -> None:
    made = AgentModule.for_root(agents=[shop.Empty], model_client=ScriptedModel("x"), model="m")
    app = LaurenFactory.create(module(imports=[made])(type("App", (), {})), table=shop.table)
    assert run(app, (AgentRunner, shop.Empty)) == [[]]


def test_hooks_and_caches(shop: Shop) -> None:
    calls = [asks("rate"), asks("rate"), asks("guarded")]
    made = AgentModule.for_root(
        agents=[shop.Various], imports=[shop.models(calls, "x"), shop.Data], model="m", hooks=[shop.Global],
        tool_cache=InMemoryCacheBackend(),
    )  # fmt: skip
    assert run(create(made), (AgentRunner, shop.Various)) == [["7", "7", "fine"]]
    assert shop.LOG == [
        "global rate",
        "rate asked",
        "global rate",
        "global guarded",
        "guard guarded",
        "database closed",
    ]


def test_hooks_of_tools_in_two_modules_are_one_modules_too(shop: Shop) -> None:
    owner = module(imports=[shop.Data], providers=[shop.Guard], exports=[shop.Guard])(type("Owner", (), {}))
    models = shop.models(asks("guarded"), "x", asks("guarded"), "x")
    agents = [shop.Various, shop.Empty]
    made = [
        AgentModule.for_root(agents=[each], tools=[shop.guarded], imports=[models, owner], model="m") for each in agents
    ]
    assert run(create(*made), *((AgentRunner[each], each) for each in agents)) == [["fine"], ["fine"]]


def test_an_agents_object_may_hold_its_runner(shop: Shop) -> None:
    app = create(AgentModule.for_root(agents=[shop.Holding], imports=[shop.models("x"), shop.Data], model="m"))
    run(app, (AgentRunner, shop.Holding))
    assert shop.LOG[0] is True


def test_a_tool_may_not_hold_its_own_modules_runner(shop: Shop) -> None:
    with pytest.raises(CircularDependencyError, match="Asking -> CircularModuleRunner -> Asking"):
        create(AgentModule.for_root(agents=[shop.Circular], imports=shop.models(), model="m"))


def test_a_tool_that_is_exported_holds_the_runner_for_others(shop: Shop) -> None:
    models = shop.models(asks("asking"), "x")
    inner = AgentModule.for_root(agents=[shop.Empty], export_tools=[shop.Asking], imports=models, model="m")
    outer = AgentModule.for_root(agents=[shop.Circular], shared_tools=[shop.Asking], imports=[models, inner], model="m")
    assert run(create(outer), (AgentRunner[shop.Circular], shop.Circular)) == [["asked"]]


_AGENT_FAULTS: list[tuple[Callable[[Shop], Any], type[StartupError], str]] = [
    (
        lambda shop: AgentModule.for_root(agents=[shop.Database]),
        AgentConfigError,
        "Database is not decorated with @agent",
    ),
    (
        lambda shop: create(AgentModule.for_root(agents=[shop.Empty, shop.Empty], imports=shop.models())),
        DuplicateBindingError,
        r"AgentRunner\[Empty\] is registered twice",
    ),
    (
        lambda shop: create(*(AgentModule.for_root(agents=[shop.Empty], imports=shop.models()) for _ in range(2))),
        ModuleExportViolation,
        "Empty is declared in EmptyModule and in EmptyModule",
    ),
    (lambda shop: AgentModule.for_root(agents="Empty"), StartupError, r"for_root\(agents=\) takes a list"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("number", range(len(_AGENT_FAULTS)))
def test_what_is_wrong_with_agents(shop: Shop, number: int) -> None:
    make, error, text = _AGENT_FAULTS[number]
    with pytest.raises(error, match=text):
        make(shop)


def test_no_agents_are_fine(shop: Shop) -> None:
    create(AgentModule.for_root(agents=[], imports=shop.models()))


def test_further_providers(shop: Shop) -> None:
    made = AgentModule.for_root(agents=[shop.Holding], injects=[shop.Database], imports=shop.models("x"), model="m")
    run(create(made), (AgentRunner, shop.Holding))
    assert shop.LOG == [True, "database closed"]
