"""Answers of servers that are broken or hostile: each is a ModelError or a reply, and no conversation is spoiled."""

from __future__ import annotations

import asyncio
import json
import re
import warnings
from contextlib import aclosing
from typing import Any

import pytest
from lauren_runtime import AgentRunner, ModelError, ToolConversationIntegrityError

from . import test_native
from .conftest import Shop, run
from .server import Answer, Asked, Server, sse
from .test_native import contains
from .wires import WIRES, Call, Wire

BODIES: dict[str, bytes] = {
    "null": b"null",
    "list": b"[]",
    "list of null": b"[null]",
    "text": b'"x"',
    "number": b"5",
    "nothing": b"{}",
    "html": b"<html>",
    "empty": b"",
    "bytes": b"\xff\xfe",
    "deep": b"[" * 100_000,
    "error": b'{"error": {"message": "boo", "code": 5}}',
    "error text": b'{"error": "boo"}',
    "typed error": b'{"type": "error", "error": {"type": "overloaded_error", "message": "boo"}}',
}


@pytest.fixture(params=[False, True], ids=["whole", "stream"])
def stream(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture(params=sorted(WIRES))
def wire(request: pytest.FixtureRequest) -> Wire:
    return WIRES[request.param]


@pytest.mark.parametrize("body", sorted(BODIES))
def test_what_is_no_answer_is_a_model_error(shop: Shop, server: Server, wire: Wire, stream: bool, body: str) -> None:
    kinds = ("application/json", "text/html") if not stream else (wire.stream_type,)
    for kind in kinds:
        for content in (BODIES[body], b"data: " + BODIES[body] + b"\n\n") if stream else (BODIES[body],):
            with pytest.raises(ModelError) as raised:
                run(shop, server, wire, stream, Answer(content, kind))
            assert len(str(raised.value)) < 700
    assert shop.module.RAN == []


EXPECTED = (None, ModelError, ToolConversationIntegrityError)


def failures(
    shop: Shop, server: Server, wire: Wire, stream: bool, answers: list[Answer]
) -> list[type[Exception] | None]:
    """What a run raises for each of these answers, if it does: one client asks for all of them."""

    async def failure(runner: AgentRunner, answer: Answer) -> type[Exception] | None:
        server.answers = [answer, wire.reply(stream, "Done.")]
        try:
            if not stream:
                await runner.run(shop.module.Cleaner, "go")
            else:
                async for _ in runner.run_stream(shop.module.Cleaner, "go"):
                    pass
        except Exception as error:
            return type(error)
        return None

    async def go() -> list[type[Exception] | None]:
        async with aclosing(wire.client(server)) as client:
            runner = AgentRunner(shop.table, model_client=client)
            return [await failure(runner, each) for each in answers]

    return asyncio.run(go())


def mangled(value: Any, replacement: Any) -> list[Any]:
    """A JSON value with one of its parts replaced, for each part."""
    made = [replacement]
    if isinstance(value, dict):
        made += [{**value, key: each} for key, part in value.items() for each in mangled(part, replacement)]
        made += [{name: part for name, part in value.items() if name != key} for key in value]
    elif isinstance(value, list):
        for number, part in enumerate(value):
            made += [[*value[:number], each, *value[number + 1 :]] for each in mangled(part, replacement)]
    return made


@pytest.mark.parametrize("replacement", [None, 5, "x", [], {}, [None]], ids=repr)
def test_whole_answers_with_one_wrong_part(shop: Shop, server: Server, wire: Wire, replacement: Any) -> None:
    """Nothing comes of them but a reply or a ModelError."""
    whole = wire.answer("Hm.", [Call("c1", "show", "{}")], "calls")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        bodies = mangled(whole, replacement)
        found = failures(shop, server, wire, False, [Answer(json.dumps(each).encode()) for each in bodies])
    assert [(each, body) for each, body in zip(found, bodies, strict=True) if each not in EXPECTED] == []
    assert ModelError in found


def events_of(wire: Wire) -> list[Any]:
    lines = wire.events("Hm.", [Call("c1", "show", "{}")], "calls").decode().splitlines()
    return [json.loads(line[6:]) for line in lines if line.startswith("data: {")]


@pytest.mark.parametrize("name", ["anthropic", "openai", "openai-responses", "gemini"])
@pytest.mark.parametrize("change", ["left out", "twice", "last", "emptied"])
def test_streams_with_one_wrong_event(shop: Shop, server: Server, name: str, change: str) -> None:
    wire = WIRES[name]
    events = events_of(wire)
    answers: list[Answer] = []
    for number, event in enumerate(events):
        rest = [*events[:number], *events[number + 1 :]]
        given = {
            "left out": rest,
            "twice": [*events[:number], event, *events[number:]],
            "last": [*rest, event],
            "emptied": [*events[:number], {"type": event["type"]} if "type" in event else {}, *events[number + 1 :]],
        }[change]
        answers.append(Answer(sse(*given, named="type" in event, done=name == "openai"), wire.stream_type))
    found = failures(shop, server, wire, True, answers)
    assert [(each, given) for each, given in zip(found, answers, strict=True) if each not in EXPECTED] == []


def names_and_ids(value: Any) -> list[tuple[str, str]]:
    """The names of tools, and ids of calls and results, wherever they stand in a request's conversation."""
    found: list[tuple[str, str]] = []
    if isinstance(value, dict):
        for key, each in value.items():
            kind = {"name": "name", "id": "id", "tool_use_id": "id", "toolUseId": "id", "call_id": "id"}.get(key)
            found += [(kind, each)] if kind and isinstance(each, str) else names_and_ids(each)
    elif isinstance(value, list):
        found += [each for part in value for each in names_and_ids(part)]
    return found


def said(asked: Asked) -> Any:
    return next(asked.body[name] for name in ("messages", "input", "contents") if name in asked.body)


@pytest.mark.parametrize("name", ["functions.wipe", "wipe ", "", "x" * 300, "1st", "w\ud800", "löschen", "a\nb"])
def test_a_name_that_no_tool_has_goes_back_as_one_that_is_taken(
    shop: Shop, server: Server, wire: Wire, stream: bool, name: str
) -> None:
    """Anthropic, OpenAI, Bedrock and Gemini refuse requests with other names, and so the conversation for good."""
    first = wire.reply(stream, "", [Call("c1", name, "{}")], "calls")
    response, _ = run(shop, server, wire, stream, first, wire.reply(stream, "Sorry."))
    assert response.content == "Sorry."
    assert wire.results(server.asked[1])[0].is_error
    names = [each for kind, each in names_and_ids(said(server.asked[1])) if kind == "name"]
    assert names
    allowed = r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}" if wire.name == "gemini" else r"[A-Za-z0-9_-]{1,128}"
    assert all(re.fullmatch(allowed, each) for each in names), names


