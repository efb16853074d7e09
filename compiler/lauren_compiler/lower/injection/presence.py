"""Whether the sources have to do with dependency injection at all: most have not, and then nothing more is imported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...diagnostics.model import Sink
from ...semantics.load import Sources
from ...semantics.types import TypeReader
from ...source.file import SourceFile
from ...source.patterns import pattern
from ..makers import Makers

if TYPE_CHECKING:
    from ...ir.graph import Graph

_RENAMED = pattern(r"\bmodule as (\w+)|^(\w+) = (?:\w+\.)*module\b", re.MULTILINE)


def read_graph(types: TypeReader, makers: Makers, sources: Sources, sink: Sink) -> Graph | None:
    """The modules that applications are made of; None for a project of which no file may declare any."""
    paths = {file.path for file in _may_declare(sources.modules.files)}
    if not paths:
        return None
    from .graph import graph_of

    modules = tuple(sources.modules)
    return graph_of([module for module in modules if module.file.path in paths], types, makers, modules, sink)


def may_concern(files: Sequence[SourceFile]) -> bool:
    """Whether files may have to do with modules: declare one, or give `module` another name for other files."""
    texts = (file.text for file in files)
    return any(True for _ in _may_declare(files)) or any("module" in text and _RENAMED.search(text) for text in texts)


def _may_declare(files: Sequence[SourceFile]) -> Iterator[SourceFile]:
    """The files whose text may use `@module`, under a name that any of the files gives it: most have none of these."""
    # To look for a word is much cheaper than to look for a pattern.
    texts = [file.text for file in files if "module" in file.text]
    names = {"module", *(name for text in texts for found in _RENAMED.findall(text) for name in found if name)}
    used = pattern(rf"\b(?:{'|'.join(map(re.escape, sorted(names)))})\b(?: as |[ \t]*[(\n])")
    for file in files:
        if "@" in file.text and any(name in file.text for name in names) and used.search(file.text):
            yield file
