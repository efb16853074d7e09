"""The configuration of one run, merged and checked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ..diagnostics.model import Level
from ..source.span import Span

if TYPE_CHECKING:
    from .decorators import Decorator


class DeclaredType(Struct, frozen=True):
    """An entry of `types`: a dotted name, the JSON Schema of its values, and what makes the object of one.

    `schema` is as the file has it, not checked yet. `places` are the spans of keys below the entry, by their path.
    """

    name: str
    schema: object
    converter: str | None
    places: Mapping[tuple[str, ...], Span]

    def span(self, *path: str) -> Span:
        """The place of a key below the entry, or of the nearest one above it."""
        while path not in self.places:
            path = path[:-1]
        return self.places[path]


class GivenEnvironment(Struct, frozen=True):
    """`environment`: what an interpreter would else be asked; None where it says nothing.

    `search_path` has the folders (and archives) of `sys.path`, all there.
    """

    search_path: tuple[Path, ...] | None = None
    version: tuple[int, int] | None = None
    platform: str | None = None


class Config(Struct, frozen=True):
    """All that phases may ask. Every path is absolute.

    `sources` are files and folders; those in `named` were given on the command line by name, which no exclusion
    touches. `other_out` is the configured output folder where the command line names another: no source either.
    `project` is the folder of the pyproject.toml used. `targets_named` tells whether the user chose the
    targets (their limits are then errors). `target_runtime` is the runtime whose own schemas the build is compared
    with. `python` is the interpreter whose library and packages are searched, or
    `environment` what it would say; without both, see `semantics/environment.py`.
    `levels` maps rule codes to a level, or None for off.
    """

    sources: tuple[Path, ...]
    named: frozenset[Path] = frozenset()
    project: Path | None = None
    exclude: tuple[str, ...] = ()
    out: Path = Path("lauren_build")
    other_out: Path | None = None
    roots: tuple[Path, ...] = ()
    targets: tuple[str, ...] = ()
    targets_named: bool = False
    target_runtime: str | None = None
    target_options: Mapping[str, Mapping[str, object]] = field(default_factory=dict[str, Mapping[str, object]])
    python: Path | None = None
    environment: GivenEnvironment | None = None
    decorators: tuple[Decorator, ...] = ()
    types: tuple[DeclaredType, ...] = ()
    levels: Mapping[str, Level | None] = field(default_factory=dict[str, "Level | None"])
    warnings_as_errors: bool = False
    strict_discovery: bool = False
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    cache_dir: Path | None = None
    formatter: str | None = None

    @property
    def outputs(self) -> tuple[Path, ...]:
        """The folders that builds are written to; what lies in them is no source."""
        return (self.out,) if self.other_out is None else (self.out, self.other_out)
