"""Canonical JSON: equal arguments give equal text, so that they give one cache key."""

from __future__ import annotations

from hashlib import sha256
from json import dumps
from typing import Any, cast


def digest(value: object, sets: tuple[tuple[str, ...], ...] = ()) -> str:
    """SHA-256, in hexadecimal, of a JSON value's canonical text. `sets`: the arrays without order (Entry.sets)."""
    return sha256(text(canonical(value, sets)).encode("utf-8")).hexdigest()


def text(value: object) -> str:
    """JSON text with sorted keys and no spaces."""
    return dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical(value: object, sets: tuple[tuple[str, ...], ...] = ()) -> Any:
    """A copy in which equal values look equal: `1.0` is `1`, and the items of unordered arrays are sorted.

    A step of a path is a key, `[]` for each item of an array, or `{}` for each value of an object.
    """
    if type(value) is float and value.is_integer():
        return int(value)
    if type(value) is list:
        items = [canonical(item, _below(sets, "[]")) for item in cast("list[object]", value)]
        return sorted(items, key=text) if () in sets else items
    if type(value) is dict:
        fields = cast("dict[str, object]", value)
        return {key: canonical(item, _below(sets, key, "{}")) for key, item in fields.items()}
    return value


def _below(sets: tuple[tuple[str, ...], ...], *steps: str) -> tuple[tuple[str, ...], ...]:
    return tuple(path[1:] for path in sets if path and path[0] in steps)
