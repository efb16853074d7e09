"""Path patterns of the configuration: `tests/*.py`, `**/generated`, `legacy/`."""

from __future__ import annotations

import re
from functools import lru_cache

from ..source.patterns import pattern

_PARTS = {"**/": r"(?:[^/]+/)*", "**": r".*", "*": r"[^/]*", "?": r"[^/]"}
_TOKENS = pattern(r"\*\*/|\*\*|\*|\?|[^*?]+")


def matches(pattern: str, path: str) -> bool:
    """Whether a POSIX path, relative to the pattern's folder, or a folder above it, is what the pattern names.

    `*` and `?` stop at `/`, `**` does not; a pattern without `/` matches at any depth.
    """
    return _compiled(pattern).fullmatch(path) is not None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    text = pattern.removeprefix("./").rstrip("/")
    body = "".join(_PARTS.get(token) or re.escape(token) for token in _TOKENS.findall(text))
    anywhere = "" if "/" in text else r"(?:[^/]+/)*"
    return re.compile(rf"{anywhere}{body}(?:/.*)?", re.DOTALL)
