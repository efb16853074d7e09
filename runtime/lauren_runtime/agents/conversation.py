"""The conversation of one run: what came before it, what is said in it, and where it is kept."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from logging import getLogger

from ..awaiting import KeyedLocks, settled
from .errors import ConversationStoreError, ToolConversationIntegrityError
from .memory import ConversationStore, Memory, ShortTermMemory, loaded
from .messages import Message

LOG = getLogger("lauren_runtime")
_held: ContextVar[frozenset[str]] = ContextVar("lauren_conversations", default=frozenset())


class Conversation:
    """Told to the model, and kept. What the user says is kept once the model has answered it."""

    def __init__(self, memory: Memory, history: Sequence[Message] = ()) -> None:
        self.memory = memory
        self.history = list(history)
        self._asked: list[Message] = []

    def messages(self) -> Sequence[Message]:
        """What the model is told."""
        return [*self.memory.messages(), *self._asked]

    def ask(self, message: Message) -> None:
        """Take what the user says."""
        self._asked.append(message)

    def add(self, message: Message) -> None:
        """Take a reply, or results; and before it what was asked."""
        for each in (*self._asked, message):
            self.memory.add(each)
            self.history.append(each)
        self._asked.clear()


class Conversations:
    """Opens conversations, each for one run at a time: two at once would mix their calls and results."""

    def __init__(self) -> None:
        self._locks = KeyedLocks()

    @asynccontextmanager
    async def opened(
        self, memory: Memory | None, store: ConversationStore, conversation_id: str | None
    ) -> AsyncGenerator[Conversation]:
        """A conversation: of a memory, else of a store, else a new one. What is said in it is saved however it ends.

        Raises what loading raises; ConversationStoreError if it cannot be saved; ToolConversationIntegrityError for one
        that a run is in that this is part of.
        """
        if memory is not None:
            async with self._alone(f"memory {id(memory)}"):
                yield Conversation(memory)
        elif conversation_id is None:
            yield Conversation(ShortTermMemory())
        else:
            async with self._alone(f"conversation {conversation_id}"), _stored(store, conversation_id) as conversation:
                yield conversation

    @asynccontextmanager
    async def _alone(self, key: str) -> AsyncGenerator[None]:
        if key in _held.get():
            raise ToolConversationIntegrityError(
                "a tool of this run began another run in the same conversation: give that one a conversation of its own"
            )
        async with self._locks.holding(key):
            token = _held.set(_held.get() | {key})
            try:
                yield
            finally:
                _held.reset(token)


@asynccontextmanager
async def _stored(store: ConversationStore, conversation_id: str) -> AsyncGenerator[Conversation]:
    history = loaded(await settled(store.load(conversation_id)) or ())
    conversation = Conversation(ShortTermMemory(messages=history), history)
    try:
        yield conversation
    except BaseException:
        try:
            await _save(store, conversation_id, conversation)
        except Exception:
            LOG.warning("conversation %r could not be saved", conversation_id, exc_info=True)
        raise
    try:
        await _save(store, conversation_id, conversation)
    except Exception as error:
        raise ConversationStoreError(conversation_id) from error


async def _save(store: ConversationStore, conversation_id: str, conversation: Conversation) -> None:
    await settled(store.save(conversation_id, [each.to_json() for each in conversation.history]))
