"""Texts that UTF-8 can write.

JSON may hold halves of surrogate pairs (RFC 8259, section 8.2), and then Python's strings do. A request with one of
them in it can't be sent.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    _T = TypeVar("_T")


def mended(value: _T) -> _T:
    """A JSON value with halves that stand side by side put together, and others as U+FFFD; the same if it has none."""
    given: Any = value
    if type(value) is str:
        given = _mended_text(given)
    elif type(value) is list:
        given = _mended_list(given)
    elif type(value) is dict:
        given = _mended_dict(given)
    made: _T = given
    return made


def half_at_end(text: str) -> int:
    """How many characters at the end of a text may be the first half of a pair: one, or none."""
    return int("\ud800" <= text[-1:] <= "\udbff")


def _mended_text(text: str) -> str:
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _mended_list(given: list[object]) -> list[object]:
    made = [mended(each) for each in given]
    return given if all(map(_is, made, given)) else made


def _mended_dict(given: dict[object, object]) -> dict[object, object]:
    made = {mended(name): mended(each) for name, each in given.items()}
    same = len(made) == len(given) and all(map(_is, made, given)) and all(map(_is, made.values(), given.values()))
    return given if same else made


def _is(one: object, other: object) -> bool:
    return one is other
