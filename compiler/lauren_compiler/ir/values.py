"""Constants as the source has them: defaults, literal members, enum values.

A `Value` is what an expression means at run time where that can be known without running it. Back ends turn it
into JSON (for schemas) or into Python text (where a decoder has to pass it).
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr


class Constant(Struct, frozen=True):
    """None, a bool, int, float, str or bytes.

    Equality tells `True` from `1` and `1.0`: `kind` is the name of the value's type.
    """

    value: bool | int | float | str | bytes | None
    kind: str = ""

    def __post_init__(self) -> None:
        force_setattr(self, "kind", type(self.value).__name__)


class EnumMember(Struct, frozen=True):
    """`Color.RED`: the key of the enum's definition, the member's name and its JSON value."""

    enum: str
    name: str
    value: Constant


class Sequence(Struct, frozen=True):
    """A list, tuple, set or frozenset display (or call) of constants; `kind` is one of those four words."""

    kind: str
    items: tuple[Value, ...]


class Mapping(Struct, frozen=True):
    """A dict display of constants."""

    items: tuple[tuple[Value, Value], ...]


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
