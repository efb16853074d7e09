"""What lowering found module by module, for those who keep it and look at a changed module alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from ..diagnostics.model import Diagnostic, Sink
from ..ir.cards import Card
from ..ir.tools import Tool
from ..source.file import SourceFile
from ..source.span import Span
from ..syntax.declarations import ParsedModule
from .collecting import Collector


class Others(Struct, frozen=True):
    """What is known of modules that are not lowered again: their tools, and the names of all their candidates."""

    tools: tuple[Card, ...] = ()
    names: tuple[tuple[str, Span], ...] = ()
    found: int = 0
    undecidable: int = 0

    def __bool__(self) -> bool:
        return bool(self.found or self.tools)


class Part(Struct, frozen=True):
    """What one module of the sources came to by itself.

    `alone` if it says all of its tools and of nobody else's, so that a build may put it beside parts of other builds.
    """

    file: SourceFile
    found: int
    undecidable: int
    tools: tuple[Tool, ...]
    names: tuple[tuple[str, Span], ...]
    diagnostics: tuple[Diagnostic, ...]
    alone: bool


class PartsOf:
    """Notes what each module comes to. Call `noted` after each step that concerns one module."""

    def __init__(self, collector: Collector, sink: Sink) -> None:
        self._collector = collector
        self._sink = sink
        self._heard = len(sink)
        self._said: dict[str, list[Diagnostic]] = {}
        self._counts: list[tuple[ParsedModule, int, int, slice, slice, bool]] = []
        self._common: set[str] = set()
        """Paths of which something is said because a tool of another module, which one can't be known, asks for it."""

    def add(self, module: ParsedModule) -> None:
        """Collect the tools of a module."""
        before = self._state()
        self._collector.add(module)
        after = self._state()
        candidates = self._collector.candidates[before[4] :]
        alone = all(each.decl.scope.module is module and each.maker.scope.module is module for each in candidates)
        found, undecidable, tools, names, _ = (slice(*both) for both in zip(before, after, strict=True))
        self._counts.append(
            (module, found.stop - found.start, undecidable.stop - undecidable.start, tools, names, alone)
        )
        self.noted(module.file.shown)

    def noted(self, path: str | None) -> None:
        """What was said since the last time concerns the module of that path; with None, several modules."""
        for each in self._sink.since(self._heard):
            if path is not None and each.span.path == path:
                self._said.setdefault(path, []).append(each)
            else:
                self._common.add(each.span.path)
        self._heard = len(self._sink)

    def parts(self, kept: Iterable[Tool], undecided: Mapping[int, Span]) -> tuple[Part, ...]:
        """The part of each module; `kept` are the tools of the build."""
        ids = {id(tool) for tool in kept}
        return tuple(self._part(*counts, ids, undecided) for counts in self._counts)

    @property
    def common(self) -> frozenset[str]:
        """The files of which something is said that no one module answers for."""
        return frozenset(self._common)

    def _part(
        self,
        module: ParsedModule,
        found: int,
        undecidable: int,
        tools: slice,
        names: slice,
        alone: bool,
        kept: set[int],
        undecided: Mapping[int, Span],
    ) -> Part:
        own = tuple(self._collector.tools[tools])
        whole = all(id(tool) in kept and id(tool) not in undecided for tool in own)
        said = tuple(self._said.get(module.file.shown, ()))
        called = tuple(self._collector.lowerer.names[names])
        return Part(module.file, found, undecidable, own, called, said, alone and whole)

    def _state(self) -> tuple[int, int, int, int, int]:
        found = self._collector
        return found.found, found.undecidable, len(found.tools), len(found.lowerer.names), len(found.candidates)
