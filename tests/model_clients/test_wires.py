"""The official clients against a local server that speaks each provider's format, whole and broken."""

from __future__ import annotations

import json

import pytest
from lauren_runtime import (
    AgentConfig,
    ModelError,
    TokenUsage,
    ToolConversationIntegrityError,
)

from .conftest import Shop, run
from .server import Answer, Server
from .wires import WIRES, Call, Told, Wire


@pytest.fixture(params=[False, True], ids=["whole", "stream"])
def stream(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(params=sorted(WIRES))
def wire(request: pytest.FixtureRequest) -> Wire:
    return WIRES[request.param]


def test_text(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    response, text = run(shop, server, wire, stream, wire.reply(stream, "All is clean."))
    assert (response.content, response.stop_reason, response.turns) == ("All is clean.", "end_turn", 1)
    assert text == ("All is clean." if stream else "")
    assert response.total_usage == TokenUsage(8, 7, 3)


def test_the_compiled_tools_go_out_as_they_are(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    run(shop, server, wire, stream, wire.reply(stream, "x"))
    (asked,) = server.asked
    assert wire.tools(asked) == json.loads(shop.table.agent_json(shop.module.Cleaner, wire.target))
    sent = json.dumps(asked.body)
    assert "Be brief." in sent
    assert "other" not in sent
    assert "0.5" in sent


def test_two_calls_in_one_reply(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    calls = [Call("c1", "wipe", '{"path": "/a"}'), Call("c2", "fail")]
    first = wire.reply(stream, "I will.", calls, "calls")
    response, _ = run(shop, server, wire, stream, first, wire.reply(stream, "Done."))
    assert response.content == "Done."
    assert shop.module.RAN == ["/a"]
    failed = "Tool 'fail' failed with ValueError. It gave no result."
    assert wire.results(server.asked[1]) == [Told("c1", "wiped /a", False), Told("c2", failed, True)]
    assert len(server.asked) == 2
    assert "I will." in json.dumps(server.asked[1].body)


@pytest.mark.parametrize("stop", ["length", "calls"])
def test_arguments_that_were_cut_off_run_nothing(
    shop: Shop, server: Server, wire: Wire, stream: bool, stop: str
) -> None:
    arguments = '{"path": "/data/x'
    if not (wire.texts and (stream or wire.name.startswith("openai"))):
        if stop == "calls":
            return  # objects come whole, or not at all: what may be missing of one only the reason tells
        arguments = '{"path": "/data"}'
    first = wire.reply(stream, "", [Call("c1", "wipe", arguments)], stop)
    response, _ = run(shop, server, wire, stream, first, wire.reply(stream, "Sorry."))
    assert response.content == "Sorry."
    assert shop.module.RAN == []
    (told,) = wire.results(server.asked[1])
    assert told.is_error
    assert told.text.startswith("Invalid arguments for tool 'wipe'")


def test_a_call_cut_off_before_its_arguments_runs_nothing(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    arguments = "" if wire.texts and (stream or wire.name.startswith("openai")) else "{}"
    first = wire.reply(stream, "", [Call("c1", "wipe", arguments)], "length")
    run(shop, server, wire, stream, first, wire.reply(stream, "Sorry."))
    assert shop.module.RAN == []
    assert wire.results(server.asked[1])[0].is_error


def test_a_whole_call_before_one_that_was_cut_off_is_made(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    calls = [Call("c1", "wipe", '{"path": "/a"}'), Call("c2", "wipe", '{"path": "/b"}')]
    run(shop, server, wire, stream, wire.reply(stream, "", calls, "length"), wire.reply(stream, "Sorry."))
    assert shop.module.RAN[0] == "/a"
    assert not wire.results(server.asked[1])[0].is_error


def test_a_call_without_arguments(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    arguments = "" if wire.texts and (stream or wire.name.startswith("openai")) else "{}"
    first = wire.reply(stream, "", [Call("c1", "wipe", arguments)], "calls")
    run(shop, server, wire, stream, first, wire.reply(stream, "Done."))
    assert shop.module.RAN == ["/"]


@pytest.mark.parametrize("ids", [("same", "same"), ("", "c2")])
def test_calls_that_cannot_be_told_apart_run_nothing(
    shop: Shop, server: Server, wire: Wire, stream: bool, ids: tuple[str, str]
) -> None:
    first = wire.reply(stream, "", [Call(each, "wipe") for each in ids], "calls")
    if not wire.has_ids and "" in ids:
        run(shop, server, wire, stream, first, wire.reply(stream, "Done."))
        assert [each.id for each in wire.results(server.asked[1])] == ["", "c2"]
        return
    with pytest.raises(ToolConversationIntegrityError):
        run(shop, server, wire, stream, first)
    assert shop.module.RAN == []


def test_too_many_requests_are_waited_for_by_the_package(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    busy = Answer(json.dumps(wire.failure()).encode(), status=429, headers={"retry-after": "0"})
    response, _ = run(shop, server, wire, stream, busy, wire.reply(stream, "Now."), retries=2)
    assert response.content == "Now."
    assert len(server.asked) == 2


def test_too_many_requests_for_too_long_are_a_model_error(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    headers = {"retry-after": "7", "x-amzn-errortype": "ThrottlingException"}
    busy = Answer(json.dumps(wire.failure()).encode(), status=429, headers=headers)
    with pytest.raises(ModelError, match="slow down") as caught:
        run(shop, server, wire, stream, busy)
    assert (caught.value.status, caught.value.retry_after) == (429, 7.0)
    assert caught.value.__cause__ is not None


def test_a_connection_that_breaks_is_a_model_error_and_runs_nothing(
    shop: Shop, server: Server, wire: Wire, stream: bool
) -> None:
    calls = [Call("c1", "wipe", json.dumps({"path": "/" + "x" * 200}))]
    with pytest.raises(ModelError):
        run(shop, server, wire, stream, wire.reply(stream, "I was saying " * 20, calls, "calls", cut=True))
    assert shop.module.RAN == []


@pytest.mark.filterwarnings("ignore:tired_of_it is not a valid FinishReason")  # google-genai says so, and goes on
def test_an_unknown_reason_to_stop(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    response, _ = run(shop, server, wire, stream, wire.reply(stream, "Hm.", (), "tired_of_it"))
    assert (response.content, response.stop_reason) == ("Hm.", "other")
    assert "tired_of_it" in response.stop_detail.lower()
    calls = [Call("c1", "wipe", '{"path": "/a"}')]
    run(shop, server, wire, stream, wire.reply(stream, "", calls, "tired_of_it"), wire.reply(stream, "Done."))
    assert shop.module.RAN == ["/a"]


def test_a_picture_goes_to_the_model(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    first = wire.reply(stream, "", [Call("c1", "show")], "calls")
    message = [{"type": "text", "text": "look"}, {"type": "image", "data": "BBBB", "mimeType": "image/jpeg"}]
    run(shop, server, wire, stream, first, wire.reply(stream, "A dot."), messages=(message,))
    sent = json.dumps(server.asked[1].body)
    assert "AAAA" in sent
    assert "BBBB" in sent
    assert "a dot" in sent


def test_a_conversation_goes_on_after_it_was_kept(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    first = wire.reply(stream, "", [Call("c1", "wipe", '{"path": "/a"}')], "calls")
    rest = [wire.reply(stream, "Done."), wire.reply(stream, "Still done.")]
    run(shop, server, wire, stream, first, *rest, messages=("first", "second"), conversation_id="c")
    sent = json.dumps(server.asked[2].body)
    assert all(each in sent for each in ("first", "/a", "wiped /a", "Done.", "second"))


def test_further_fields_and_their_absence(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    names = {"anthropic": "max_tokens", "openai": "max_completion_tokens", "openai-responses": "max_output_tokens"}
    if wire.name not in names:
        return
    options = {names[wire.name]: 9, "metadata": {"user_id": "u"}, "temperature": None}
    run(shop, server, wire, stream, wire.reply(stream, "x"), config_override=AgentConfig(request_options=options))
    body = server.asked[0].body
    assert (body[names[wire.name]], body["metadata"], "temperature" in body) == (9, {"user_id": "u"}, False)
