"""A stack as deep as the parser's: types and expressions are read recursively."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

_T = TypeVar("_T")
_STACK = 256 * 1024 * 1024
_RECURSION = 12_000


def with_deep_stack(work: Callable[[], _T]) -> _T:
    """Run `work` where nesting may go as deep as the parser allows: types and expressions are read recursively.

    Nothing looks for garbage meanwhile.
    """
    results: list[_T] = []
    failures: list[BaseException] = []

    def target() -> None:
        try:
            results.append(work())
        except BaseException as failure:
            failures.append(failure)

    before_stack = threading.stack_size(_STACK)
    before_limit = sys.getrecursionlimit()
    collecting = gc.isenabled()
    sys.setrecursionlimit(max(before_limit, _RECURSION))
    # A run fills memory with trees, all of which stay to its end: looking for garbage among them takes half its time.
    gc.disable()
    try:
        thread = threading.Thread(target=target, name="lauren-compile", daemon=True)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before_stack)
        sys.setrecursionlimit(before_limit)
        if collecting:
            gc.enable()
    if failures:
        raise failures[0]
    return results[0]
