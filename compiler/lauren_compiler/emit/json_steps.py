"""JSON text made without recursion: schemas nest as deep as annotations do, and C code gives up at some depth."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, repeat
from json.encoder import encode_basestring
from typing import Any, NamedTuple, cast

_INDENT = "  "


def indented_json(value: Any) -> str:
    """What `json.dumps` with an indent of two makes of `value`, however deep it nests.

    Raises ValueError for NaN and infinities, TypeError for what is no JSON value.
    """
    pieces: list[str] = []
    opening = _opened(value, "\n", pieces)
    # What is being written, outermost first.
    pending = [opening] if opening is not None else []
    while pending:
        inner = _written(pending[-1], pieces)
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


def _opened(value: Any, newline: str, pieces: list[str]) -> _Open | None:
    """Write a scalar or an empty container, or the bracket of what else it is, which is given back."""
    if not isinstance(value, (dict, list, tuple)) or not value:
        pieces.append(_scalar(value))
        return None
    inner = newline + _INDENT
    before = chain([inner], repeat("," + inner))
    if isinstance(value, dict):
        pieces.append("{")
        items = zip(before, cast("dict[str, Any]", value).items(), strict=False)
        return _Open(((f"{each}{_scalar(key)}: ", item) for each, (key, item) in items), inner, newline + "}")
    pieces.append("[")
    return _Open(zip(before, cast("list[Any]", value), strict=False), inner, newline + "]")


def _written(container: _Open, pieces: list[str]) -> _Open | None:
    """Write items up to one that is a container with items of its own, which is given back; None at the end."""
    items, newline, closing = container
    for label, item in items:
        pieces.append(label)
        inner = _opened(item, newline, pieces)
        if inner is not None:
            return inner
    pieces.append(closing)
    return None


def _scalar(value: Any) -> str:
    """A scalar or an empty container."""
    return encode_basestring(value) if type(value) is str else json.dumps(value, ensure_ascii=False, allow_nan=False)
