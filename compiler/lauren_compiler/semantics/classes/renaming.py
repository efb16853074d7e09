"""The names that `rename=` of a msgspec struct gives its fields in JSON. Source: msgspec's chapter on structs."""

from __future__ import annotations

from collections.abc import Callable


def _camel(name: str) -> str:
    first, *others = name.lstrip("_").split("_")
    return _underscores(name) + first + "".join(word.title() for word in others)


def _pascal(name: str) -> str:
    return _underscores(name) + "".join(word.title() for word in name.lstrip("_").split("_"))


def _kebab(name: str) -> str:
    return name.strip("_").replace("_", "-")


def _underscores(name: str) -> str:
    return "_" * (len(name) - len(name.lstrip("_")))


RENAMES: dict[str, Callable[[str], str]] = {
    "lower": str.lower,
    "upper": str.upper,
    "camel": _camel,
    "pascal": _pascal,
    "kebab": _kebab,
}
"""By the words that `rename=` takes."""
