"""Parameter names as docstrings write them."""

from __future__ import annotations

import keyword
import unicodedata

_DECORATION = " *`\\"
_HEAD_LIMIT = 500
_OPENING = "([{"
_CLOSING = ")]}"


def names_of(head: str) -> tuple[str, ...]:
    """The names before an entry's text: "*args" gives args, "`a`, b (int, optional)" gives a and b.

    They are normalised to NFKC, as Python does with identifiers. Empty if any part is not an identifier, since the
    head is then prose.
    """
    if head.isidentifier() and head.isascii():
        return () if keyword.iskeyword(head) else (head,)
    parts = [part.strip(_DECORATION) for part in _without_type(head).split(",")]
    if len(parts) > 1 and parts[-1] == "optional":
        parts.pop()
    names = [unicodedata.normalize("NFKC", part) for part in parts]
    return tuple(names) if all(name.isidentifier() and not keyword.iskeyword(name) for name in names) else ()


def split_head(text: str) -> tuple[str, str]:
    """An entry's line split at its first colon outside brackets; ("", text) if it has none within 500 characters.

    The limit keeps long lines from being searched again for every entry.
    """
    before, colon, after = text.partition(":")
    if colon and "(" not in before and "[" not in before and "{" not in before:
        return (before.rstrip(), after.strip()) if len(before) <= _HEAD_LIMIT else ("", text)
    depth = 0
    for index, character in enumerate(text[:_HEAD_LIMIT]):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth -= 1
        elif character == ":" and depth <= 0:
            return text[:index].rstrip(), text[index + 1 :].strip()
    return "", text


def _without_type(head: str) -> str:
    head = head.strip("*`") if head[-1:] in "*`" else head
    for opening, closing in ("()", "[]"):
        if head.endswith(closing):
            return head.partition(opening)[0]
    return head
