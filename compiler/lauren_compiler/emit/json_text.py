"""JSON text: one form to digest, one to read.

Both are the same on every machine and Python, without NaN or infinities. Lone surrogates, which UTF-8 can't hold, are
`\\u` escapes; in files so is every character that a reader would not see or that would turn the text around.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain, repeat
from json.encoder import encode_basestring
from typing import Any, NamedTuple, cast

# Control characters, default-ignorable code points, bidirectional controls, line and paragraph separators, surrogates
# (Unicode 16.0, DerivedCoreProperties and PropList). A table of our own: `unicodedata` is another one in each Python.
_UNSEEN = re.compile(
    "[\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_INDENT = "  "


def canonical_json(value: Any) -> bytes:
    """The one JSON text that digests are of: sorted keys, no spaces, UTF-8 (lone surrogates as `\\u` escapes).

    Raises ValueError for NaN and infinities, TypeError for what is no JSON value.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


class Texts:
    """The texts of values that stand in several documents of a build, by identity: each is laid out once."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[dict[str, Any], str]] = {}

    def share(self, value: dict[str, Any]) -> None:
        """Lay out a value that is not changed any more; its parts may be shared before."""
        self._texts[id(value)] = (value, _text(value, self))

    def keep(self, value: dict[str, Any], text: str) -> None:
        """Have `text` stand for a value: what was laid out of it when more of it was known."""
        self._texts[id(value)] = (value, text)

    def of(self, value: dict[str, Any]) -> str:
        """The text of a value, which is shared from now on."""
        if id(value) not in self._texts:
            self.share(value)
        return self._texts[id(value)][1]

    def at(self, value: dict[str, Any], newline: str) -> str | None:
        """The text of a shared value where lines begin with `newline`; None for another."""
        known = self._texts.get(id(value))
        # A newline inside a string is an escape, so all that are there are the layout's.
        return None if known is None else known[1].replace("\n", newline)


def readable_json(value: Any, texts: Texts | None = None) -> bytes:
    """JSON for files: two spaces of indent, keys in their own order, a newline at the end.

    Raises ValueError for NaN and infinities, TypeError for what is no JSON value.
    """
    return (_text(value, texts or Texts()) + "\n").encode()


def _text(value: Any, texts: Texts) -> str:
    pieces: list[str] = []
    opening = _opened(value, "\n", pieces, texts)
    # What is being written, outermost first. No recursion: schemas nest as deep as annotations do.
    pending = [opening] if opening is not None else []
    while pending:
        inner = _written(pending[-1], pieces, texts)
        if inner is None:
            pending.pop()
        else:
            pending.append(inner)
    return "".join(pieces)


class _Open(NamedTuple):
    """A container of which a part is written: its other items, each behind its text, and what closes it."""

    items: Iterator[tuple[str, Any]]
    newline: str
    closing: str


def _opened(value: Any, newline: str, pieces: list[str], texts: Texts) -> _Open | None:
    """Write a scalar, an empty container or a shared value, or the bracket of what else it is, which is given back."""
    if not isinstance(value, (dict, list, tuple)) or not value:
        pieces.append(_scalar(value))
        return None
    inner = newline + _INDENT
    before = chain([inner], repeat("," + inner))
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        shared = texts.at(members, newline)
        if shared is not None:
            pieces.append(shared)
            return None
        pieces.append("{")
        items = zip(before, members.items(), strict=False)
        return _Open(((f"{each}{_scalar(key)}: ", item) for each, (key, item) in items), inner, newline + "}")
    pieces.append("[")
    return _Open(zip(before, cast("list[Any]", value), strict=False), inner, newline + "]")


def _written(container: _Open, pieces: list[str], texts: Texts) -> _Open | None:
    """Write items up to one that is a container with items of its own, which is given back; None at the end."""
    items, newline, closing = container
    for label, item in items:
        pieces.append(label)
        if type(item) is str:
            pieces.append(_scalar(item))
            continue
        inner = _opened(item, newline, pieces, texts)
        if inner is not None:
            return inner
    pieces.append(closing)
    return None


def _scalar(value: Any) -> str:
    """A scalar or an empty container."""
    if type(value) is not str:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    text = encode_basestring(value)
    return text if text.isascii() and "\x7f" not in text else _UNSEEN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0]).strip('"') if match[0] != "\x7f" else "\\u007f"
