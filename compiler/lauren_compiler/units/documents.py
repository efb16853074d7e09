"""The files that all tools share, as an earlier build wrote them: where in them each tool's part is.

`manifest.json`, the providers' files and `dispatch.py` are lists in a layout of ours: an item begins and ends on lines
that are indented as the list wants it, and everything in between is indented deeper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct

MANIFEST, TABLE = "manifest.json", "dispatch.py"


class Layout(NamedTuple):
    """How a list is written: what stands before it, what its lines begin with, and how an item begins and ends."""

    before: bytes
    newline: bytes
    opening: bytes
    closing: bytes


TOOLS = Layout(b'\n  "tools": [', b"\n    ", b"{", b"}")
ROWS = Layout(b"    entries=(", b"\n        ", b"Entry(", b")")
_ENTRIES = Layout(b"[", b"\n  ", b"{", b"}")
_GROUPED = Layout(b'": [', b"\n      ", b"{", b"}")


def file_of(target: str) -> str:
    """The file of a target."""
    return f"providers/{target}.json"


def layout_of(group: str | None) -> Layout:
    """How the file of a target is written, whose entries may stand together under a key."""
    return _ENTRIES if group is None else _GROUPED


def spans(text: bytes, layout: Layout, count: int) -> Iterator[tuple[int, int]]:
    """From where to where the first `count` items of a list go. Raises ValueError for a text that is none of ours."""
    place = text.index(layout.before) if count else 0
    start, end = layout.newline + layout.opening, layout.newline + layout.closing
    for _ in range(count):
        begin = text.index(start, place) + len(layout.newline)
        place = text.index(end, begin) + len(end)
        yield begin, place


class Documents(Struct, frozen=True):
    """The texts of such files, in UTF-8, by path."""

    texts: Mapping[str, bytes]

    def part(self, path: str, span: tuple[int, int]) -> bytes:
        """What stands there."""
        return self.texts[path][span[0] : span[1]]


NO_DOCUMENTS = Documents({})


def paths(targets: Iterable[str]) -> list[str]:
    """The paths of all of them in a build for some targets."""
    return [MANIFEST, TABLE, *map(file_of, targets)]
