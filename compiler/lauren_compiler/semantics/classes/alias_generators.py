"""The names that pydantic's alias generators make of a field's.

Source: the documentation of `pydantic.alias_generators`; tests/differential/test_alias_generators.py compares.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

_WORD = frozenset(ascii_letters + digits)
_UPPER = frozenset(ascii_uppercase)
_LOWER = frozenset(ascii_lowercase)
_DIGITS = frozenset(digits)


def to_pascal(name: str) -> str:
    """`some_name` as `SomeName`: an underscore goes between a letter or digit and a capital or digit."""
    titled = name.title()
    kept = [titled[:1]]
    for before, current, after in zip(titled, titled[1:], [*titled[2:], ""], strict=False):
        if current != "_" or before not in _WORD or after not in _UPPER | _DIGITS:
            kept.append(current)
    return "".join(kept)


def to_camel(name: str) -> str:
    """`some_name` as `someName`; what is that already stays."""
    is_camel = name[:1] in _LOWER and name[:1] != "" and set(name) <= _WORD
    if is_camel and not any(a in _DIGITS and b in _LOWER for a, b in pairwise(name)):
        return name
    pascal = to_pascal(name)
    first = len(pascal) - len(pascal.lstrip("_"))
    if pascal[first : first + 1] not in _UPPER:
        return pascal
    return pascal[:first] + pascal[first].lower() + pascal[first + 1 :]


def to_snake(name: str) -> str:
    """`SomeName` as `some_name`: an underscore goes in wherever a word begins or a digit follows a small letter."""
    made: list[str] = []
    for index, current in enumerate(name):
        before, after = name[index - 1 : index], name[index + 1 : index + 2]
        starts = current in _UPPER and (before in _LOWER | _DIGITS or (before in _UPPER and after in _LOWER))
        if before and (starts or (current in _DIGITS and before in _LOWER)):
            made.append("_")
        made.append("_" if current == "-" else current)
    return "".join(made).lower()


GENERATORS: Mapping[str, Callable[[str], str]] = {
    "pydantic.alias_generators.to_camel": to_camel,
    "pydantic.alias_generators.to_pascal": to_pascal,
    "pydantic.alias_generators.to_snake": to_snake,
}
"""By their known names."""
