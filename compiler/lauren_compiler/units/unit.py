"""What is kept of one module of the sources, so that a build may be put together without looking at it again.

Everything here is plain data that msgspec writes and reads; nothing of it is ever run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ..diagnostics.model import Diagnostic
from ..ir.cards import Card
from ..lower.parts import Others
from ..source.span import Span


class Place(Struct, frozen=True, array_like=True):
    """A file of the sources: absolute path, source root, POSIX path from there, module name, path in diagnostics."""

    path: str
    root: str
    relative: str
    module: str
    is_package: bool
    shown: str


class Offer(Struct, frozen=True, array_like=True):
    """A tool in a target's form. `span` is where its file has the entry; without, `text` is the entry, if one may be
    needed. `omissions` are (code, message) of why no list of the target can hold the tool."""

    span: tuple[int, int] | None
    text: str
    omissions: tuple[tuple[str, str], ...]


class ToolText(Struct, frozen=True, array_like=True):
    """Where a tool stands in the files that all tools share (see documents.py): its entry in the manifest, which has a
    `digest`, its row in the table, and an offer for each target, in the order of the configuration."""

    card: Card
    digest: str
    entry: tuple[int, int]
    row: tuple[int, int]
    offers: tuple[Offer, ...]


class Unit(Struct, frozen=True, array_like=True):
    """What one module comes to. `files` are those that it alone makes, with their digests; `decoders` is the name of
    its module in `_tools/`, "" if it has no tools. `depends` are the paths of all modules that it may have asked.

    `heeds` if the file has comments that silence diagnostics.
    """

    place: Place
    found: int
    undecidable: int
    tools: tuple[ToolText, ...]
    names: tuple[tuple[str, Span], ...]
    files: tuple[tuple[str, str], ...]
    decoders: str
    diagnostics: tuple[Diagnostic, ...]
    depends: tuple[str, ...]
    heeds: bool


def known_of(units: Sequence[Unit]) -> Others:
    """What lowering has to know of units that it does not look at."""
    return Others(
        tuple(tool.card for unit in units for tool in unit.tools),
        tuple(name for unit in units for name in unit.names),
        sum(unit.found for unit in units),
        sum(unit.undecidable for unit in units),
    )


def files_of(units: Sequence[Unit]) -> Mapping[str, str]:
    """The digests of all files that units alone make, by path."""
    return {path: digest for unit in units for path, digest in unit.files}
