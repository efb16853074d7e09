"""What is given to runners, executors and scripts by mistake is said at once, in words that name it."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest
from lauren_runtime import AgentConfigError, AgentRunner, ToolCall, ToolExecutor, ToolPendingApprovalSignal
from lauren_runtime.testing import AgentClient, ScriptedModel, asks

from .conftest import App

PAY = ToolCall("t1", "pay", {"amount": 5})


def test_a_call_that_nobody_answers_ends_the_run(app: App) -> None:
    """It would wait for the time limit of approvals, five minutes."""
    client = AgentClient(app.table, PAY, "done")
    begun = time.monotonic()
    with pytest.raises(ToolPendingApprovalSignal, match="'pay' needs approval") as caught:
        client.run(app.Everything, "go")
    assert time.monotonic() - begun < 60
    assert caught.value.tool_input == {"amount": 5}
    assert caught.value.__notes__ == ["nobody answers for the human: say `approve=` to `run`"]
    assert app.RAN == []


def test_whoever_runs_in_the_same_loop_may_answer(app: App) -> None:
    client = AgentClient(app.table, PAY, "done")

    async def person() -> None:
        while not client.signals or not client.runner.approve_tool("r1", "t1"):
            await asyncio.sleep(0)

    async def both() -> None:
        await asyncio.gather(client.arun(app.Everything, "go", run_id="r1"), person())

    asyncio.run(both())
    assert client.told(0) == "paid 5"


def test_run_in_a_running_loop_says_what_to_await(app: App) -> None:
    client = AgentClient(app.table, "hi")

    async def inside() -> None:
        client.run(app.Everything, "go")

    with pytest.raises(RuntimeError, match="await `arun` instead of `run`"):
        asyncio.run(inside())


@pytest.mark.parametrize("client", [None, object(), "anthropic"])
def test_what_is_no_model_client(app: App, client: Any) -> None:
    with pytest.raises(TypeError, match="a model client has `target`; this has not"):
        AgentRunner(app.table, model_client=client)


@pytest.mark.parametrize("table", [None, "lauren_build", asyncio])
def test_what_is_no_table(table: Any) -> None:
    with pytest.raises(TypeError, match="an executor runs the TABLE of a build"):
        ToolExecutor(table)
    with pytest.raises(TypeError, match="an executor runs the TABLE of a build"):
        AgentRunner(table, model_client=ScriptedModel())


@pytest.mark.parametrize("line", [3, None, ["text"], [asks("add"), "text"], {"text": 1}])
def test_what_no_model_says(app: App, line: Any) -> None:
    with pytest.raises(TypeError, match="a script has texts, calls, replies"):
        ScriptedModel("fine", line)
    with pytest.raises(TypeError, match="a script has texts, calls, replies"):
        AgentClient(app.table, lambda request: line).run(app.Everything, "go")


def test_a_script_that_is_too_short_says_how_long_it_is(app: App) -> None:
    with pytest.raises(AssertionError, match="asked once more, but its script has 1 reply"):
        AgentClient(app.table, asks("add", a=1)).run(app.Everything, "go")


def test_an_agents_name_is_no_agent(app: App) -> None:
    with pytest.raises(AgentConfigError, match="'everything', of class str, is not decorated with @agent"):
        AgentClient(app.table, "hi").run("everything", "go")
