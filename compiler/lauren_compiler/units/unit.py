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


class Unit(Struct, frozen=True, array_like=True):
    """What one module comes to, but for its tools, which are in the listing of the run. `names` are those of what was
    to be a tool and is not listed under them, with their places. `files` are those that it alone makes, with their
    digests; `decoders` is the name of its module in `_tools/`, "" if it has no tools, and `digest` is what that module
    carries, `frame` the key of all else in it (`emit.render`). `depends` are the paths of all modules that it may have
    asked.

    `heeds` if the file has comments that silence diagnostics.
    """

    place: Place
    found: int
    undecidable: int
    names: tuple[tuple[str, Span], ...]
    files: tuple[tuple[str, str], ...]
    decoders: str
    digest: str
    frame: str
    diagnostics: tuple[Diagnostic, ...]
    depends: tuple[str, ...]
    heeds: bool


def known_of(units: Sequence[Unit], tools: Sequence[Card]) -> Others:
    """What lowering has to know of units that it does not look at, and of their tools."""
    return Others(
        tuple(tools),
        (*((tool.name, tool.span) for tool in tools), *(name for unit in units for name in unit.names)),
        sum(unit.found for unit in units),
        sum(unit.undecidable for unit in units),
    )


def files_of(units: Sequence[Unit]) -> Mapping[str, str]:
    """The digests of all files that units alone make, by path."""
    return {path: digest for unit in units for path, digest in unit.files}
