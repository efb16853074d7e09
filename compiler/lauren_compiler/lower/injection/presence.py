"""Whether the sources have to do with dependency injection at all: most have not, and then nothing more is imported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ...diagnostics.model import Sink
from ...semantics.load import Sources
from ...semantics.types import TypeReader
from ...source.patterns import pattern
from ...syntax.declarations import ParsedModule
from ..makers import Makers

if TYPE_CHECKING:
    from ...ir.graph import Graph

_RENAMED = pattern(r"\bmodule as (\w+)|^(\w+) = (?:\w+\.)*module\b", re.MULTILINE)


def read_graph(types: TypeReader, makers: Makers, sources: Sources, sink: Sink) -> Graph | None:
    """The modules that applications are made of; None for a project of which no file may declare any."""
    candidates = list(_may_declare(sources.modules))
    if not candidates:
        return None
    from .graph import graph_of

    return graph_of(candidates, types, makers, sources.modules, sink)


def may_concern(modules: Iterable[ParsedModule]) -> bool:
    """Whether files may have to do with modules: declare one, or give `module` another name for other files."""
    listed = list(modules)
    texts = (module.file.text for module in listed)
    return any(True for _ in _may_declare(listed)) or any("module" in text and _RENAMED.search(text) for text in texts)


def _may_declare(modules: Sequence[ParsedModule]) -> Iterator[ParsedModule]:
    """The files whose text may use `@module`, under a name that any of the files gives it: most have none of these."""
    # To look for a word is much cheaper than to look for a pattern.
    texts = [module.file.text for module in modules if "module" in module.file.text]
    names = {"module", *(name for text in texts for found in _RENAMED.findall(text) for name in found if name)}
    used = pattern(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b(?: as |[ \t]*[(\n])")
    for module in modules:
        text = module.file.text
        if "@" in text and any(name in text for name in names) and used.search(text):
            yield module
