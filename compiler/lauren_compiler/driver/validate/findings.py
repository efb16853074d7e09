"""The faults of a build, as diagnostics at its files."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from ...diagnostics.model import Diagnostic, Sink
from ...diagnostics.rules.writing import INVALID_OUTPUT, MIXED_OUTPUT
from ...source.span import Span

_REBUILD = "run `lauren-compile build` again"


class Findings(Struct, frozen=True):
    """Collects faults; `shown` is how the folder is called."""

    shown: str
    sink: Sink = field(default_factory=Sink)

    def invalid(self, path: str, message: str, *, notes: Iterable[str] = ()) -> None:
        """A file is not what it should be (LC905)."""
        self.sink.add(INVALID_OUTPUT.at(self._place(path), message, notes=notes, help=_REBUILD))

    def mixed(self, path: str, message: str) -> None:
        """A file is none of this build (LC903)."""
        self.sink.add(MIXED_OUTPUT.at(self._place(path), message, help=_REBUILD))

    def unlisted(self, path: str) -> None:
        """A file lies among those of the build that its manifest does not list (LC903)."""
        message = f"{path} is not listed in the manifest: it may be left from another build"
        self.sink.add(
            MIXED_OUTPUT.at(self._place(path), message, help="remove it: a build leaves what it did not write")
        )

    def all(self) -> tuple[Diagnostic, ...]:
        return tuple(self.sink)

    def _place(self, path: str) -> Span:
        return Span.of_file(f"{self.shown}/{path}" if path else self.shown)