@pytest.mark.parametrize("name", ["anthropic", "bedrock"])
@pytest.mark.parametrize("tool_use_id", ["call 1", "a|b", "x" * 300, "é", "functions.wipe:0"])
def test_an_id_of_another_providers_goes_back_as_one_that_is_taken(
    shop: Shop, server: Server, stream: bool, name: str, tool_use_id: str
) -> None:
    wire = WIRES[name]
    call = [Call(tool_use_id, "wipe", '{"path": "/a"}')]
    run(shop, server, wire, stream, wire.reply(stream, "", call, "calls"), wire.reply(stream, "Done."))
    [use, result] = [each for kind, each in names_and_ids(said(server.asked[1])) if kind == "id"]
    assert use == result
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", use)


@pytest.mark.parametrize("name", sorted(test_native.THOUGHTS))
def test_arguments_beside_thoughts_go_back_as_they_came(shop: Shop, server: Server, stream: bool, name: str) -> None:
    first = (test_native.streamed if stream else test_native.whole)(name)
    run(shop, server, WIRES[name], stream, first, WIRES[name].reply(stream, "Done."))
    assert contains(said(server.asked[1]), {"path": "/a"}) or contains(said(server.asked[1]), '{"path": "/a"}')


def test_half_characters_are_put_together_or_marked(shop: Shop, server: Server, wire: Wire, stream: bool) -> None:
    """JSON may hold them; a request may not, nor what whoever reads the stream writes."""
    calls = [Call("c1", "wipe", '{"path": "\\ud800"}')]
    first = wire.reply(stream, "a\ud83d\ude00b\ud800", calls, "calls")
    _, text = run(shop, server, wire, stream, first, wire.reply(stream, "Done.\udc00"), messages=("\ud83d go",))
    assert len(server.asked) == 2
    sent = json.dumps(said(server.asked[1]), ensure_ascii=False)
    assert "a😀b\ufffd" in sent
    assert "\ufffd go" in sent
    assert shop.module.RAN == ["\ufffd"]
    assert text == ("a😀b\ufffdDone.\ufffd" if stream else "")


