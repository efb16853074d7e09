"""What the compiler tells its users: rules, diagnostics and the sink that collects them.

A diagnostic is a value. It is made through its rule (`UNRESOLVED_NAME.at(span, "...")`), added to a `Sink`
that is passed as an argument, and rendered elsewhere (`diagnostics/render/`), so that phases never print.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec import Struct, field
from msgspec.structs import replace

from ..source.span import Span


class Level(enum.StrEnum):
    """How serious a diagnostic is; only errors make a build fail."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Label(Struct, frozen=True):
    """A secondary place with a few words of its own, such as one step of an import chain."""

    span: Span
    text: str


class Edit(Struct, frozen=True):
    """Replace the text of `span` by `text`."""

    span: Span
    text: str


class Fix(Struct, frozen=True):
    """A change that would mend the fault; `safe` if it can't change what the program means."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


class Diagnostic(Struct, frozen=True):
    """One finding: where, what, why (`label`), the way there (`labels`), remarks and the remedy (`help`).

    Findings of one `cause`, a file as it is shown or anything else by name, are told as one; `follows` is then said at
    the places of those that are not the first.
    """

    rule: Rule
    level: Level
    message: str
    span: Span
    label: str = ""
    labels: tuple[Label, ...] = ()
    notes: tuple[str, ...] = ()
    help: str | None = None
    fix: Fix | None = None
    cause: str = ""
    follows: str = ""

    @property
    def sort_key(self) -> tuple[object, ...]:
        """Total order of a report: by place, then level, code and text.

        What can't be read (LC1xx) comes first, for what is said of importers may follow from it.
        """
        levels = tuple(Level)
        return (
            not self.rule.code.startswith("LC1"),
            self.span,
            levels.index(self.level),
            self.rule.code,
            self.message,
            self.label,
        )

    def because(self, cause: str, follows: str) -> Diagnostic:
        """The same finding, told with others that have the cause."""
        return replace(self, cause=cause, follows=follows)

    def at_level(self, level: Level) -> Diagnostic:
        """The same finding at another level."""
        return replace(self, level=level)


class Rule(Struct, frozen=True):
    """A kind of finding: `LC301`, `unsupported-type`, what it means, and its level unless configured.

    `fixed` says that configuration cannot change the level: what would make wrong output can't be silenced. `yields`
    says that an error which shows the same place tells of it too, and better.
    """

    code: str
    name: str
    summary: str
    level: Level = Level.ERROR
    yields: bool = False

    @property
    def fixed(self) -> bool:
        return self.level is Level.ERROR

    def at(
        self,
        span: Span,
        message: str,
        *,
        label: str = "",
        labels: Iterable[Label] = (),
        notes: Iterable[str] = (),
        help: str | None = None,
        fix: Fix | None = None,
        level: Level | None = None,
    ) -> Diagnostic:
        """A diagnostic of this rule at `span`; `label` stands at the carets, `help` names the remedy."""
        return Diagnostic(self, level or self.level, message, span, label, tuple(labels), tuple(notes), help, fix)


class Sink(Struct):
    """Collects diagnostics; the same finding at the same place counts once."""

    _found: dict[Diagnostic, None] = field(default_factory=dict[Diagnostic, None])

    def add(self, diagnostic: Diagnostic) -> None:
        self._found.setdefault(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)

    def since(self, count: int) -> Iterator[Diagnostic]:
        """What was found after the first `count`, in the order found."""
        return islice(self._found, count, None)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(self._found, key=lambda found: found.sort_key))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def has_errors(self) -> bool:
        return any(found.level is Level.ERROR for found in self._found)
