"""The conversation of one run: what came before it, what is said in it, and where it is kept."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from logging import getLogger

from ..awaiting import KeyedLocks, settled
from .errors import ConversationStoreError, ToolConversationIntegrityError
from .memory import ConversationStore, Memory, ShortTermMemory, loaded
from .messages import Message
from .resuming import Unfinished, broken_off

LOG = getLogger("lauren_runtime")
_held: ContextVar[frozenset[str]] = ContextVar("lauren_conversations", default=frozenset())


class Conversation:
    """Told to the model, and kept. What the user says is kept once the model has answered it.

    `unfinished` is where it broke off, if it is taken up again; `is_stored`: whether it could be.
    """

    def __init__(
        self,
        memory: Memory,
        history: Sequence[Message] = (),
        save: Callable[[Conversation], Awaitable[None]] | None = None,
    ) -> None:
        self.memory = memory
        self.history = list(history)
        self.unfinished: Unfinished | None = None
        self._asked: list[Message] = []
        self._save = save

    @property
    def is_stored(self) -> bool:
        """Whether there is a store that it is saved in."""
        return self._save is not None

    def messages(self) -> Sequence[Message]:
        """What the model is told."""
        return [*self.memory.messages(), *self._asked]

    def ask(self, message: Message) -> None:
        """Take what the user says."""
        self._asked.append(message.mended())

    def add(self, message: Message) -> None:
        """Take a reply, or results; and before it what was asked. All of it can be sent: no half characters."""
        for each in (*self._asked, message.mended()):
            self.memory.add(each)
            self.history.append(each)
        self._asked.clear()

    async def save(self) -> None:
        """Keep what was said so far, if there is a store. Raises ConversationStoreError."""
        if self._save is not None:
            await self._save(self)


class Conversations:
    """Opens conversations, each for one run at a time: two at once would mix their calls and results."""

    def __init__(self) -> None:
        self._locks = KeyedLocks()

    @asynccontextmanager
    async def opened(
        self, memory: Memory | None, store: ConversationStore, conversation_id: str | None, *, resumed: bool = False
    ) -> AsyncGenerator[Conversation]:
        """A conversation: of a memory, else of a store, else a new one. What is said in it is saved however it ends.

        One that is `resumed` is a store's, and left open where it broke off.

        Raises what loading raises; ConversationStoreError if it cannot be saved; ToolConversationIntegrityError for one
        that a run is in that this is part of.
        """
        if memory is not None and not resumed:
            async with self._alone(f"memory {id(memory)}"):
                yield Conversation(memory)
        elif conversation_id is None:
            yield Conversation(ShortTermMemory())
        else:
            async with (
                self._alone(f"conversation {conversation_id}"),
                _stored(store, conversation_id, resumed) as conversation,
            ):
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
async def _stored(store: ConversationStore, conversation_id: str, resumed: bool) -> AsyncGenerator[Conversation]:
    async def save(conversation: Conversation) -> None:
        try:
            await settled(store.save(conversation_id, [each.to_json() for each in conversation.history]))
        except Exception as error:
            raise ConversationStoreError(conversation_id) from error

    history = loaded(await settled(store.load(conversation_id)) or (), open_end=resumed)
    history, unfinished = broken_off(history) if resumed else (history, None)
    conversation = Conversation(ShortTermMemory(messages=history), history, save)
    conversation.unfinished = unfinished
    try:
        yield conversation
    except BaseException:
        try:
            await conversation.save()
        except ConversationStoreError:
            LOG.warning("conversation %r could not be saved", conversation_id, exc_info=True)
        raise
    await conversation.save()