@pytest.mark.parametrize("blank", [" ", "\n\n", "\u3000\t"])
def test_texts_of_spaces_alone(shop: Shop, server: Server, wire: Wire, stream: bool, blank: str) -> None:
    first = wire.reply(stream, blank, [Call("c1", "wipe", '{"path": "/a"}')], "calls")
    response, _ = run(shop, server, wire, stream, first, wire.reply(stream, blank), wire.reply(stream, "Yes."))
    assert response.content == blank
    run(shop, server, wire, stream, first, wire.reply(stream, blank), wire.reply(stream, "Yes."), messages=("a", "b"))
    if wire.name in ("anthropic", "bedrock"):  # which refuse them
        for asked in server.asked:
            assert not contains(said(asked), blank)


@pytest.mark.parametrize(
    ("name", "stop"),
    [
        ("openai", "content_filter"),
        ("openai-responses", "content_filter"),
        ("anthropic", "refusal"),
        ("gemini", "SAFETY"),
        ("gemini", "PROHIBITED_CONTENT"),
        ("bedrock", "guardrail_intervened"),
        ("bedrock", "content_filtered"),
    ],
)
def test_a_call_that_a_filter_cut_off_runs_nothing(
    shop: Shop, server: Server, stream: bool, name: str, stop: str
) -> None:
    """A call without arguments means other things than the one it would have become."""
    wire = WIRES[name]
    arguments = "" if wire.texts and (stream or name.startswith("openai")) else "{}"
    first = wire.reply(stream, "", [Call("c1", "wipe", arguments)], stop)
    run(shop, server, wire, stream, first, wire.reply(stream, "Sorry."))
    assert shop.module.RAN == []
    assert wire.results(server.asked[1])[0].is_error


@pytest.mark.parametrize("status", ["in_progress", "queued", "cancelled", None])
def test_responses_that_are_not_over(shop: Shop, server: Server, status: str | None) -> None:
    wire = WIRES["openai-responses"]
    body = {**wire.answer("Hm.", (), "end"), "status": status}
    with pytest.raises(ModelError, match="ended before the reply was whole"):
        run(shop, server, wire, False, Answer(json.dumps(body).encode()))


def test_refusals_are_told(shop: Shop, server: Server, stream: bool) -> None:
    for name in ("openai", "openai-responses"):
        wire = WIRES[name]
        given = wire.reply(stream, "I won't.", (), "end").body.decode()
        for old, new in (
            ('"output_text", "text"', '"refusal", "refusal"'),
            ('"content": "', '"refusal": "'),
            ("output_text.delta", "refusal.delta"),
        ):
            given = given.replace(old, new)
        kind = wire.stream_type if stream else "application/json"
        response, _ = run(shop, server, wire, stream, Answer(given.encode(), kind))
        assert (response.content, response.stop_reason) == ("I won't.", "refusal")
