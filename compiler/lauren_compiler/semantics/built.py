"""What calls of Python's own types make of constants: `int("3")`, `dict(a=1)`, `tuple(NAMES)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir.types import FormatKind
from ..ir.values import Constant, EnumMember, Mapping, Sequence, Text, Value
from .format_values import MADE, format_value
from .set_order import WHY, is_unordered

_MAX_DIGITS = 4_000
_SCALARS: dict[str, Callable[..., Any]] = {
    "builtins.str": str,
    "builtins.int": int,
    "builtins.float": float,
    "builtins.bool": bool,
}
_COLLECTIONS = frozenset({"builtins.list", "builtins.tuple", "builtins.set", "builtins.frozenset"})


def built(name: str, values: tuple[Value, ...], named: tuple[tuple[str, Value], ...]) -> Value | str:
    """The value of a call of the known `name`, or why it can't be known ("it is …")."""
    if name == "builtins.dict":
        return _dict(values, named)
    if name in MADE:
        return format_value(name, values, named)
    if name == "builtins.bytearray" and not named:
        return _bytearray(values)
    if named or len(values) > 1:
        return "it is a call"
    if name in _COLLECTIONS:
        return _collection(name.rpartition(".")[2], values)
    return _scalar(_SCALARS[name], values) if name in _SCALARS else "it is a call"


def _dict(values: tuple[Value, ...], named: tuple[tuple[str, Value], ...]) -> Value | str:
    if len(values) > 1:
        return "it is a call"
    pairs: list[tuple[Value, Value]] = []
    for item in values:
        found = item.items if isinstance(item, Mapping) else _pairs(item)
        if found is None:
            return "it is a call"
        pairs += found
    pairs += [(Constant(name), value) for name, value in named]
    return Mapping(tuple(pairs))


def _pairs(value: Value) -> tuple[tuple[Value, Value], ...] | None:
    """A list of pairs; None for anything else."""
    items = value.items if isinstance(value, Sequence) and value.kind in ("list", "tuple") else (None,)
    found = [
        (item.items[0], item.items[1])
        for item in items
        if isinstance(item, Sequence) and item.kind in ("list", "tuple") and len(item.items) == 2
    ]
    return tuple(found) if len(found) == len(items) else None


def _collection(kind: str, values: tuple[Value, ...]) -> Value | str:
    if not values:
        return Sequence(kind, ())
    if kind in ("list", "tuple") and is_unordered(values[0]):
        return WHY
    from .functions import in_order

    items = values[0].items if isinstance(values[0], Sequence) else in_order(values[0])
    return Sequence(kind, items) if items is not None else "it is a call"


def _bytearray(values: tuple[Value, ...]) -> Value | str:
    """UTF-8 text, as which a model would have to send it."""
    given = values[0].value if len(values) == 1 and isinstance(values[0], Constant) else b"" if not values else None
    try:
        return Text(FormatKind.BYTEARRAY.value, given.decode()) if isinstance(given, bytes) else "it is a call"
    except UnicodeDecodeError:
        return "it is bytes that are no UTF-8 text"


def _scalar(make: Callable[..., Any], values: tuple[Value, ...]) -> Value | str:
    if not values:
        return Constant(make())
    given = values[0]
    if isinstance(given, EnumMember):  # how an enum shows itself depends on its bases and methods
        return "it is a call with an enum member"
    if not isinstance(given, Constant) or isinstance(given.value, bytes):
        return "it is a call"
    if isinstance(given.value, str) and len(given.value) > _MAX_DIGITS and make is not bool and make is not str:
        return "it is too large"
    try:
        made = make(given.value)
    except (TypeError, ValueError, OverflowError):
        return "it is a call that fails"
    return Constant(made)
