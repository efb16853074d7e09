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
def running(*sources: str | tuple[str, str]) -> Iterator[types.ModuleType]:
    """The last of these modules, run; those before it have names, under which it imports them. Its classes are looked
    up by the module's name."""
    # `List[int | str]` is remembered under a key that `List[str | int]` equals: an earlier module would decide.
    for forget in typing._cleanups:
        forget()
    names: list[str] = []
    try:
        for source in sources:
            name, text = source if isinstance(source, tuple) else (next(_MODULE_NAMES), source)
            names.append(name)
            module = sys.modules[name] = types.ModuleType(name)
            exec(compile(text, name, "exec", dont_inherit=True), vars(module))
        yield module
    finally:
        for name in names:
            sys.modules.pop(name, None)
