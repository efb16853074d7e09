"""Reading what need not be readable: a class whose value is used, a return type.

A failure is then no fault of the program. Nothing of it may stay: where the same class or alias is a parameter's type
too, it is read again, and reported there.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from ..diagnostics.model import Sink

if TYPE_CHECKING:
    from .types import TypeReader


class Attempt(Struct):
    """`sink` has what was said during the attempt; whoever makes it says whether it has `succeeded`."""

    sink: Sink = field(default_factory=Sink)
    succeeded: bool = False


@contextmanager
def attempt(types: TypeReader) -> Generator[Attempt]:
    """Set the diagnostics of a reading aside; after one that has not succeeded, what it read is forgotten."""
    outer = types.sink
    memories: list[dict[Any, Any]] = [types.definitions, types.aliases.results, types.classes.state]
    before = [len(memory) for memory in memories]
    made = Attempt()
    types.sink = types.metadata.sink = made.sink
    try:
        yield made
    finally:
        types.sink = types.metadata.sink = outer
        if not made.succeeded:
            for memory, size in zip(memories, before, strict=True):
                while len(memory) > size:  # a dict gives back first what came last
                    memory.popitem()
