"""A source file: its text, its lines, and the way from parser columns to spans."""

from __future__ import annotations

from array import array
from functools import cached_property
from itertools import accumulate
from typing import Any

from msgspec import Struct

from .span import Position, Span

# Past the constructors of named tuples, which are functions written in Python.
_make: Any = tuple.__new__  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
Pos = tuple[int, int, int, int]
"""A place as the parser gives it: first line, first column, last line, end column; columns in UTF-8 bytes."""


class SourceFile(Struct, frozen=True, dict=True):
    """One file. `path` is absolute, `shown` the path in diagnostics, `relative` POSIX from its source root.

    `module` is its dotted name; `text` has all line ends as newlines, as Python reads them.
    """

    path: str
    shown: str
    relative: str
    module: str
    is_package: bool
    text: str

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends. Form feeds and Unicode separators end no line, as in Python.

        They are made anew each time: of a file that is only read, no more than where they start is kept.
        """
        return tuple(self.text.split("\n"))

    @cached_property
    def _before(self) -> array[int]:
        """How many characters stand in the lines before each line, and in all lines, their ends not counted."""
        return array("I", accumulate(map(len, self.text.split("\n")), initial=0))

    @property
    def line_count(self) -> int:
        """How many lines there are: one, if there is no end of a line."""
        return len(self._before) - 1

    def line(self, number: int) -> str:
        """A line, from 1, without its end. Raises IndexError if there is none."""
        return self.stretch(number, number)

    def stretch(self, first: int, last: int) -> str:
        """The text from the start of one line to the end of another. Raises IndexError if one of them is not there."""
        before = self._before
        return self.text[before[first - 1] + first - 1 : before[last] + last - 1]

    @cached_property
    def _is_ascii(self) -> bool:
        return self.text.isascii()

    def position(self, line: int, column: int) -> Position:
        """The place of a parser's line (from 1) and column (bytes, from 0)."""
        if not 1 <= line <= self.line_count:
            return Position(max(line, 1), 1)
        if not self._is_ascii and not (text := self.line(line)).isascii():
            column = len(text.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "replace"))
        return Position(line, column + 1)

    def span(self, pos: Pos) -> Span:
        if self._is_ascii and 0 < pos[0] <= pos[2] < len(self._before):  # as nearly all, and a dozen are made per tool
            ends = (_make(Position, (pos[0], pos[1] + 1)), _make(Position, (pos[2], pos[3] + 1)))
            span: Span = _make(Span, (self.shown, *ends))
            return span
        return Span(self.shown, self.position(pos[0], pos[1]), self.position(pos[2], pos[3]))

    @property
    def is_stub(self) -> bool:
        return self.path.endswith(".pyi")

    @property
    def package(self) -> str:
        """The package that relative imports of this file start from."""
        return self.module if self.is_package else self.module.rpartition(".")[0]
