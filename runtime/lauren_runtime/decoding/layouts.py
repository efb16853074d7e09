"""What CPython's own layout of a container tells of all that is in it, in one step of C.

Python promises none of these layouts. Each is proved on samples before it is believed: where it is another, the answer
is always no, and then the quick path looks at each item (quick.py).
"""

from __future__ import annotations

import marshal
from sys import getsizeof

from .bounds import typeof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MANY = 64
"""Items from which on it is worth asking; fewer are looked at one by one as quickly."""


def are_short(items: list[Any]) -> bool:
    """Whether all items are integers of 32 bits, none a boolean, and there is one; no tells nothing.

    `marshal` writes a list in its format 2 as `[`, four bytes for its length, and the items; each begins with a code,
    which is `i` for such an integer alone, and four bytes follow that. So if the first code is an `i`, the second
    stands five bytes behind it, and so on for all of them.
    """
    if not _SHORT_IS_KNOWN or not (items and _is_short(items[0]) and _is_short(items[-1])):
        return False  # Of longer integers, and of other things, the ends mostly tell.
    try:
        codes = marshal.dumps(items, 2)[5::5]
    except Exception:  # an item that it cannot write, or an audit hook that forbids it
        return False
    return codes == b"i" * len(items)


def _is_short(item: Any) -> bool:
    return typeof(item) is int and -(2**31) <= item < 2**31


class _Subclass(int):
    pass


def _is_short_known() -> bool:
    """Whether `are_short` can be believed: the bytes of 32-bit integers, and the codes of all that is near them."""
    short = [0, 1, -1, 9, 105, 256, 2**15, -(2**15), 2**30 - 1, 2**30, 2**31 - 1, -(2**31)]
    written = b"[%b%b" % (
        len(short).to_bytes(4, "little"),
        b"".join(b"i" + each.to_bytes(4, "little", signed=True) for each in short),
    )
    others = [True, False, None, 1.0, 2**31, -(2**31) - 1, 2**63, "iiii", b"i", [1], {1: 1}, (), Ellipsis, 1j]
    try:
        told = marshal.dumps(short, 2) == written
        alone = [marshal.dumps([each], 2)[5:6] for each in others]
    except Exception:  # as in `are_short`
        return False
    return told and b"i" not in alone and not _can_be_written(_Subclass(1))


def _can_be_written(value: Any) -> bool:
    try:
        marshal.dumps(value, 2)
    except ValueError:
        return False
    return True


_SHORT_IS_KNOWN = _is_short_known()


def is_keyed_by_texts(value: dict[Any, Any]) -> bool:
    """Whether all keys of a dict are strings; no tells nothing.

    A dict that never had another key needs no room for the hashes of its keys, which strings keep themselves: it is
    smaller than any other that holds as many.
    """
    global _sizes
    if _sizes is None:
        try:
            _sizes = _sizes_of_texts()
        except TypeError:  # PyPy knows no sizes
            _sizes = frozenset()
    return bool(_sizes) and getsizeof(value) in _sizes


_sizes: frozenset[int] | None = None
_MOST_SLOTS = 2048
"""Larger dicts are not asked: each size is proved by a dict that has it."""


def _sizes_of_texts() -> frozenset[int]:
    """The sizes that only dicts of strings have: of each number of slots, what one of other keys has is left out."""
    texts: set[int] = set()
    others: set[int] = set()
    slots = 8
    while slots <= _MOST_SLOTS:
        names = [str(number) for number in range(slots * 2 // 3)]
        texts.add(getsizeof(dict.fromkeys(names)))
        others.add(getsizeof(dict.fromkeys([0, *names[1:]])))
        for other in (0, None, (), b"", True) if slots <= MANY else ():
            others.add(getsizeof(dict.fromkeys([*names[1:], other])))
        slots *= 2
    return frozenset(texts - others)
