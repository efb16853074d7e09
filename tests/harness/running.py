"""Running the source that is compiled elsewhere: pydantic needs the objects."""

from __future__ import annotations

import itertools
import sys
import types
import typing
from collections.abc import Iterator
from contextlib import contextmanager

_MODULE_NAMES = (f"shop_{number}" for number in itertools.count())


@contextmanager
def running(source: str) -> Iterator[types.ModuleType]:
    """The module, run: pydantic needs the objects. Its classes are looked up by the module's name."""
    # `List[int | str]` is remembered under a key that `List[str | int]` equals: an earlier module would decide.
    for forget in typing._cleanups:
        forget()
    module = types.ModuleType(next(_MODULE_NAMES))
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, module.__name__, "exec", dont_inherit=True), vars(module))
        yield module
    finally:
        del sys.modules[module.__name__]
