"""Constants as the source has them: defaults, literal members, enum values.

A `Value` is what an expression means at run time where that can be known without running it. Back ends turn it
into JSON (for schemas) or into Python text (where a decoder has to pass it).

Values are equal if they are written alike: what is made of one is then right for the other. That is less than Python
holds equal (`1`, `1.0` and `True`; `0.0` and `-0.0`); what dicts and sets hold equal is told by `key_of`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr


class Constant(Struct, frozen=True):
    """None, a bool, int, float, str or bytes.

    `kind` is the name of the value's type, or `-0.0`: with it, equality tells `True` from `1` and `1.0`, and the zeros.
    """

    value: bool | int | float | str | bytes | None
    kind: str = ""

    def __post_init__(self) -> None:
        kind = type(self.value).__name__
        force_setattr(self, "kind", kind if self.value != 0 or repr(self.value) != "-0.0" else "-0.0")


class EnumMember(Struct, frozen=True):
    """`Color.RED`: the key of the enum's definition, the member's name and its JSON value."""

    enum: str
    name: str
    value: Constant


class Sequence(Struct, frozen=True):
    """A list, tuple, set or frozenset display (or call) of constants; `kind` is one of those four words.

    Of the items of a set that Python holds equal only the first is kept.
    """

    kind: str
    items: tuple[Value, ...]

    def __post_init__(self) -> None:
        if self.kind in ("set", "frozenset"):
            distinct: dict[Hashable, Value] = {}
            for item in self.items:
                distinct.setdefault(key_of(item), item)
            force_setattr(self, "items", tuple(distinct.values()))


class Mapping(Struct, frozen=True):
    """A dict display of constants. Of keys that Python holds equal the first is kept, with the last value."""

    items: tuple[tuple[Value, Value], ...]

    def __post_init__(self) -> None:
        distinct: dict[Hashable, tuple[Value, Value]] = {}
        for key, value in self.items:
            first, _ = distinct.get(key_of(key), (key, value))
            distinct[key_of(key)] = (first, value)
        force_setattr(self, "items", tuple(distinct.values()))


class Construction(Struct, frozen=True):
    """A call of a known class with constant arguments: `Point(1, y=2)`; `key` is its definition's."""

    key: str
    arguments: tuple[tuple[str, Value], ...]


class Text(Struct, frozen=True):
    """A value of the standard library by its text: `date(2020, 1, 2)` as "2020-01-02"; `kind` is its `FormatKind`."""

    kind: str
    text: str


class Factory(Struct, frozen=True):
    """`default_factory=`: called anew each time. `module` is "builtins" for `list`, `dict` and the like."""

    module: str
    qualname: str


class OwnDefault(Struct, frozen=True):
    """What the running function has as the default of a parameter, inside a `Field`; of a factory, what that makes.

    `attributes` are where another framework's object may keep the function: the first that is there has it.
    """

    module: str
    qualname: str
    parameter: str
    attributes: tuple[str, ...] = ()


Value: TypeAlias = Constant | EnumMember | Sequence | Mapping | Construction | Text


def key_of(value: Value) -> Hashable:
    """What is equal for two constants just if Python holds them equal, as keys of dicts and items of sets are.

    Members of enums are equal to themselves alone: whether one is equal to its value too is for its class to say.
    """
    if isinstance(value, Constant):
        return ("number" if isinstance(value.value, (bool, int, float)) else value.kind, value.value)
    if isinstance(value, Sequence):
        kind = "set" if value.kind == "frozenset" else value.kind
        return (kind, (frozenset if kind == "set" else tuple)(map(key_of, value.items)))
    return value
