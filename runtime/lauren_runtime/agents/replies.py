"""Reads a reply as a model client gave it: what is no reply is an error that says so, before any of it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from json import dumps
from typing import Any, cast

from ..errors import ToolInputError
from ..json_text import MAX_DEPTH, JSONTextError, arguments_of, census, parse
from .messages import Block, Message, TokenUsage
from .model_client import ModelError, ModelReply

_NO_JSON = "(arguments that JSON cannot hold)"
_NEEDED = {"text": ("text",), "tool_use": ("name", "input")}
"""What blocks have; the ids of calls are looked at where they are told apart (integrity.py)."""
_TEXTS = ("text", "name")


def read(reply: object) -> ModelReply:
    """The reply with arguments as objects, where they are objects; others are text. Raises ModelError for no reply."""
    problem = _problem(reply)
    if problem:
        raise ModelError(f"the model client gave what is no reply: {problem}")
    found = cast(ModelReply, reply)
    content = [_read_use(each) if each["type"] == "tool_use" else each for each in found.message.content]
    return replace(found, message=replace(found.message, content=content).mended())


def _problem(reply: object) -> str:
    """What is wrong with it, if anything is."""
    if not isinstance(reply, ModelReply):
        return f"a ModelReply is expected, not {_kind(reply)}"
    # The annotations are the client's promise; whether it keeps it is what is asked here.
    message, usage = cast(Any, reply.message), cast(Any, reply.usage)
    if not isinstance(message, Message):
        return f"`message` is {_kind(message)}"
    content: Any = message.content
    if not isinstance(content, Sequence) or isinstance(content, str | bytes):
        return f"the content of its message is {_kind(content)}"
    if cast(object, message.role) != "assistant":
        return f"its message is of the role {message.role!r}"
    if not isinstance(usage, TokenUsage):
        return f"`usage` is {_kind(usage)}"
    counts = (usage.input_tokens, usage.output_tokens, usage.cached_input_tokens)
    if not all(isinstance(each, int) for each in cast("tuple[object, ...]", counts)):
        return "`usage` counts in what are no integers"
    return next((problem for block in cast("Sequence[object]", content) if (problem := _block_problem(block))), "")


def _block_problem(block: object) -> str:
    if not isinstance(block, dict):
        return f"a block of its message is {_kind(block)}"
    found = cast("dict[object, object]", block)
    kind = found.get("type")
    if not isinstance(kind, str):
        return "a block of its message has no `type`"
    if kind == "tool_result":
        return "its message holds the result of a call, which only we give"
    for name in _NEEDED.get(kind, ()):
        if name not in found:
            return f"a `{kind}` block has no `{name}`"
        if name in _TEXTS and not isinstance(found[name], str):
            return f"the `{name}` of a `{kind}` block is {_kind(found[name])}"
    return ""


def _read_use(block: Block) -> Block:
    """The block with arguments that conversations can keep: an object that JSON can hold, else a text."""
    given: object = block["input"]
    try:
        found = arguments_of(given)
    except ToolInputError:
        return {**block, "input": _as_text(given)}  # the executor says to the model what is wrong with it
    return {**block, "input": found if census(found, MAX_DEPTH) >= 0 else _plain(found)}


def _as_text(given: object) -> object:
    if isinstance(given, bytes | bytearray):
        return given.decode("utf-8", "replace")
    return given if census(given, MAX_DEPTH) >= 0 else _NO_JSON


def _plain(given: dict[str, Any]) -> object:
    """As a parser would have made it: lists for tuples, dicts for their subclasses."""
    try:
        return parse(dumps(given, allow_nan=False))
    except (JSONTextError, TypeError, ValueError, RecursionError):
        return _NO_JSON


def _kind(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
