"""Text on a terminal: how wide it is, and how to write what must not reach one as it is.

Control characters can rewrite what a terminal shows, bidirectional controls reorder it, and lone surrogates can't be
encoded; all of them are shown as Python escapes. Widths follow UAX #11 (East Asian Width) and the general category.
"""

from __future__ import annotations

import unicodedata

TAB_STOP = 4

_HOSTILE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_ZERO_WIDTH = frozenset({"Mn", "Me"})
_HANGUL_MEDIALS = range(0x1160, 0x1200)  # drawn inside the cell of the syllable's first letter


def is_hostile(character: str) -> bool:
    """Whether a character could change how the text around it is read."""
    return not (" " <= character <= "~") and unicodedata.category(character) in _HOSTILE


def escape(text: str) -> str:
    r"""`text` with every hostile character as its Python escape: `a<ESC>b` becomes `a\x1bb`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(character) if is_hostile(character) else character for character in text)


def escape_lines(text: str) -> str:
    """`escape`, keeping newlines."""
    return "\n".join(escape(line) for line in text.split("\n"))


def width(text: str) -> int:
    """How many cells `text`, already escaped and free of tabs, takes."""
    return len(text) if text.isascii() else sum(_cells(character) for character in text)


def lay_out(line: str) -> tuple[str, list[int]]:
    r"""A source line as it is shown, and the cell at which each of its characters starts (one more for the end).

    `"\tñ"` gives `("    ñ", [0, 4, 5])`.
    """
    shown: list[str] = []
    starts: list[int] = []
    cell = 0
    for character in line:
        starts.append(cell)
        piece = " " * (TAB_STOP - cell % TAB_STOP) if character == "\t" else escape(character)
        shown.append(piece)
        cell += width(piece)
    starts.append(cell)
    return "".join(shown), starts


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def _cells(character: str) -> int:
    if unicodedata.category(character) in _ZERO_WIDTH or ord(character) in _HANGUL_MEDIALS:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
