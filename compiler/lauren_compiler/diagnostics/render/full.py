"""The form for people: the message, the source lines with carets, remarks and the remedy.

error[LC301] unsupported-type: parameter `when` has a type with no JSON form
  --> tools/calendar.py:14:26
   |
14 |     title: str, when: complex,
   |                       ^^^^^^^ `complex` cannot be written as JSON
   |
   = help: use `float`
   = see: lauren-compile explain LC301
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from ...source.span import Span
from ..model import Diagnostic, Level
from .report import Report, SourceLines
from .terminal import escape, lay_out

_COLOURS = {Level.ERROR: "31", Level.WARNING: "33", Level.NOTE: "36"}

_WIDEST = 160
"""Characters of a source line that are shown."""

Paint = Callable[[str, str], str]


class _Mark(Struct, frozen=True):
    """What is drawn below a source line."""

    span: Span
    text: str
    sign: str
    colour: str


def render(report: Report) -> str:
    """Every diagnostic, a blank line behind each."""
    paint = _colours if report.colour else _plain
    return "".join("\n".join(_diagnostic(found, report.sources, paint)) + "\n\n" for found in report.diagnostics)


def _plain(text: str, code: str) -> str:
    return text


def _colours(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if text else text


def _diagnostic(found: Diagnostic, sources: SourceLines, paint: Paint) -> Iterator[str]:
    colour = _COLOURS[found.level]
    yield (
        paint(f"{found.level}[{found.rule.code}]", f"1;{colour}")
        + f" {found.rule.name}: "
        + paint(escape(found.message), "1")
    )
    marks = [_Mark(found.span, found.label, "^", colour)]
    marks += [_Mark(label.span, label.text, "-", "34") for label in found.labels]
    margin = len(str(max(mark.span.start.line for mark in marks)))
    yield from _sections(marks, margin, sources, paint)
    for name, text in _remarks(found):
        yield from _remark(name, text, margin, paint)


def _sections(marks: Sequence[_Mark], margin: int, sources: SourceLines, paint: Paint) -> Iterator[str]:
    """One section a file, the primary place's first, the others in the order of the labels."""
    by_path: dict[str, list[_Mark]] = {}
    for mark in marks:
        by_path.setdefault(mark.span.path, []).append(mark)
    for path, here in by_path.items():
        start = here[0].span.start
        arrow = "-->" if here[0] is marks[0] else ":::"
        yield f"{' ' * margin}{paint(arrow, '34')} {escape(path)}:{start.line}:{start.column}"
        body = list(_lines(here, margin, sources.lines(path), paint))
        bar = f"{' ' * margin} {paint('|', '34')}"
        if body:
            yield from (bar, *body, bar)


def _lines(marks: Sequence[_Mark], margin: int, lines: Sequence[str], paint: Paint) -> Iterator[str]:
    """The marked lines in order, the marks of each below it; nothing for lines that are not known."""
    last = 0
    for number in sorted({mark.span.start.line for mark in marks}):
        if not 1 <= number <= len(lines):
            yield from _unseen(marks, number, margin, paint)
            continue
        if last and number > last + 1:
            yield paint("...", "34")
        last = number
        here = sorted((mark for mark in marks if mark.span.start.line == number), key=lambda mark: mark.span)
        text, left_out = _excerpt(lines[number - 1], here[0].span.start.column)
        shown, starts = lay_out(text)
        yield f"{paint(f'{number:>{margin}} |', '34')} {shown}".rstrip()
        for mark in here:
            yield f"{' ' * margin} {paint('|', '34')} {_underline(mark, starts, left_out, paint)}"


def _excerpt(line: str, column: int) -> tuple[str, int]:
    """The part of a line that is shown, and by how much columns count less in it: all of it unless it is very long."""
    if len(line) <= _WIDEST:
        return line, 0
    start = max(column - 1 - _WIDEST // 3, 0)
    end = start + _WIDEST
    before, behind = ("..." if start else ""), ("..." if end < len(line) else "")
    return f"{before}{line[start:end]}{behind}", start - len(before)


def _unseen(marks: Sequence[_Mark], number: int, margin: int, paint: Paint) -> Iterator[str]:
    """What marks say of a line that can't be shown."""
    for mark in marks:
        if mark.span.start.line == number and mark.text:
            yield f"{' ' * margin} {paint('|', '34')} {paint(f'{mark.sign} {escape(mark.text)}', mark.colour)}"


def _underline(mark: _Mark, starts: Sequence[int], left_out: int, paint: Paint) -> str:
    """The signs below a span and its text; of a span over several lines, below its first."""
    end = len(starts) - 1
    first = min(mark.span.start.column - 1 - left_out, end)
    last = mark.span.end.column - 1 - left_out if mark.span.end.line == mark.span.start.line else end
    length = max(starts[min(last, end)] - starts[first], 1)
    text = f" {escape(mark.text)}" if mark.text else ""
    return " " * starts[first] + paint(mark.sign * length + text, mark.colour)


def _remarks(found: Diagnostic) -> Iterator[tuple[str, str]]:
    for note in found.notes:
        yield "note", note
    if found.help:
        yield "help", found.help
    if found.fix and found.fix.title != found.help:
        yield "fix", found.fix.title
    yield "see", f"lauren-compile explain {found.rule.code}"


def _remark(name: str, text: str, margin: int, paint: Paint) -> Iterator[str]:
    first, *rest = text.split("\n")
    yield f"{' ' * margin} {paint('=', '34')} {paint(name, '1')}: {escape(first)}"
    indent = " " * (margin + len(name) + 5)
    for line in rest:
        yield f"{indent}{escape(line)}".rstrip()
