"""`run_stream`: a run, read as it happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeAlias

from .context import AgentResponse
from .signals import Signal, ToolPendingApproval


@dataclass(frozen=True)
class RunChunk:
    """One thing of a run: a piece of the model's text, a signal, or, last, the response."""

    text: str = ""
    signal: Signal | None = None
    response: AgentResponse | None = None

    @property
    def delta(self) -> str:
        """The text, under the name that lauren-ai's chunks have for it."""
        return self.text

    @property
    def pending_approval(self) -> ToolPendingApproval | None:
        """The call that waits for a human, if that is what this tells."""
        return self.signal if isinstance(self.signal, ToolPendingApproval) else None


Put: TypeAlias = Callable[[RunChunk], Awaitable[None]]


class RunStream:
    """The chunks of a run, once. The run begins when the first is asked for; it goes no further than it is read.

    `async for chunk in stream`, or first `await stream`. `aclose()`, or leaving the loop for good, cancels the run.
    """

    def __init__(self, perform: Callable[[Put], Awaitable[AgentResponse]]) -> None:
        self._chunks = _chunks(perform)

    def __aiter__(self) -> AsyncIterator[RunChunk]:
        return self._chunks

    def __await__(self) -> Generator[Any, None, RunStream]:
        yield from ()
        return self

    async def aclose(self) -> None:
        """Cancel the run, unless it is over."""
        await self._chunks.aclose()


async def _chunks(perform: Callable[[Put], Awaitable[AgentResponse]]) -> AsyncGenerator[RunChunk]:
    waiting: asyncio.Queue[RunChunk] = asyncio.Queue(1)
    run = asyncio.ensure_future(perform(waiting.put))
    try:
        while not (run.done() and waiting.empty()):
            following = asyncio.ensure_future(waiting.get())
            try:
                await asyncio.wait([run, following], return_when=asyncio.FIRST_COMPLETED)
                if following.done():
                    yield following.result()
            finally:
                following.cancel()
        yield RunChunk(response=await run)
    finally:
        run.cancel()
        await asyncio.wait([run])
        if not run.cancelled():
            run.exception()  # of a run that was closed early: nobody else will ask
