"""The loop: what the model is told, what is run, and when a run ends."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from lauren_runtime import (
    AgentConfig,
    AgentConfigError,
    ToolCall,
    ToolConversationIntegrityError,
    ToolExecutionError,
    ToolSetupError,
    agent,
    tool,
    use_tools,
)
from lauren_runtime.agents.messages import TokenUsage
from lauren_runtime.agents.model_client import ModelError
from lauren_runtime.testing import AgentClient, asks, reply

from .conftest import App


def test_a_call_and_its_result_and_the_answer(app: App) -> None:
    client = AgentClient(app.table, reply("Let me see.", asks("add", a=2, b=3)), "It is 5.")
    response = client.run(app.Everything, "2 + 3?")
    assert (response.content, response.turns, response.stop_reason) == ("It is 5.", 2, "end_turn")
    assert [(call.name, call.input) for call in response.tool_calls_made] == [("add", {"a": 2, "b": 3})]
    assert response.total_usage == TokenUsage(2, 2)
    assert client.told(0) == "5"
    first, second = client.model.requests
    assert (first.model, first.system, first.max_tokens, first.temperature) == ("m", "Use the tools.", 4096, None)
    assert [(each.role, each.text) for each in second.messages] == [
        ("user", "2 + 3?"),
        ("assistant", "Let me see."),
        ("user", ""),
    ]
    assert client.model.is_done


def test_the_model_is_told_the_agents_own_tools_only_as_they_were_compiled(app: App) -> None:
    client = AgentClient(app.table, asks("wipe", path="/home"), "Sorry.")
    client.run(app.Sums, "go")
    (entry,) = client.model.requests[0].tools.entries
    assert entry == next(each for each in app.table.provider_tools("anthropic") if each["name"] == "add")
    assert client.model.requests[0].tools is client.model.requests[1].tools
    assert client.told(0).startswith("There is no tool named 'wipe'")
    assert app.RAN == []


def test_an_agent_without_tools_and_the_runners_model(app: App) -> None:
    client = AgentClient(app.table, "Hello.", model="big")
    assert client.run(app.Plain, "hi").content == "Hello."
    (request,) = client.model.requests
    assert (request.model, request.tools.entries, request.system) == ("big", [], "You are a helpful assistant.")
    assert AgentClient(app.table, "x", model="big").run(app.Plain, "hi", model_override="small").turns == 1


@pytest.mark.parametrize("why", ["max_tokens", "end_turn", "other", "stop_sequence"])
def test_calls_are_made_because_they_are_there(app: App, why: Any) -> None:
    client = AgentClient(app.table, reply("", asks("add", a=1), stop_reason=why), "done")
    assert client.run(app.Everything, "go").content == "done"
    assert app.RAN == [("add", 1, 1)]


@pytest.mark.parametrize(
    ("said", "reported"),
    [
        ("max_tokens", "max_tokens"),
        ("stop_sequence", "stop_sequence"),
        ("refusal", "refusal"),
        ("other", "other"),
        ("tool_use", "end_turn"),
    ],
)
def test_a_reply_without_calls_ends_the_run_and_says_why(app: App, said: Any, reported: str) -> None:
    assert AgentClient(app.table, reply("So", stop_reason=said)).run(app.Everything, "go").stop_reason == reported


def test_a_paused_reply_goes_on(app: App) -> None:
    client = AgentClient(app.table, reply("wait", stop_reason="pause"), "done")
    assert client.run(app.Everything, "go").turns == 2
    assert [each.text for each in client.model.requests[1].messages] == ["go", "wait"]


@pytest.mark.parametrize("arguments", ['{"path": "/data/x', "null", "[1]", "", '{"path": "/a", "path": "/b"}'])
def test_arguments_that_are_no_object_run_nothing(app: App, arguments: str) -> None:
    client = AgentClient(app.table, ToolCall("t", "wipe", arguments), "done")
    client.run(app.Everything, "go")
    assert app.RAN == []
    assert client.model.results[0]["is_error"] is True
    assert client.told(0).startswith("Invalid arguments for tool 'wipe'")


def test_arguments_that_may_be_cut_off_run_nothing(app: App) -> None:
    call = ToolCall("t", "wipe", {})
    client = AgentClient(app.table, reply("", call, stop_reason="max_tokens", truncated="t"), "done")
    client.run(app.Everything, "go")
    assert app.RAN == []
    assert "cut off" in client.told(0)


@pytest.mark.parametrize(
    ("calls", "text"),
    [
        ([ToolCall("t", "add", {"a": 1}), ToolCall("t", "add", {"a": 2})], "two calls the id 't'"),
        ([ToolCall("", "add", {"a": 1})], "called 'add' without an id"),
        ([ToolCall(None, "add", {"a": 1})], "without an id"),  # type: ignore[arg-type]
    ],
)
def test_calls_that_ids_do_not_tell_apart_run_nothing(app: App, calls: list[ToolCall], text: str) -> None:
    client = AgentClient(app.table, calls)
    with pytest.raises(ToolConversationIntegrityError, match=text):
        client.run(app.Everything, "go")
    assert app.RAN == []


def test_results_stand_in_one_message_in_the_order_of_the_calls(app: App) -> None:
    calls = [ToolCall("z", "slow", {"name": "z", "seconds": 0.05}), ToolCall("a", "slow", {"name": "a"})]
    for parallel, ran in ((False, ["begin z", "end z", "begin a", "end a"]), (True, None)):
        app.RAN.clear()
        client = AgentClient(app.table, list(calls), "done", config=AgentConfig(parallel_tool_calls=parallel))
        client.run(app.Everything, "go")
        assert [each["tool_use_id"] for each in client.model.results] == ["z", "a"]
        told = [" ".join(each) for each in app.RAN]
        assert told == ran if ran else set(told[:2]) == {"begin z", "begin a"}


def test_a_picture_stays_content_blocks(app: App) -> None:
    client = AgentClient(app.table, asks("show"), "seen")
    client.run(app.Everything, "go")
    assert client.told(0) == "a dot\n[image]"


def test_the_turns_of_a_run_are_limited(app: App) -> None:
    client = AgentClient(app.table, asks("add", a=1), reply("more", asks("add", a=2)))
    response = client.run(app.Sums, "go")
    assert (response.stop_reason, response.turns, response.content) == ("max_turns", 2, "more")
    assert app.RAN == [("add", 1, 1), ("add", 2, 1)]


@pytest.mark.parametrize("limit", [{"max_total_tokens": 150}, {"max_cost_usd": 0.15}])
def test_what_a_run_may_use_is_limited(app: App, limit: dict[str, Any]) -> None:
    script = [reply("", asks("add", a=n), usage=TokenUsage(90, 10)) for n in range(3)]
    client = AgentClient(app.table, *script, prices=lambda model, usage: usage.total_tokens / 1000)
    response = client.run(app.Everything, "go", config_override=AgentConfig(**limit), conversation_id="c")
    assert (response.stop_reason, response.turns) == ("budget_exceeded", 2)
    assert response.total_cost_usd == pytest.approx(0.2)
    assert app.RAN == [("add", 0, 1)]
    kept = client.runner._store.load("c")
    assert "not run" in kept[-1]["content"][0]["content"]


def test_a_limit_of_costs_needs_prices(app: App) -> None:
    with pytest.raises(AgentConfigError, match=r"AgentRunner\(prices=\)"):
        AgentClient(app.table).run(app.Everything, "go", config_override=AgentConfig(max_cost_usd=1))


def test_configurations_lie_over_another(app: App) -> None:
    config = AgentConfig(max_turns=7, temperature=0.5, top_p=0.9, system_prompt="Module.", request_options={"a": 1})
    client = AgentClient(app.table, "x", "x", "x", config=config)
    client.run(app.Sums, "go")
    client.run(app.Plain, "go", config_override=AgentConfig(temperature=0), model_override="x")
    sums, plain = client.model.requests
    assert (sums.system, sums.temperature, sums.top_p, sums.options) == ("Only sums.", 0.5, 0.9, {"a": 1})
    assert (plain.system, plain.temperature) == ("Module.", 0)


@pytest.mark.parametrize(
    ("policy", "told", "error"),
    [
        ("return_error", "Tool 'fail' failed with RuntimeError. It gave no result.", True),
        ("skip", "The tool failed; the call was skipped, and has no result.", True),
    ],
)
def test_a_failing_tool_under_each_policy(app: App, policy: Any, told: str, error: bool) -> None:
    client = AgentClient(app.table, asks("fail"), "done", config=AgentConfig(tool_error_policy=policy))
    client.run(app.Everything, "go")
    assert client.told(0) == told
    assert client.model.results[0]["is_error"] is error


@pytest.mark.parametrize("parallel", [False, True])
def test_the_policy_raise_ends_the_run_with_a_conversation_that_is_whole(app: App, parallel: bool) -> None:
    calls = [ToolCall("1", "slow", {"name": "x", "seconds": 0}), ToolCall("2", "fail", {})]
    calls.append(ToolCall("3", "slow", {"name": "y", "seconds": 5}))
    config = AgentConfig(tool_error_policy="raise", parallel_tool_calls=parallel)
    client = AgentClient(app.table, calls, "again", config=config)
    with pytest.raises(ToolExecutionError, match="'fail' failed: RuntimeError: postgres"):
        client.run(app.Everything, "go", conversation_id="c")
    assert ("end", "y") not in app.RAN
    client.run(app.Everything, "on", conversation_id="c")
    results = [each for message in client.model.requests[1].messages for each in message.content]
    told = {each["tool_use_id"]: each["content"] for each in results if each["type"] == "tool_result"}
    assert told["1"] == "x"
    assert "The run ended before" in told["2"]
    assert "The run ended before" in told["3"]


def test_what_the_model_does_wrong_is_no_failure_of_a_tool(app: App) -> None:
    calls = [ToolCall("1", "add", {"a": "many"}), ToolCall("2", "no_such_tool", {})]
    client = AgentClient(app.table, calls, "sorry", config=AgentConfig(tool_error_policy="raise"))
    assert client.run(app.Everything, "go").content == "sorry"


def test_what_a_tool_knows_of_its_run(app: App) -> None:
    client = AgentClient(app.table, asks("add", a=1), ToolCall("w", "where", {}), "done", message_bus="bus")

    async def go() -> None:
        app.USER.set("alice")
        await client.arun(
            app.Everything, "go", run_id="R", metadata={"user": "u"}, request="q", execution_context="e",
            conversation_id="c",
        )  # fmt: skip

    asyncio.run(go())
    assert json.loads(client.told(0)) == {
        "tool": "where", "id": "w", "turn": 1, "agent": "Everything", "run": "R", "user": "u", "request": "q",
        "execution": "e", "conversation": "c", "runner": True, "bus": "bus", "variable": "alice",
    }  # fmt: skip


def test_state_belongs_to_the_run(app: App) -> None:
    def script() -> list[Any]:
        return [[asks("count"), asks("count"), asks("per_run"), asks("per_run"), asks("per_call"), asks("per_call")]]

    async def one() -> list[str]:
        client = AgentClient(app.table, *script(), "done")
        await client.arun(app.Everything, "go")
        return [client.told(n) for n in range(6)]

    async def both() -> list[list[str]]:
        return await asyncio.gather(one(), one())

    assert asyncio.run(both()) == [["1", "2", "1", "2", "1", "1"]] * 2


def test_two_runs_of_one_runner_at_once_do_not_mix(app: App) -> None:
    async def go() -> list[str]:
        client = AgentClient(
            app.table,
            *[lambda request: asks("count") if len(request.messages) < 7 else "done"] * 8,
        )
        await asyncio.gather(client.arun(app.Everything, "a"), client.arun(app.Everything, "b"))
        last = [each for each in client.model.requests if len(each.messages) == 7]
        blocks = [[b for m in each.messages for b in m.content if b["type"] == "tool_result"] for each in last]
        return [",".join(b["content"] for b in each) for each in blocks]

    assert asyncio.run(go()) == ["1,2,3", "1,2,3"]


def test_a_singleton_serves_all_agents_of_a_runner(app: App) -> None:
    @agent(model="m")
    @use_tools(app.Counter)
    class Other: ...

    client = AgentClient(app.table, asks("counter"), "done", asks("counter"), "done")
    client.run(app.Everything, "go")
    client.run(Other, "go")
    assert client.told(0) == "2"


def test_an_object_of_an_agent_runs_as_its_class_does(app: App) -> None:
    assert AgentClient(app.table, "yes").run(app.Everything(), "go").content == "yes"


def test_what_cannot_be_run_says_why(app: App) -> None:
    @tool(name="add")
    async def second() -> None: ...

    @agent(model="m")
    @use_tools(second)
    class Unbuilt: ...

    class NoAgent: ...

    client = AgentClient(app.table, target="no-such-target")
    with pytest.raises(AgentConfigError, match="NoAgent is not decorated with @agent"):
        client.run(NoAgent, "go")
    with pytest.raises(AgentConfigError, match="--target no-such-target"):
        client.run(app.Sums, "go")
    with pytest.raises(AgentConfigError, match="'Plain' names no model"):
        client.run(app.Plain, "go")
    with pytest.raises(ToolSetupError):
        client.run(Unbuilt, "go")
    with pytest.raises(TypeError, match="no option 'max_turns'"):
        client.run(app.Sums, "go", max_turns=3)


def test_a_run_id_is_one_runs_at_a_time(app: App) -> None:
    client = AgentClient(app.table, asks("slow", name="x"), "done", "again")

    async def go() -> None:
        first = asyncio.ensure_future(client.arun(app.Everything, "a", run_id="R"))
        await asyncio.sleep(0)
        with pytest.raises(ValueError, match="a run with the id 'R' is going on already"):
            await client.arun(app.Everything, "b", run_id="R")
        await first
        await client.arun(app.Everything, "c", run_id="R")

    asyncio.run(go())


def test_no_reply_leaves_the_conversation_as_it_was(app: App) -> None:
    client = AgentClient(app.table, "one", ModelError("overloaded", status=529), "two")
    client.run(app.Everything, "a", conversation_id="c")
    with pytest.raises(ModelError, match="overloaded"):
        client.run(app.Everything, "b", conversation_id="c")
    client.run(app.Everything, "b", conversation_id="c")
    assert [each.text for each in client.model.requests[2].messages] == ["a", "one", "b"]
