"""Each call has exactly one result, right behind it: no provider takes a conversation in which that is not so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import count

from ..results import ToolResult
from .errors import ToolConversationIntegrityError
from .messages import Block, Message, result_block

_INTERRUPTED = "The run ended before this call had a result. Whether it took effect is not known."


def check_ids(calls: Sequence[Block]) -> None:
    """Raise ToolConversationIntegrityError for calls of one reply that their ids do not tell apart."""
    ids = [each.get("id") for each in calls]
    nameless = [each["name"] for each in calls if not isinstance(each.get("id"), str) or not each["id"]]
    if nameless:
        raise ToolConversationIntegrityError(f"the model called {nameless[0]!r} without an id; nothing was run")
    twice = [each for each, count in Counter(ids).items() if count > 1]
    if twice:
        raise ToolConversationIntegrityError(f"the model gave two calls the id {twice[0]!r}; nothing was run")


def told_apart(message: Message, known: Container[str]) -> Message:
    """A reply whose calls have other ids than those that are `known`: servers are found that begin to count anew in
    each reply, and then an approval, or a result, would be taken for the one before.

    A message in a provider's own form stays: there the ids stand twice, and are the provider's.
    """
    if message.native is not None or not any(each["id"] in known for each in message.calls):
        return message
    taken = {each["id"] for each in message.calls}
    content: list[Block] = []
    for block in message.content:
        if block["type"] == "tool_use" and block["id"] in known:
            names = (f"{block['id']}-{number}" for number in count(2))
            name = next(each for each in names if each not in known and each not in taken)
            taken.add(name)
            block = {**block, "id": name}
        content.append(block)
    return replace(message, content=content)


def interrupted(tool_use_id: str, why: str = _INTERRUPTED) -> ToolResult:
    """The result of a call that has none of its own, because its run ended."""
    return ToolResult(tool_use_id, why, True, status="synthetic")


def whole(messages: Sequence[Message], *, open_end: bool = False) -> list[Message]:
    """A conversation in which calls that a run left without results have some that say so; with `open_end` all but
    the last.

    Raises ToolConversationIntegrityError for results without a call, and two of one id: nothing could mend these.
    """
    made: list[Message] = []
    open_calls: dict[str, None] = {}
    for number, message in enumerate(messages):
        results = [each for each in message.content if each["type"] == "tool_result"]
        _check_results(results, open_calls)
        told = {result["tool_use_id"] for result in results}
        missing = [each for each in open_calls if each not in told]
        if open_end and number == len(messages) - 1 and results:
            missing = []
        if missing:
            added = [result_block(interrupted(each)) for each in missing]
            if message.role == "user":
                said = [each for each in message.content if each["type"] != "tool_result"]
                message = Message("user", [*results, *added, *said])
            else:
                made.append(Message("user", added))
        made.append(message)
        check_ids(message.calls)
        open_calls = dict.fromkeys(each["id"] for each in message.calls)
    if open_calls and not open_end:
        made.append(Message("user", [result_block(interrupted(each)) for each in open_calls]))
    return made


def _check_results(results: Sequence[Block], open_calls: dict[str, None]) -> None:
    ids = [each["tool_use_id"] for each in results]
    for number, each in enumerate(ids):
        if each not in open_calls:
            raise ToolConversationIntegrityError(f"a result has the id {each!r}, which no call right before it has")
        if each in ids[:number]:
            raise ToolConversationIntegrityError(f"two results have the id {each!r}")
