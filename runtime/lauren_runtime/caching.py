"""Results kept between calls: keys, the stored form, and a backend that may fail.

A key is made of the tool's name, its schema digest and the hashed arguments (or what `cache_key_fn` made of them), so
that no two tools and no two versions of one share results, and no argument can be read from a key. What is stored is
JSON text: the tool's own result, before after-hooks.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from logging import getLogger
from typing import Any

from .awaiting import KeyedLocks, settled
from .cache import CacheBackend
from .canonical import digest
from .context import ToolCallContext
from .json_form import form_of
from .plan import Plan
from .results import ToolResult

LOG = getLogger("lauren_runtime")
_held: ContextVar[frozenset[str]] = ContextVar("_held", default=frozenset())
MISS = object()
"""Nothing is kept; None is a result like any other."""


class ResultCache:
    """A backend as the executor sees it: it answers in time or not at all, and says so once.

    Raises TypeError if the backend lacks a method.
    """

    def __init__(self, backend: CacheBackend, patience: float | None) -> None:
        for method in ("get", "set", "delete"):
            if not callable(getattr(backend, method, None)):
                raise TypeError(f"cache_backend has no method `{method}`: {backend!r}")
        self._backend = backend
        self._patience = patience
        self._complaints: set[str] = set()
        self._locks = KeyedLocks()

    async def key(self, plan: Plan, tool_input: dict[str, Any], ctx: ToolCallContext) -> str | None:
        """The key of a call; None if its key function failed. `tool_input` is the function's own copy."""
        prefix = f"{plan.name}:{plan.entry.schema_digest[:16]}"
        if plan.cache_key_fn is None:
            return f"{prefix}:{digest(tool_input, plan.entry.sets)}"
        try:
            wanted = (tool_input, ctx) if plan.key_wants_context else (tool_input,)
            made = await settled(plan.cache_key_fn(*wanted))
            return f"{prefix}:own:{digest(form_of(made))}"
        except Exception as error:
            self._complain(f"cache_key_fn of tool {plan.name!r} failed; its results are not cached", error)
            return None

    @asynccontextmanager
    async def alone(self, key: str) -> AsyncGenerator[None]:
        """While the block runs, others with this key wait: they will find what it kept.

        A tool that calls itself with its own arguments does not wait for itself.
        """
        held = _held.get()
        if key in held:
            yield
            return
        async with self._locks.holding(key):
            token = _held.set(held | {key})
            try:
                yield
            finally:
                _held.reset(token)

    async def look_up(self, key: str, tool_use_id: str) -> Any:
        """What was kept, a ToolResult if the tool returned one; MISS if nothing was."""
        text = await self._asked("get", key)
        if text is None:
            return MISS
        try:
            kind, form = json.loads(text)
        except (TypeError, ValueError) as error:
            self._complain("the cache holds what no executor stored; it is ignored", error)
            return MISS
        return ToolResult(tool_use_id, form) if kind == "result" else form

    async def keep(self, key: str, value: Any, ttl: float) -> None:
        """Keep a JSON form, or a successful ToolResult."""
        stored = ["result", value.content] if isinstance(value, ToolResult) else ["value", value]
        await self._asked("set", key, json.dumps(stored), ttl=ttl)

    async def _asked(self, method: str, *args: Any, **keywords: Any) -> Any:
        try:
            async with asyncio.timeout(self._patience):
                return await settled(getattr(self._backend, method)(*args, **keywords))
        except Exception as error:
            self._complain(f"the cache backend failed at `{method}`; calls go on without it", error)
            return None

    def _complain(self, about: str, error: Exception) -> None:
        if about not in self._complaints:
            self._complaints.add(about)
            LOG.warning("%s (said once)", about, exc_info=error)
