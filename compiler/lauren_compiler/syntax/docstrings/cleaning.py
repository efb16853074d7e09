"""A docstring's raw text as lines with their indentation."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Line(Struct, frozen=True):
    """One line: where it stands in the raw text (0-based), its indentation in columns, and its text without it.

    A blank line has the indentation 0 and the text "".
    """

    number: int
    indent: int
    text: str


def cleandoc(text: str) -> str:
    """What `inspect.cleandoc` of Python 3.13 makes of a text, whatever Python runs this."""
    first, *rest = text.expandtabs().split("\n")
    margin = min((len(line) - len(line.lstrip(" ")) for line in rest if line.strip(" ")), default=0)
    lines = [first.lstrip(" "), *(line[margin:] for line in rest)]
    while lines and not lines[-1]:
        lines.pop()
    start = next((number for number, line in enumerate(lines) if line), 0)
    return "\n".join(lines[start:])


def clean(raw: str) -> list[Line]:
    """The lines of a docstring literal's value, without the indentation they share and blank lines at either end.

    The indentation is what `inspect.cleandoc` of Python 3.13 removes, whatever Python runs this: tabs are expanded, and
    only spaces count. Older versions also count other white space. A carriage return ends a line, but has no number
    of its own, since it can't be a line of the source.
    """
    parts = _split(raw)
    margin = min([len(part) - len(part.lstrip(" ")) for number, part in parts if number and part.strip(" ")], default=0)
    # The first line follows the quotes: its indentation says nothing.
    lines = [
        Line(number, len(part) - len(part.lstrip()) - margin if number else 0, text)
        if (text := part.strip())
        else Line(number, 0, "")
        for number, part in parts
    ]
    while lines and not lines[-1].text:
        lines.pop()
    if not lines or lines[0].text:
        return lines
    return lines[next((index for index, line in enumerate(lines) if line.text), 0) :]


def dedent(lines: Sequence[Line]) -> list[str]:
    """The lines' texts, indented by spaces relative to the least indented; blank lines at either end are left out."""
    if len(lines) == 1:
        return [lines[0].text] if lines[0].text else []
    base = min((line.indent for line in lines if line.text), default=0)
    texts = [" " * (line.indent - base) + line.text if line.text else "" for line in lines]
    while texts and not texts[-1]:
        texts.pop()
    first = next((index for index, text in enumerate(texts) if text), 0)
    return texts[first:]


def _split(raw: str) -> list[tuple[int, str]]:
    lines = raw.replace("\r\n", "\n").expandtabs().split("\n")
    if "\r" not in raw:
        return list(enumerate(lines))
    return [(number, part) for number, line in enumerate(lines) for part in line.split("\r")]
