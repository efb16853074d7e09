"""What is said of a fault of our own: which source was being worked on, and that we want to know."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from types import FrameType, TracebackType

from ..source.file import SourceFile
from ..source.span import Span
from .missing import said_of_missing

_AROUND = ("lauren_compiler.commands", "lauren_compiler.config", "lauren_compiler.driver")
"""Modules around the phases: the spans they hold are not those of a source."""


def explain_failure(error: Exception, *, verbose: bool) -> str:
    """The message for an exception that should not have been; with its traceback if `verbose`.

    The place is the one that the exception carries as `span`, else what was being worked on.
    """
    lacking = said_of_missing(error)
    if lacking is not None:
        return lacking
    kind = type(error).__name__
    place = _place(getattr(error, "span", None)) or working_on(error.__traceback__)
    text = f"internal error{f' while compiling {place}' if place else ''}: {kind}: {error}"
    lines = [text, "This is a fault of lauren-compile, not of your code: please report it with the lines above"]
    if verbose:
        lines = [*traceback.format_exception(error), *lines]
    else:
        lines[-1] += ", and what -v adds to them"
    return "\n".join(line.rstrip("\n") for line in lines) + "."


def working_on(trace: TracebackType | None) -> str | None:
    """The user's place (`path:line`) that the innermost frame with a span, or with something that has one, held."""
    frames: list[FrameType] = []
    while trace is not None:
        if not trace.tb_frame.f_globals.get("__name__", "").startswith(_AROUND):
            frames.append(trace.tb_frame)
        trace = trace.tb_next
    return next((place for frame in reversed(frames) for place in _places(frame)), None)


def _places(frame: FrameType) -> Iterator[str]:
    values = list(frame.f_locals.values())
    for value in values:
        place = _place(value if isinstance(value, Span) else getattr(value, "span", None))
        if place is not None:
            yield place
    for value in values:
        if isinstance(value, SourceFile):
            yield value.shown


def _place(span: object) -> str | None:
    return f"{span.path}:{span.start.line}" if isinstance(span, Span) else None
