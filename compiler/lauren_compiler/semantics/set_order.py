"""Where the order of a set would show: Python gives texts in a set another order in each process.

",".join({"a", "b"})  →  not known        ",".join(sorted({"a", "b"}))  →  "a,b"
"""

from __future__ import annotations

from ..ir.values import Constant, Mapping, Sequence, Value, key_of

WHY = "it depends on the order of a set"
_SETS = ("set", "frozenset")
_ORDERED_BY_VALUE = frozenset({"builtins.max", "builtins.min", "builtins.sorted", "builtins.sum"})
_READ_AS_TEXT = frozenset({"builtins.repr"})


def is_unordered(value: Value) -> bool:
    """Whether a value is a set whose items Python could give in more than one order."""
    return isinstance(value, Sequence) and value.kind in _SETS and len(set(map(key_of, value.items))) > 1


def holds_unordered(value: Value) -> bool:
    """Whether there is such a set in a value, however deep: its text would show the order."""
    if is_unordered(value):
        return True
    if isinstance(value, Sequence):
        return any(map(holds_unordered, value.items))
    return isinstance(value, Mapping) and any(holds_unordered(item) for pair in value.items for item in pair)


def shows_in(function: str, values: tuple[Value, ...]) -> bool:
    """Whether the result of a function, by its known name, depends on the order of a set that it is given."""
    if function in _READ_AS_TEXT:
        return any(map(holds_unordered, values))
    return function in _ORDERED_BY_VALUE and any(is_unordered(value) and not _is_total(value) for value in values)


def _is_total(value: Value) -> bool:
    """Whether the items stand in one order whatever order they come in: unlike sets, and sums of floats."""
    items = value.items if isinstance(value, Sequence) else ()
    return all(isinstance(item, Constant) and isinstance(item.value, (int, str, bytes)) for item in items)
