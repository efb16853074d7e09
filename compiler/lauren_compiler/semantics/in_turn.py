"""The modules of a build, each parsed when its turn comes or another asks for it, so that few are held whole at once.

A tree is many times as large as its text, and most of it may go when the tools in it are lowered (syntax/pruning.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..diagnostics.model import Sink
from ..source.file import SourceFile
from ..syntax.declarations import ParsedModule
from ..syntax.parse import parse


class InTurn:
    """Iterates over the modules in the order of their files. `sink` hears of those that can't be parsed, which are left
    out, when they are come to."""

    def __init__(self, files: Iterable[SourceFile], sink: Sink) -> None:
        self.files = tuple(files)
        self._sink = sink
        self._parsed: dict[str, ParsedModule | None] = {}

    def of(self, file: SourceFile) -> ParsedModule | None:
        """The module of one of the files; None if it can't be parsed."""
        if file.path not in self._parsed:
            self._parsed[file.path] = parse(file, self._sink, thorough=True)
        return self._parsed[file.path]

    def __iter__(self) -> Iterator[ParsedModule]:
        return (module for module in map(self.of, self.files) if module is not None)
