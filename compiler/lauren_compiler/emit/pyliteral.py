"""The one door from a value to Python text. All that comes from a user's sources goes through it.

The text is pure ASCII, one line, and what black would write: bidirectional controls, surrogates, newlines and quotes
can neither end a literal nor change how a line looks.
"""

from __future__ import annotations

import math
import string
from typing import cast

_LONG_INTEGER = 10**4000
_COMMENT = frozenset(string.ascii_letters + string.digits + " _-./:+=,()[]<>@~!%&*|")
_PLAIN = frozenset(string.ascii_letters + string.digits + " _-.,()[]|")


def literal(value: object) -> str:
    """The Python expression for a constant: None, bool, int, float, str, bytes, or a list, tuple or dict of such.

    Raises TypeError for any other value: that is a mistake of ours, since sources only hold constants.
    """
    if isinstance(value, str):
        if value.isascii() and value.isprintable() and '"' not in value and "\\" not in value:
            return f'"{value}"'
        return _quoted([ascii(each)[1:-1] for each in value], "")
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, int):
        return repr(int(value)) if abs(value) < _LONG_INTEGER else _hexadecimal(value)
    if isinstance(value, float):
        return _decimal(float(value))
    if isinstance(value, bytes):
        return _quoted([repr(bytes((each,)))[2:-1] for each in value], "b")
    return _container(value)


def _container(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, cast("list[object]", value))) + "]"
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        return "(" + ", ".join(map(literal, items)) + (",)" if len(items) == 1 else ")")
    if isinstance(value, dict):
        members = cast("dict[object, object]", value)
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in members.items()) + "}"
    raise TypeError(f"no Python literal for a {type(value).__name__}")


def _decimal(value: float) -> str:
    """Infinities and NaN have no literal; black writes exponents without a plus."""
    return repr(value).replace("e+", "e") if math.isfinite(value) else f'float("{value!r}")'


def _hexadecimal(value: int) -> str:
    """Beyond 4,300 digits Python refuses to read decimals."""
    return ("-" if value < 0 else "") + f"0x{abs(value):X}"


def _quoted(characters: list[str], prefix: str) -> str:
    """Characters as inside a literal, in the quotes black would choose: double ones unless they cost more escapes."""
    quote = "'" if characters.count("'") < characters.count('"') else '"'
    return prefix + quote + "".join("\\" + each if each == quote else each for each in characters) + quote


def comment(text: str) -> str:
    """Text for inside a comment: visible ASCII without `#`, so that it can be no directive; the rest as escapes."""
    if _COMMENT.issuperset(text):
        return text.strip() or "?"
    shown = (each if each in _COMMENT else ascii(each)[1:-1] if each != "#" else "\\x23" for each in text)
    return "".join(shown).strip() or "?"


def plain(text: str) -> str:
    """Text for inside a docstring: letters, digits and a few marks; anything else becomes a question mark."""
    if not _PLAIN.issuperset(text):
        text = "".join(each if each in _PLAIN else "?" for each in text)
    return text.strip() or "?"
