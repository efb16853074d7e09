"""JSON text made and laid out without recursion: schemas nest as deep as annotations do, and C code gives up there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from json.encoder import encode_basestring
from typing import Any, NamedTuple, cast

_INDENT = "  "
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^{}\[\],:"\s]+')


def compact_text(value: Any, known: Callable[[dict[str, Any]], str | None] = lambda _: None) -> str:
    """JSON text without spaces, with characters beyond ASCII as they are. `known` gives the text of some objects.

    Raises ValueError for NaN and infinities, TypeError for what is no JSON value.
    """
    pieces: list[str] = []
    opening = _opened(value, pieces, known)
    # What is being written, outermost first.
    pending = [opening] if opening is not None else []
    while pending:
        inner = _written(pending[-1], pieces, known)
        if inner is None:
            pending.pop()
        else:
            pending.append(inner)
    return "".join(pieces)


def laid_out(text: str) -> str:
    """JSON text with a line for each member, two spaces in from what holds it; parts of it may be laid out already."""
    pieces: list[str] = []
    newline = "\n"
    before = ""
    for found in _TOKEN.findall(text):
        token = found.strip()  # which leaves strings as they are
        if not token:
            continue
        if before and before in "{[":
            is_empty = token in "}]"
            newline += "" if is_empty else _INDENT
            pieces.append("" if is_empty else newline)
        elif token in "}]":
            newline = newline[: -len(_INDENT)]
            pieces.append(newline)
        pieces.append(f",{newline}" if token == "," else ": " if token == ":" else token)
        before = token
    return "".join(pieces)


class _Open(NamedTuple):
    """A container of which a part is written: its other items, each behind its text, and what closes it."""

    items: Iterator[tuple[str, Any]]
    closing: str


def _opened(value: Any, pieces: list[str], known: Callable[[dict[str, Any]], str | None]) -> _Open | None:
    """Write a scalar, an empty container or a known object, or the bracket of what else it is, which is given back."""
    if not isinstance(value, (dict, list, tuple)) or not value:
        pieces.append(_scalar(value))
        return None
    before = chain([""], repeat(","))
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        text = known(members)
        if text is not None:
            pieces.append(text)
            return None
        pieces.append("{")
        items = zip(before, members.items(), strict=False)
        return _Open(((f"{each}{_scalar(key)}:", item) for each, (key, item) in items), "}")
    pieces.append("[")
    return _Open(zip(before, cast("list[Any]", value), strict=False), "]")


def _written(container: _Open, pieces: list[str], known: Callable[[dict[str, Any]], str | None]) -> _Open | None:
    """Write items up to one that is a container with items of its own, which is given back; None at the end."""
    for label, item in container.items:
        pieces.append(label)
        inner = _opened(item, pieces, known)
        if inner is not None:
            return inner
    pieces.append(container.closing)
    return None


def _scalar(value: Any) -> str:
    """A scalar or an empty container."""
    return encode_basestring(value) if type(value) is str else json.dumps(value, ensure_ascii=False, allow_nan=False)
