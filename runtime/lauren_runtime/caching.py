"""Results kept between calls: keys, the stored form, and a backend that may fail.

A key is made of the tool's name, its schema digest and the hashed arguments (or what `cache_key_fn` made of them), so
that no two tools and no two versions of one share results, and no argument can be read from a key. What is stored is
JSON text: the tool's own result, before after-hooks.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from logging import getLogger
from typing import Any

from .awaiting import KeyedLocks, Turn, settled
from .cache import CacheBackend
from .canonical import digest
from .context import ToolCallContext
from .json_form import form_of
from .plan import Plan
from .reporting import is_always_raised
from .results import ToolResult

LOG = getLogger("lauren_runtime")
_held: ContextVar[frozenset[str]] = ContextVar("_held", default=frozenset())
REST = 5
"""For how many times the patience a backend is left alone that did not answer in time: each call would wait for it."""
MISS = object()
"""Nothing is kept; None is a result like any other."""


class ResultCache:
    """A backend as the executor sees it: it answers in time or not at all, and what goes wrong is said once.

    Raises TypeError if the backend lacks a method.
    """

    def __init__(self, backend: CacheBackend, patience: float | None) -> None:
        for method in ("get", "set", "delete"):
            if not callable(getattr(backend, method, None)):
                raise TypeError(f"cache_backend has no method `{method}`: {backend!r}")
        self._backend = backend
        self._patience = patience
        self._complaints: set[str] = set()
        self._rests_until = 0.0
        self._locks = KeyedLocks()

    async def key(self, plan: Plan, tool_input: dict[str, Any], ctx: ToolCallContext) -> str | None:
        """The key of a call; None if its key function failed. `tool_input` is the function's own copy."""
        # Another agent's tool may have this name, and take the same arguments.
        place = f":{plan.entry.key}" if plan.entry.shared else ""
        prefix = f"{plan.name}{place}:{plan.entry.schema_digest[:16]}"
        if plan.cache_key_fn is None:
            return f"{prefix}:{digest(tool_input, plan.entry.sets)}"
        try:
            wanted = (tool_input, ctx) if plan.key_wants_context else (tool_input,)
            made = await settled(plan.cache_key_fn(*wanted))
            return f"{prefix}:own:{digest(form_of(made))}"
        except BaseException as error:
            if is_always_raised(error):
                raise
            self._complain(f"cache_key_fn of tool {plan.name!r} failed; its results are not cached", error)
            return None

    @asynccontextmanager
    async def alone(self, key: str) -> AsyncGenerator[Turn]:
        """While the block runs, others with this key wait: they will find what it kept, by its turn.

        A tool that calls itself with its own arguments does not wait for itself.
        """
        held = _held.get()
        if key in held:
            yield Turn()
            return
        async with self._locks.holding(key) as turn:
            token = _held.set(held | {key})
            try:
                yield turn
            finally:
                _held.reset(token)

    async def look_up(self, key: str, turn: Turn, tool_use_id: str) -> Any:
        """What was kept, a ToolResult if the tool returned one; MISS if nothing was.

        What the one before left is taken without asking a backend, which may have failed to keep it.
        """
        text = await self._asked("get", key) if turn.left is None else turn.left
        if text is None:
            return MISS
        try:
            kind, form = json.loads(text)
        except (TypeError, ValueError) as error:
            self._complain("the cache holds what no executor stored; it is ignored", error)
            return MISS
        return ToolResult(tool_use_id, form) if kind == "result" else form

    async def keep(self, key: str, turn: Turn, value: Any, ttl: float) -> None:
        """Keep a JSON form, or a successful ToolResult."""
        stored = ["result", value.content] if isinstance(value, ToolResult) else ["value", value]
        turn.left = json.dumps(stored)
        await self._asked("set", key, turn.left, ttl=ttl)

    async def _asked(self, method: str, *args: Any, **keywords: Any) -> Any:
        if time.monotonic() < self._rests_until:
            return None
        limit = asyncio.timeout(self._patience)
        try:
            async with limit:
                return await settled(getattr(self._backend, method)(*args, **keywords))
        except BaseException as error:
            if is_always_raised(error):
                raise
            if limit.expired():
                self._rests_until = time.monotonic() + REST * (self._patience or 0)
            self._complain(f"the cache backend failed at `{method}`; calls go on without it", error)
            return None

    def _complain(self, about: str, error: BaseException) -> None:
        if about not in self._complaints:
            self._complaints.add(about)
            LOG.warning("%s (said once)", about, exc_info=error)
