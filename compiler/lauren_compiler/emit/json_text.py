"""JSON text: one form to digest, one to read.

Both are the same on every machine and Python, without NaN or infinities. Lone surrogates, which UTF-8 can't hold, are
`\\u` escapes; in files so is every character that a reader would not see or that would turn the text around.
"""

from __future__ import annotations

import codecs
import json
import re
from typing import Any

import msgspec

from .json_steps import compact_text, laid_out

# Control characters, default-ignorable code points, bidirectional controls, line and paragraph separators, surrogates
# (Unicode 16.0, DerivedCoreProperties and PropList). A table of our own: `unicodedata` is another one in each Python.
_UNSEEN = re.compile(
    "[\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_canonical = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False
).encode
_compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False).encode


def canonical_json(value: Any) -> bytes:
    """The one JSON text that digests are of: sorted keys, no spaces, UTF-8 (lone surrogates as `\\u` escapes).

    Raises ValueError for NaN and infinities, TypeError for what is no JSON value.
    """
    return _canonical(value).encode("utf-8", "backslashreplace")


class Texts:
    """The texts, without layout, of values that stand in documents of a build, by identity: each is made once."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[dict[str, Any], str]] = {}

    def share(self, value: dict[str, Any]) -> None:
        """Make the text of a value that is not changed any more."""
        self._texts[id(value)] = (value, _text(value))

    def keep(self, value: dict[str, Any], text: str) -> None:
        """Have `text` stand for a value: what was made of it when more of it was known."""
        self._texts[id(value)] = (value, text)

    def of(self, value: dict[str, Any]) -> str:
        """The text of a value, which is shared from now on."""
        if id(value) not in self._texts:
            self.share(value)
        return self._texts[id(value)][1]

    def at(self, value: dict[str, Any]) -> str | None:
        """The text of a shared value; None for another."""
        known = self._texts.get(id(value))
        return None if known is None else known[1]


def readable_json(value: Any, texts: Texts | None = None) -> bytes:
    """JSON for files: two spaces of indent, keys in their own order, a newline at the end.

    For parts that `texts` has, these are taken. Raises ValueError for NaN and infinities, TypeError for what is no JSON
    value.
    """
    # Files are most of what a build makes: C code makes the text and lays it out, in a tenth of the time.
    text = _visible(_text(value) if texts is None else compact_text(value, texts.at))
    try:
        return msgspec.json.format(text, indent=2) + b"\n"
    except (RecursionError, msgspec.DecodeError):  # a lone surrogate
        return laid_out(text.decode()).encode() + b"\n"


def _text(value: Any) -> str:
    try:
        return _compact(value)
    except RecursionError:
        return compact_text(value)


def _visible(text: str) -> bytes:
    """JSON text in UTF-8, with escapes for what is not seen."""
    return text.replace("\x7f", "\\u007f").encode("ascii", _BEYOND_ASCII)


def _beyond_ascii(error: UnicodeError) -> tuple[bytes, int]:
    """UTF-8 of a stretch of characters beyond ASCII: found so, text that has few costs no search of each character."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return _UNSEEN.sub(_escaped, error.object[error.start : error.end]).encode(), error.end


_BEYOND_ASCII = "lauren-visible"
codecs.register_error(_BEYOND_ASCII, _beyond_ascii)


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0]).strip('"')
