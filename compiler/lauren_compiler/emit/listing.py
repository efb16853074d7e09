"""The files that list all tools of a build: `manifest.json`, `dispatch.py`, the providers'.

A tool's part of such a file is a text that depends on the tool alone, so that a build may copy the parts of those that
are as they were. Parts stand one behind the other, in the order of tools, and all else of a file is made of its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from operator import add
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ..ir.cards import Listed
from .json_text import Texts, line_json, readable_json

_T = TypeVar("_T")
Part: TypeAlias = bytes | range
"""What a file has of a tool: a text, or a stretch of the file that an earlier build wrote."""


class Layout(NamedTuple):
    """How a list is written: what stands before its first part, between two, and behind the last; `empty` if there is
    none. A line inside a part begins with `margin`; where there is none, a part is one line."""

    before: bytes
    between: bytes
    after: bytes
    empty: bytes
    margin: bytes | None = None


TOOLS = Layout(b'\n  "tools": [\n    ', b",\n    ", b"\n  ]", b'\n  "tools": []', b"\n    ")
ROWS = Layout(b"    entries=(\n        ", b",\n        ", b",\n    ),\n", b"    entries=(),\n", b"\n")
"""Rows are laid out at the margin where they stand."""
_ENTRIES = Layout(b"[\n", b",\n", b"\n]", b"[]")


def layout_of(group: str | None) -> Layout:
    """How the file of a target is written, whose entries may stand together under a key: a line for each tool."""
    if group is None:
        return _ENTRIES
    return Layout(f'[{{"{group}":[\n'.encode(), b",\n", b"\n]}]", b"[]")


def part(value: Any, texts: Texts, layout: Layout) -> bytes:
    """The part of a tool in a file of JSON."""
    if layout.margin is None:
        return line_json(value, texts)
    return readable_json(value, texts)[:-1].replace(b"\n", layout.margin)


def listed(parts: Sequence[Part], layout: Layout, text: bytes = b"") -> list[bytes | memoryview]:
    """The list of all parts, in pieces; stretches are those of `text`, where neighbours are one piece."""
    if not parts:
        return [layout.empty]
    found: list[bytes | memoryview] = []
    whole, step = memoryview(text), len(layout.between)
    start = stop = -step
    for part in parts:
        if isinstance(part, range):
            if part.start == stop + step and found:
                stop = part.stop
                found[-1] = whole[start:stop]
                continue
            start, stop = part.start, part.stop
            found += (layout.between, whole[start:stop])
        else:
            stop = -step
            found += (layout.between, part)
    return [layout.before, *found[1:], layout.after]


def inside(whole: bytes, layout: Layout, pieces: Sequence[bytes | memoryview]) -> list[bytes | memoryview]:
    """A file in pieces: `whole`, whose list is empty, with that list in its place."""
    before, _, after = whole.partition(layout.empty)
    return [before, *pieces, after]


def cut(text: bytes, sizes: Sequence[int], layout: Layout) -> list[Part]:
    """The parts of a file, as stretches of it, by their sizes, which are 0 where a tool has none.

    Raises ValueError for a text that holds no such list.
    """
    there = [size for size in sizes if size]
    if not there:
        return [b""] * len(sizes)
    step = len(layout.between)
    first = text.index(layout.before) + len(layout.before)
    starts = list(accumulate((size + step for size in there), initial=first))
    if not text.startswith(layout.after, starts.pop() - step):
        raise ValueError("a file that lists other tools")
    found: list[Part] = [*map(range, starts, map(add, starts, there))]
    if len(found) == len(sizes):
        return found
    rest = iter(found)
    return [next(rest) if size else b"" for size in sizes]


class Merge:
    """Puts what `new` tools have among what `old` ones have. Both are in order, and so is what comes out."""

    def __init__(self, new: Sequence[Listed], old: Sequence[Listed]) -> None:
        before = [tool.order for tool in old] if new else []
        # The last first, so that none moves the place of another.
        self._places = [bisect_left(before, tool.order) for tool in reversed(new)]

    def __call__(self, new: Sequence[_T], old: Sequence[_T]) -> list[_T]:
        """One item for each tool."""
        if not old:
            return list(new)
        found = list(old)
        for place, item in zip(self._places, reversed(new), strict=True):
            found.insert(place, item)
        return found
