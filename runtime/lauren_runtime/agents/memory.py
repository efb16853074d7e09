"""Where conversations are kept: during a run, and from one run to the next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from json import dumps, loads
from typing import Any, Protocol

from .integrity import whole
from .messages import Message


class Memory(Protocol):
    """The conversation of a run. An agent's own (`@agent(memory=)`) is that of all its runs."""

    def messages(self) -> Sequence[Message]:
        """What the model is told, oldest first."""
        ...

    def add(self, message: Message) -> None:
        """Take one more."""
        ...


class ConversationStore(Protocol):
    """Keeps conversations by id. Methods may be async. What is kept is JSON."""

    def load(self, conversation_id: str) -> Any:
        """The messages in their JSON form; none for a conversation that is not there."""
        ...

    def save(self, conversation_id: str, messages: list[dict[str, Any]]) -> Any:
        """Keep these in place of what was there."""
        ...

    def delete(self, conversation_id: str) -> Any:
        """Forget a conversation."""
        ...


class ShortTermMemory:
    """The latest messages. Where a limit cuts, it cuts between exchanges: never a call from its result.

    Raises ValueError for a limit below 1.
    """

    def __init__(self, max_messages: int | None = None, messages: Iterable[Message] = ()) -> None:
        if max_messages is not None and max_messages < 1:
            raise ValueError(f"max_messages is more than zero, or None for no limit, not {max_messages}")
        self._max_messages = max_messages
        self._messages = list(messages)

    def messages(self) -> Sequence[Message]:
        """The latest that begin where a user speaks, at most `max_messages` if any such are that few."""
        if self._max_messages is None:
            return tuple(self._messages)
        starts = [number for number, each in enumerate(self._messages) if _begins_exchange(each)]
        fitting = [start for start in starts if len(self._messages) - start <= self._max_messages]
        chosen = fitting[:1] or starts[-1:] or [0]
        return tuple(self._messages[chosen[0] :])

    def add(self, message: Message) -> None:
        """Take one more."""
        self._messages.append(message)

    def __len__(self) -> int:
        return len(self._messages)


class InMemoryConversationStore:
    """Keeps conversations in this process."""

    def __init__(self) -> None:
        self._kept: dict[str, str] = {}

    def load(self, conversation_id: str) -> list[dict[str, Any]]:
        """The messages of a conversation; none if it is not there."""
        found: list[dict[str, Any]] = loads(self._kept.get(conversation_id, "[]"))
        return found

    def save(self, conversation_id: str, messages: list[dict[str, Any]]) -> None:
        """Keep these in place of what was there. Raises TypeError for what JSON cannot hold."""
        self._kept[conversation_id] = dumps(messages)

    def delete(self, conversation_id: str) -> None:
        """Forget a conversation."""
        self._kept.pop(conversation_id, None)

    def __len__(self) -> int:
        return len(self._kept)

    def __contains__(self, conversation_id: object) -> bool:
        return conversation_id in self._kept


def loaded(kept: Iterable[dict[str, Any]], *, open_end: bool = False) -> list[Message]:
    """The messages that a store gave, in which every call has its result (integrity.py); all but the last, if asked."""
    return whole([Message.from_json(each).mended() for each in kept], open_end=open_end)


def _begins_exchange(message: Message) -> bool:
    return message.role == "user" and all(each["type"] != "tool_result" for each in message.content)
