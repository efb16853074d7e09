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
    """The texts, without layout, of values that stand in documents of a build, by identity: each is made once."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[dict[str, Any], str, msgspec.Raw]] = {}

    def share(self, value: dict[str, Any]) -> None:
        """Make the text of a value that is not changed any more; its parts may be shared before."""
        self.keep(value, self.text(value))

    def keep(self, value: dict[str, Any], text: str) -> None:
        """Have `text` stand for a value: what was made of it when more of it was known. It may be laid out."""
        self._texts[id(value)] = (value, text, msgspec.Raw(text.encode("utf-8", "surrogatepass")))

    def of(self, value: dict[str, Any]) -> str:
        """The text of a value, which is shared from now on."""
        if id(value) not in self._texts:
            self.share(value)
        return self._texts[id(value)][1]

    def text(self, value: Any) -> str:
        """The text of any JSON value, with those of its parts that are shared."""
        try:
            return _encoded(self._raw(value)).decode()
        except (_OtherwiseWrittenError, UnicodeError, RecursionError):
            return compact_text(value, self._known)

    def _raw(self, value: Any) -> Any:
        """`value` with texts in the place of shared parts."""
        if isinstance(value, dict):
            members = cast("Mapping[str, Any]", value)
            known = self._texts.get(id(members))
            if known is not None:
                return known[2]
            return {key: part if type(part) in _ALIKE else self._raw(part) for key, part in members.items()}
        if isinstance(value, list):
            items = cast("Sequence[Any]", value)
            return [part if type(part) in _ALIKE else self._raw(part) for part in items]
        if type(value) in _ALIKE:
            return value
        raise _OtherwiseWrittenError

    def _known(self, value: dict[str, Any]) -> str | None:
        known = self._texts.get(id(value))
        return None if known is None else known[1]


class _OtherwiseWrittenError(Exception):
    """A value is none that `json` and msgspec write alike: a float, or no JSON value."""


_ALIKE = frozenset((str, int, bool, type(None)))


def readable_json(value: Any, texts: Texts | None = None) -> bytes:
    """JSON for files: two spaces of indent, keys in their own order, a newline at the end.

    For parts that `texts` has, these are taken. Raises ValueError for NaN and infinities, TypeError for what is no JSON
    value.
    """
    return readable_text(compact_json(value) if texts is None else texts.text(value))


def compact_json(value: Any) -> str:
    """JSON text without spaces, keys in their own order, lone surrogates as they are.

    Raises ValueError for NaN and infinities, TypeError for what is no JSON value.
    """
    try:
        return _compact(value)
    except RecursionError:
        return compact_text(value)


def readable_text(compact: str) -> bytes:
    """JSON for files, of JSON text without spaces."""
    text = _visible(compact)
    try:
        return msgspec.json.format(text, indent=2) + b"\n"
    except (RecursionError, msgspec.DecodeError):  # a lone surrogate
        return laid_out(text.decode()).encode() + b"\n"


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
