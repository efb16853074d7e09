"""Nearest names, for messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, options: Iterable[str], *, prefix: str = "") -> str | None:
    """`did you mean X?` with the nearest of `options`, None if none is near."""
    names = sorted({option for option in options if option != name})
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if not near:
        folded = [option for option in names if option.casefold() == name.casefold()]
        near = folded[:1]
    return f"did you mean `{prefix}{near[0]}`?" if near else None
