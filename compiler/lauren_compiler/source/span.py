"""Places in source files, as every diagnostic and every IR element carries them."""

from __future__ import annotations

from typing import NamedTuple


class Position(NamedTuple):
    """A place between two characters: line and column count from 1, columns in characters."""

    line: int
    column: int


class Span(NamedTuple):
    """A stretch of one file: `start` is its first character, `end` the place behind its last one.

    `path` is the path as shown to the user: POSIX, relative to the working directory where it lies below it.
    """

    path: str
    start: Position
    end: Position

    @classmethod
    def of_file(cls, path: str) -> Span:
        """The first character of a file: for what concerns the file as a whole."""
        return cls(path, Position(1, 1), Position(1, 1))
