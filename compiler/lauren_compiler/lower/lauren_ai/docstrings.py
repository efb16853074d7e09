"""Docstrings as lauren-ai reads them.

The description is the first paragraph, whatever stands in it. A line that says `Args:`, `Arguments:` or `Parameters:`
begins a list of parameters, `name: text` indented by two columns or more; a line at the margin that ends in a colon
ends it.
"""

from __future__ import annotations

import re

_HEADER = re.compile(r"(Args|Arguments|Parameters)\s*:\s*")
_ENTRY = re.compile(r"(\s{2,})(\w+)\s*:\s*(.*)")
_SLACK = 2
"""By how many columns more than the first entry another may be indented."""


def read(text: str) -> tuple[str, dict[str, str]]:
    """Description and texts by parameter, of a docstring as `inspect.getdoc` gives it."""
    lines = _lines(text)
    paragraph = lines[: next((number for number, line in enumerate(lines) if not line.strip()), len(lines))]
    return " ".join(line.strip() for line in paragraph).strip(), _Parameters(lines).texts


def _lines(text: str) -> list[str]:
    """The lines without their common indentation, which the first has none of."""
    lines = text.expandtabs().splitlines()
    while lines and not lines[0].strip():
        del lines[0]
    while lines and not lines[-1].strip():
        del lines[-1]
    if not lines:
        return []
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    return [lines[0].strip(), *(line[margin:] if len(line) >= margin else line.lstrip() for line in lines[1:])]


class _Parameters:
    """The lists of parameters of a docstring, read line by line."""

    def __init__(self, lines: list[str]) -> None:
        self.texts: dict[str, str] = {}
        self._open: tuple[str, list[str]] | None = None
        self._indent: int | None = None
        inside = False
        for line in lines:
            if _HEADER.fullmatch(line.strip()):
                self._close()
                inside, self._indent = True, None
            elif inside:
                inside = self._goes_on(line)
        self._close()

    def _goes_on(self, line: str) -> bool:
        """Read one line inside a list; False if it ends it."""
        if line and not line[0].isspace() and line.rstrip().endswith(":"):
            self._close()
            return False
        if not line.strip():
            if self._open is not None:
                self._indent = None
            self._close()
            return True
        entry = _ENTRY.match(line)
        if entry is None:
            self._continue(line)
            return True
        indent = len(entry[1])
        self._indent = indent if self._indent is None else self._indent
        if indent <= self._indent + _SLACK:
            self._close()
            self._open = (entry[2], [entry[3].strip()] if entry[3].strip() else [])
        else:
            self._continue(line)
        return True

    def _continue(self, line: str) -> None:
        if self._open is not None:
            self._open[1].append(line.strip())

    def _close(self) -> None:
        if self._open is not None:
            self.texts[self._open[0]] = " ".join(self._open[1]).strip()
        self._open = None
