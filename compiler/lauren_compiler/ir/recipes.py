"""How a decoder makes an annotation again at run time, for pydantic to build values of.

`Annotated[int, AfterValidator(check)]` is

    Indexed(Loaded("typing", "Annotated"), (Typed(INTEGER), Called(Loaded("pydantic", "AfterValidator"), …)))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from .values import Constant, Value

if TYPE_CHECKING:
    from .types import Type


class Loaded(Struct, frozen=True):
    """The object at an attribute path of a module."""

    module: str
    qualname: str


class Written(Struct, frozen=True):
    """The annotation of a function's parameter, as the running function has it.

    `attributes` are where another framework's object may keep the function: the first that is there has it.
    """

    function: Loaded
    parameter: str
    attributes: tuple[str, ...] = ()


class Typed(Struct, frozen=True):
    """The annotation that a type was read from, texts left out."""

    type: Type


class Called(Struct, frozen=True):
    """A call with arguments by position, then by keyword."""

    function: Recipe
    arguments: tuple[Recipe, ...]
    named: tuple[tuple[str, Recipe], ...] = ()


class Indexed(Struct, frozen=True):
    """`base[items]`."""

    base: Recipe
    items: tuple[Recipe, ...]


class Display(Struct, frozen=True):
    """A list, tuple or set display of what need not be constant."""

    kind: str
    items: tuple[Recipe, ...]


Recipe: TypeAlias = Loaded | Written | Typed | Called | Indexed | Display | Value

ANNOTATED = Loaded("typing", "Annotated")
FIELD = Loaded("pydantic", "Field")
NOT_MADE = Constant(None)
"""The annotation of what a decoder can't make again and need not: a model around it is built as a whole."""


def parts(recipe: Recipe) -> Iterator[Recipe]:
    """`recipe` and everything in it."""
    pending = [recipe]
    while pending:
        current = pending.pop()
        yield current
        match current:
            case Called(function, arguments, named):
                pending += [function, *arguments, *(item for _, item in named)]
            case Indexed(base, items):
                pending += [base, *items]
            case Display(_, items):
                pending += items
            case _:
                continue
