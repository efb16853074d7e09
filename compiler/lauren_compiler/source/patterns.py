"""Regular expressions that are compiled when they are first used.

To compile one takes as long as loading a module, and most of those that a compiler has are for what few sources hold.
"""

from __future__ import annotations

import re
from typing import Any, cast


def pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives, as far as its methods go."""
    return cast("re.Pattern[str]", _Pattern(text, flags))


class _Pattern:
    """Has no method of its own: each is taken from the compiled expression, once."""

    def __init__(self, text: str, flags: int) -> None:
        self._given = text, flags

    def __getattr__(self, name: str) -> Any:
        method = getattr(re.compile(*self._given), name)
        setattr(self, name, method)
        return method
