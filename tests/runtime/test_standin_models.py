"""`LLMConfig`, `LLMModule` and the rest of the stand-in's models: what they take, and what they refuse."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from harness import requires
from lauren_runtime import LaurenFactory, ModelClient, TokenUsage, ToolCall, standin
from lauren_runtime.agents.model_client import ModelRequest
from lauren_runtime.standin.models import LLMConfig, LLMModule
from lauren_runtime.standin.signals import SignalBus
from lauren_runtime.standin.transport import (
    Completion,
    CompletionChunk,
    EmptyQueueError,
    MockModel,
    MockTransport,
    ToolCallDelta,
)
from lauren_runtime.testing import ScriptedModel

REQUEST = ModelRequest("m", [])


def client_of(config: LLMConfig, given: Any = None) -> Any:
    app = LaurenFactory.create(LLMModule.for_root(config, transport_override=given))
    return asyncio.run(app.resolve(ModelClient))


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: LLMConfig("litellm", "m"), "provider 'litellm' has no client here"),
        (lambda: LLMConfig.for_openai(cache_tools=True), r"LLMConfig\(cache_tools=...\) says nothing to this runtime"),
        (lambda: LLMModule.for_root(LLMConfig.for_openai(), signals=SignalBus()), "a model tells no signals here"),
        (lambda: client_of(LLMConfig.for_openai(), object()), "a transport here is a MockTransport or a ModelClient"),
    ],
)
def test_what_can_not_be_told_this_runtime_is_refused(make: Any, told: str) -> None:
    with pytest.raises(standin.StandinError, match=told):
        make()


@pytest.mark.one_python  # the providers' packages are installed for one
@pytest.mark.parametrize(
    ("config", "target", "url"),
    [
        (LLMConfig.for_anthropic(api_key="k"), "anthropic", "https://api.anthropic.com"),
        (LLMConfig.for_openai(api_key="k", base_url="http://h/v1"), "openai", "http://h/v1/"),
        (LLMConfig.for_ollama(), "openai", "http://localhost:11434/v1/"),
    ],
)
def test_a_provider_is_asked_through_its_own_package(config: LLMConfig, target: str, url: str) -> None:
    requires.package("anthropic", "anthropic")
    requires.package("openai", "openai")
    client = client_of(config)
    assert (client.target, client.default_model) == (target, config.model)
    assert str(client.complete.__self__._client.base_url) == url


def test_a_model_client_of_ones_own_is_a_transport() -> None:
    client = client_of(LLMConfig.for_openai(model="own"), ScriptedModel("yes"))
    assert asyncio.run(client.complete(REQUEST)).message.text == "yes"
    assert client.default_model == "own"


def test_a_stream_is_put_together() -> None:
    mock = MockTransport()
    pieces = [ToolCallDelta("a", "add", '{"x"'), ToolCallDelta("a", None, ": 1}")]
    chunks = [CompletionChunk("Hi"), *(CompletionChunk(tool_call_delta=each) for each in pieces)]
    mock.queue_stream([*chunks, CompletionChunk(usage=TokenUsage(1, 2))])
    reply = asyncio.run(MockModel(mock, "m").complete(REQUEST))
    assert (reply.message.text, reply.stop_reason, reply.usage.output_tokens) == ("Hi", "tool_use", 2)
    assert [block["input"] for block in reply.message.calls] == [{"x": 1}]


def test_nothing_queued_is_said() -> None:
    mock = MockTransport()
    with pytest.raises(ValueError, match="at least one chunk"):
        mock.queue_stream([])
    with pytest.raises(EmptyQueueError, match=r"asked once more \(request 1\)"):
        asyncio.run(MockModel(mock, "m").complete(REQUEST))


def test_a_reset_transport_has_asked_and_will_say_nothing() -> None:
    mock = MockTransport()
    mock.queue_response(Completion("1", "m", "", [ToolCall("a", "t", {})], "tool_use", TokenUsage()))
    mock.queue_tool_use("t", {})
    asyncio.run(MockModel(mock, "m").complete(REQUEST))
    assert len(mock.calls) == 1
    mock.reset()
    with pytest.raises(EmptyQueueError):
        asyncio.run(MockModel(mock, "m").complete(REQUEST))
    assert mock.calls == []


def test_a_bus_tells_handlers_of_their_signals(caplog: pytest.LogCaptureFixture) -> None:
    bus, told = SignalBus(), []

    @bus.on(int)
    async def number(signal: int) -> None:
        told.append(("number", signal))

    @bus.on_any
    def any_kind(signal: object) -> None:
        told.append(("any", signal))

    @bus.on(str)
    def failing(signal: str) -> None:
        raise RuntimeError(signal)

    asyncio.run(bus(1))
    asyncio.run(bus("x"))
    bus.off(int, number)
    bus.off(int, number)
    bus.off_any(any_kind)
    bus.off_any(any_kind)
    asyncio.run(bus(2))
    assert told == [("number", 1), ("any", 1), ("any", "x")]
    assert "a handler of str failed" in caplog.text


def test_without_a_build_the_program_is_told_so(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text("print('never')")
    command = [sys.executable, "-m", "lauren_runtime.standin"]
    done = subprocess.run([*command, str(program)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert "lauren_build holds no build" in done.stderr
    done = subprocess.run([*command, "nothing.py"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    assert "No such file" in done.stderr


def test_a_table_is_needed_only_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("lauren_build", "lauren_build.dispatch"):
        monkeypatch.setitem(sys.modules, name, None)  # there may be one, of another test
    standin.install()
    try:
        with pytest.raises(standin.StandinError, match="there is no build to take the tools from"):
            standin.table_in_use()
    finally:
        standin.uninstall()
