"""JSON text: one form to digest, one to read.

Both are the same on every machine and Python, without NaN or infinities. Lone surrogates, which UTF-8 can't hold, are
`\\u` escapes; in files so is every character that a reader would not see or that would turn the text around.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

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
_encoded = msgspec.json.Encoder().encode
_compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, allow_nan=False, check_circular=False).encode


def canonical_json(value: Any) -> bytes:
    """The one JSON text that digests are of: sorted keys, no spaces, UTF-8 (lone surrogates as `\\u` escapes).

    Raises ValueError for NaN and infinities, TypeError for what is no JSON value.
    """
    return _canonical(value).encode("utf-8", "backslashreplace")


class Texts:
    """The texts of values that stand in documents of a build, by identity: each is made once."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[dict[str, Any], msgspec.Raw]] = {}
        """The value, so that its id stays its own, and its text."""

    def keep(self, value: dict[str, Any], text: bytes) -> None:
        """Have a text stand for a value: what was made of it, in any layout, when more of it was known."""
        self._texts[id(value)] = (value, msgspec.Raw(text))

    def standing(self, text: bytes) -> dict[str, Any]:
        """A value of which nothing is known but its text."""
        value: dict[str, Any] = {}
        self.keep(value, text)
        return value

    def text(self, value: Any) -> bytes:
        """The text of any JSON value, with those of its parts that are shared. It may hold lone surrogates."""
        try:
            return _encoded(self._raw(value))
        except (UnicodeError, RecursionError):
            return compact_text(value, self._known).encode("utf-8", "surrogatepass")

    def _raw(self, value: Any) -> Any:
        """`value` with texts in the place of shared parts, and of what msgspec would write otherwise."""
        if isinstance(value, dict):
            members = cast("Mapping[str, Any]", value)
            known = self._texts.get(id(members))
            if known is not None:
                return known[1]
            return {key: part if type(part) in _ALIKE else self._raw(part) for key, part in members.items()}
        if isinstance(value, list):
            items = cast("Sequence[Any]", value)
            return [part if type(part) in _ALIKE else self._raw(part) for part in items]
        return value if type(value) in _ALIKE else msgspec.Raw(compact_json(value))

    def _known(self, value: dict[str, Any]) -> str | None:
        known = self._texts.get(id(value))
        return None if known is None else bytes(known[1]).decode("utf-8", "surrogatepass")


_ALIKE = frozenset((str, int, bool, type(None)))
"""What `json` and msgspec write alike: floats they do not."""


def readable_json(value: Any, texts: Texts | None = None) -> bytes:
    """JSON for files: two spaces of indent, keys in their own order, a newline at the end.

    For parts that `texts` has, these are taken. Raises ValueError for NaN and infinities, TypeError for what is no JSON
    value.
    """
    return readable_text(compact_json(value) if texts is None else texts.text(value))


def line_json(value: Any, texts: Texts) -> bytes:
    """JSON for files, in one line without spaces: of what is sent as it is, and is as short as can be.

    Takes and raises what `readable_json` does.
    """
    return _visible(texts.text(value))


def compact_json(value: Any) -> bytes:
    """JSON text without spaces, keys in their own order, lone surrogates as they are.

    Raises ValueError for NaN and infinities, TypeError for what is no JSON value.
    """
    try:
        text = _compact(value)
    except RecursionError:
        text = compact_text(value)
    return text.encode("utf-8", "surrogatepass")


def readable_text(text: bytes) -> bytes:
    """JSON for files, of JSON text in any layout."""
    text = _visible(text)
    try:
        text = msgspec.json.format(text, indent=2)  # and let go the other, which may be as long
    except (RecursionError, msgspec.DecodeError):  # a lone surrogate
        text = laid_out(text.decode()).encode()
    return text + b"\n"


def _visible(text: bytes) -> bytes:
    """JSON text with escapes for what is not seen."""
    if not text.isascii():
        text = text.decode("utf-8", "surrogatepass").encode("ascii", _BEYOND_ASCII)
    return text.replace(b"\x7f", b"\\u007f")


def _beyond_ascii(error: UnicodeError) -> tuple[bytes, int]:
    """UTF-8 of a stretch of characters beyond ASCII: found so, text that has few costs no search of each character."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return _UNSEEN.sub(_escaped, error.object[error.start : error.end]).encode(), error.end


_BEYOND_ASCII = "lauren-visible"
codecs.register_error(_BEYOND_ASCII, _beyond_ascii)


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0]).strip('"')
