"""A documented parameter, before its text is flowed, and what stands in the way of reading some."""

from __future__ import annotations

from msgspec import Struct, field


class Entry(Struct):
    """Names that share a text, the number of the line they stand on, and the text's lines relative to each other."""

    names: tuple[str, ...]
    number: int
    texts: list[str] = field(default_factory=list[str])


class UnreadableSection(Exception):
    """The package could not read a section, or found other entries than it holds."""
