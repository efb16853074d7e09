"""The heads of Google entries: where the names and the type end, and the text begins."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from .cleaning import Line
from .names import names_of, split_head

_DASH: Final = re.compile(r"(?<=[\w`*)\]]) +(?:--?|–|—) +(?=\S)")
# A type whose brackets do not match, as in `a (list[dict[str, int]): text`, ends where a bracket stands before a colon.
_LOOSE: Final = re.compile(r"([*\\`\w]{1,100}) ?\(.{0,400}?[)\]]`?:(?:\s|$)")
_OPEN: Final = re.compile(r"[*\\`\w]{1,100} ?[(\[]")
_LONGEST_TYPE: Final = 8
"""Lines over which a type may be wrapped."""


def split_entry(text: str) -> tuple[tuple[str, ...], str]:
    """The names and text of a line `names: text`; no names if it is something else, such as a URL."""
    head, rest = split_head(text)
    if head:
        if rest.startswith("//") or text.startswith("::", text.find(":", len(head))):
            return (), text
        names = names_of(head)
        if names:
            return names, rest
    return _loose(text) if "(" in text else ((), text)


def split_dashed(text: str) -> tuple[tuple[str, ...], str]:
    """The names and text of a line `names - text`, with any dash; no names if it is something else."""
    found = _DASH.search(text)
    if found is None:
        return (), text
    names = names_of(text[: found.start()])
    return (names, text[found.end() :]) if names else ((), text)


def wrapped_head(lines: Sequence[Line], index: int, text: str) -> int:
    """How many lines below `index` belong to its head: those over which a type in brackets is wrapped.

    `text` is what stands on the line itself, without a bullet. 0 if that is no head, or not wrapped.
    """
    if not _OPEN.match(text):
        return 0
    for count in range(1, min(_LONGEST_TYPE, len(lines) - index)):
        below = lines[index + count]
        if not below.text or below.indent <= lines[index].indent:
            return 0
        text = f"{text} {below.text}"
        if split_entry(text)[0]:
            return count
    return 0


def _loose(text: str) -> tuple[tuple[str, ...], str]:
    found = _LOOSE.match(text)
    names = names_of(found[1]) if found else ()
    return (names, text[found.end() :].strip()) if found and names else ((), text)
