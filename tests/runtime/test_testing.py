"""What `lauren_runtime.testing` offers for tests of users' own tools."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from harness.hand_build import Build
from lauren_runtime import (
    AfterToolHookDecision,
    BeforeToolHookDecision,
    ErrorToolHookDecision,
    ToolContext,
    ToolHook,
    ToolInputError,
    ToolPendingApprovalSignal,
    ToolResult,
)
from lauren_runtime.testing import FakeCache, RecordingHook, ToolClient, seen_by_model

SOURCE = """
@tool()
async def greet(name, c: ToolContext):
    return f"hello {name} of {c.extras.get('team', 'none')}"

@tool(requires_confirmation=True)
async def pay(amount):
    return f"paid {amount}"

@tool(cache_ttl=60)
async def rate(base):
    return {"base": base}

@tool()
async def falls():
    raise ValueError("no")

@tool()
async def count():
    yield 1
    yield 2

@tool()
async def pictures():
    return [{"type": "text", "text": "two"}, {"type": "image", "source": {}}]
"""
PLAIN: dict[str, Any] = {"is_async": True}
TOOLS: dict[str, dict[str, Any]] = {
    "greet": {**PLAIN, "arguments": {"name": "str"}, "context": "c"},
    "pay": {**PLAIN, "arguments": {"amount": "int"}, "requires_confirmation": True},
    "rate": {**PLAIN, "arguments": {"base": "str"}, "cache_ttl": 60},
    "falls": PLAIN,
    "count": {**PLAIN, "is_generator": True},
    "pictures": PLAIN,
}


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return Build(tmp_path_factory.mktemp("testing"), SOURCE, TOOLS)


def test_a_call_takes_keywords_an_object_or_text(build: Build) -> None:
    client = ToolClient(build.table, context=ToolContext(extras={"team": "blue"}))
    results = [
        client.call("greet", name="Ada"),
        client.call("greet", {"name": "Ada"}),
        client.call("greet", '{"name": "Ada"}'),
        client.call(build.tools.greet, name="Ada"),
    ]
    assert [result.content for result in results] == ["hello Ada of blue"] * 4
    assert [result.tool_use_id for result in results] == ["call_1", "call_2", "call_3", "call_4"]
    own = client.call("greet", name="Bob", context=ToolContext(extras={"team": "red"}))
    assert own.content == "hello Bob of red"


def test_both_ways_of_arguments_at_once_are_refused(build: Build) -> None:
    with pytest.raises(TypeError, match="not both"):
        ToolClient(build.table).call("greet", {"name": "Ada"}, name="Bob")


def test_inside_a_running_loop_it_is_awaited(build: Build) -> None:
    client = ToolClient(build.table)

    async def inside() -> str | list[Any]:
        with pytest.raises(RuntimeError, match="acall"):
            client.call("greet", name="Ada")
        return (await client.acall("greet", name="Ada")).content

    assert asyncio.run(inside()) == "hello Ada of none"


def test_refusals_are_asserted_with_what_the_model_sees(build: Build) -> None:
    client = ToolClient(build.table)
    assert "name" in client.refuses("greet", {"name": 1}, match=r"name: expected")
    assert isinstance(client.call("greet").exception, ToolInputError)
    with pytest.raises(AssertionError, match="no error: 'hello Ada"):
        client.refuses("greet", name="Ada")
    with pytest.raises(AssertionError, match=r"is not in what the model sees: .Invalid"):
        client.refuses("greet", {"name": 1}, match="something else")


def test_approval_is_answered_for_the_human(build: Build) -> None:
    client = ToolClient(build.table)
    with pytest.raises(ToolPendingApprovalSignal):
        client.call("pay", amount=5)
    assert client.call("pay", amount=5, approve=True).content == "paid 5"
    rejected = client.call("pay", amount=5, approve=False)
    assert (rejected.is_error, rejected.content) == (True, "a human rejected the call")
    halved = client.call("pay", amount=8, approve=lambda signal: {"amount": signal.tool_input["amount"] // 2})
    assert halved.content == "paid 4"


def test_streams(build: Build) -> None:
    results = ToolClient(build.table).stream("count")
    assert [(result.status, result.content) for result in results] == [
        ("partial", "1"),
        ("partial", "2"),
        ("executed", "[1, 2]"),
    ]


def test_a_recording_hook_keeps_what_it_is_told(build: Build) -> None:
    hook = RecordingHook()
    client = ToolClient(build.table, global_hooks=[hook])
    client.call("rate", base="EUR")
    client.call("falls")
    assert hook.before == [("rate", {"base": "EUR"}), ("falls", {})]
    assert hook.after == [("rate", {"base": "EUR"})]
    assert [(name, str(error)) for name, error in hook.errors] == [("falls", "no")]


@pytest.mark.parametrize(
    ("hook", "tool", "content"),
    [
        (RecordingHook(before=BeforeToolHookDecision.modify({"base": "USD"})), "rate", '{"base": "USD"}'),
        (RecordingHook(after=AfterToolHookDecision.replace("other")), "rate", "other"),
        (RecordingHook(on_error=ErrorToolHookDecision.suppress_with("fine")), "falls", "fine"),
    ],
)
def test_a_recording_hook_decides_as_it_is_told(build: Build, hook: RecordingHook, tool: str, content: str) -> None:
    arguments = {"base": "EUR"} if tool == "rate" else {}
    assert ToolClient(build.table, global_hooks=[hook]).call(tool, arguments).content == content


def test_a_fake_cache_has_a_clock_and_can_fail(build: Build) -> None:
    cache = FakeCache()
    client = ToolClient(build.table, cache_backend=cache)
    assert [client.call("rate", base="EUR").cached for _ in range(2)] == [False, True]
    assert [method for method, _ in cache.asked] == ["get", "set", "get"]
    cache.advance(61)
    assert cache.kept == {}
    assert not client.call("rate", base="EUR").cached
    cache.failing.add("get")
    assert client.call("rate", base="EUR").content == '{"base": "EUR"}'


def test_what_a_model_sees_of_content_blocks(build: Build) -> None:
    assert seen_by_model(ToolClient(build.table).call("pictures")) == "two\n[image]"
    assert seen_by_model(ToolResult.ok("text")) == "text"


@pytest.mark.parametrize("answer", [None, 0, "yes", []])
def test_an_answer_that_is_none_approves_nothing(build: Build, answer: Any) -> None:
    ran: list[Any] = []

    class Watch(ToolHook):
        def after_tool_call(self, result: Any, ctx: Any) -> None:
            ran.append(result)

    client = ToolClient(build.table, global_hooks=[Watch()])
    with pytest.raises(TypeError, match="`approve` answers True, False or a dict"):
        client.call("pay", amount=5, approve=lambda _: answer)
    assert ran == []
