"""What a renderer gets: the sorted diagnostics, the lines they point at, and the counts of the run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct, field

from ..model import Diagnostic


class SourceLines(Protocol):
    """Where a renderer finds the lines of a file that a diagnostic names."""

    def lines(self, path: str) -> Sequence[str]:
        """The lines of the file shown as `path`, without their ends; none if it is not known."""
        ...


class KnownLines(Struct, frozen=True):
    """`SourceLines` from a mapping of shown paths to lines."""

    files: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])

    def lines(self, path: str) -> Sequence[str]:
        return self.files.get(path, ())


class Report(Struct, frozen=True):
    """`diagnostics` are in `Diagnostic.sort_key` order; `tools` counts the tools found; `colour` is for terminals.

    `error` is why the run ended before its end (wrong usage, an internal error), for documents.
    """

    diagnostics: tuple[Diagnostic, ...]
    sources: SourceLines = field(default_factory=KnownLines)
    tools: int = 0
    colour: bool = False
    error: str | None = None
