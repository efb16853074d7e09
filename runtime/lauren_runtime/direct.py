"""Calls around which nothing happens, on the shortest way: the quick decoder calls the tool.

That needs something which can be called without running code of the user's, for a doubt may come of that call too, and
then it is made again: a coroutine function, or for a function that is none, what has a thread call it.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from .decoding.quick import Doubt
from .dispatching import Pool, run_in_thread

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from .decoding import Decoder
    from .plan import Plan

_COROUTINE = 0x80
"""The flag of functions written with `async def` (`inspect.CO_COROUTINE`)."""


class Direct:
    """How to call a tool: `quick` with the arguments and `run`; where it doubts, `run` with what `check` makes of them.

    `run` gives what is awaited for the tool's value; `joined` is the table's.
    """

    __slots__ = ("check", "joined", "quick", "run")

    def __init__(self, decode: Decoder, run: Callable[..., Awaitable[Any]], joined: bool) -> None:
        self.quick = decode.quick or _doubtful
        self.check = decode.check
        self.run = run
        self.joined = joined


def direct_of(plan: Plan, pool: Pool) -> Direct | None:
    """How to call a tool on the shortest way; None if something happens around the call."""
    if not plan.is_alone:
        return None
    if plan.entry.is_async:
        run = plan.function if _is_coroutine_function(plan.function) else None
    else:
        run = partial(run_in_thread, pool, plan.function) if isinstance(pool, ThreadPoolExecutor | None) else None
    return None if run is None else Direct(plan.decode, run, plan.entry.joined)


def _is_coroutine_function(function: Any) -> bool:
    if isinstance(function, MethodType):
        function = function.__func__
    return type(function) is FunctionType and bool(function.__code__.co_flags & _COROUTINE)


def _doubtful(arguments: Any, call: Any) -> Any:
    """The quick decoder of a tool that has none."""
    raise Doubt
