"""JSON text: one form to digest, one to read.

Both are the same on every machine and Python, without NaN or infinities. Lone surrogates, which UTF-8 can't hold, are
`\\u` escapes; in files so is every character that a reader would not see or that would turn the text around.
"""

from __future__ import annotations

import json
import re
from typing import Any, cast

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


def readable_json(value: Any) -> bytes:
    """JSON for files: two spaces of indent, keys in their own order, a newline at the end.

    Raises ValueError for NaN and infinities, TypeError for what is no JSON value.
    """
    pieces: list[str] = []
    # Ready text, or a value and how deep it stands. No recursion: schemas nest as deep as annotations do.
    pending: list[str | tuple[Any, int]] = [(value, 0)]
    while pending:
        piece = pending.pop()
        if isinstance(piece, str):
            pieces.append(piece)
        else:
            pending.extend(reversed(_layout(*piece)))
    return ("".join(pieces) + "\n").encode()


def _layout(value: Any, depth: int) -> list[str | tuple[Any, int]]:
    if isinstance(value, dict) and value:
        members = cast("dict[str, Any]", value)
        return _block("{}", [(f"{_scalar(key)}: ", item) for key, item in members.items()], depth)
    if isinstance(value, (list, tuple)) and value:
        return _block("[]", [("", item) for item in cast("list[Any]", value)], depth)
    return [_scalar(value)]


def _block(brackets: str, members: list[tuple[str, Any]], depth: int) -> list[str | tuple[Any, int]]:
    parts: list[str | tuple[Any, int]] = [brackets[0]]
    separator = "\n"
    for label, item in members:
        parts += [separator + _INDENT * (depth + 1) + label, (item, depth + 1)]
        separator = ",\n"
    return [*parts, "\n" + _INDENT * depth + brackets[1]]


def _scalar(value: Any) -> str:
    """A scalar or an empty container."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return text if text.isascii() and "\x7f" not in text else _UNSEEN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match[0]).strip('"') if match[0] != "\x7f" else "\\u007f"
