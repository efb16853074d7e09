"""Asking the model, and telling what happens, for those who read a run and those who do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from ..surrogates import half_at_end, mended
from .model_client import ModelClient, ModelError, ModelReply, ModelRequest, StreamingModelClient, TextDelta
from .signals import Signal, Sink, tell
from .stream import Put, RunChunk


async def notified(sinks: Sequence[Sink], put: Put | None, signal: Signal) -> None:
    """Tell the sinks, then the stream: who reads it may rely on what they did."""
    await tell(sinks, signal)
    if put is not None:
        await put(RunChunk(signal=signal))


async def asked(client: ModelClient, request: ModelRequest, *, put: Put | None) -> ModelReply:
    """The model's reply; its text goes to the stream as it comes, in one piece from a client that has no pieces."""
    if put is None:
        return await client.complete(request)
    if not isinstance(client, StreamingModelClient):
        reply = await client.complete(request)
        if reply.message.text:
            await put(RunChunk(text=mended(reply.message.text)))
        return reply
    whole: ModelReply | None = None
    half = ""  # of a character whose other half is in the next piece
    pieces = client.stream(request)
    try:
        async for piece in pieces:
            if isinstance(piece, TextDelta):
                given = cast(Any, piece.text)  # which it is if the client keeps its promise
                if not isinstance(given, str):
                    raise ModelError(f"the model client gave what is no text: {type(given).__name__}")
                text = half + given
                kept = len(text) - half_at_end(text)
                text, half = text[:kept], text[kept:]
                if text or not half:
                    await put(RunChunk(text=mended(text)))
            else:
                whole = piece
        if half:
            await put(RunChunk(text=mended(half)))
    finally:  # also where nobody reads on: the connection ends now, not when the pieces are collected
        close = getattr(pieces, "aclose", None)
        if close is not None:
            await close()
    if whole is None:
        raise ModelError("the model's stream ended before its reply was whole")
    return whole
