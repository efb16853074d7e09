"""`Scope` and `@injectable()`: how long the instances of a class live."""

from __future__ import annotations

import enum

from .errors import DecoratorUsageError
from .marks import INJECTABLE_META, mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Never, TypeVar

    _T = TypeVar("_T")


class Scope(enum.IntEnum):
    """How long an instance lives, from narrow to wide."""

    TRANSIENT = 0
    REQUEST = 1
    SINGLETON = 2

    @property
    def label(self) -> str:
        """The name in lower case."""
        return self.name.lower()


class InjectableMeta:
    """The options of one `@injectable(...)`."""

    __slots__ = ("multi", "provides", "scope")

    def __init__(self, scope: Scope, provides: tuple[Any, ...], multi: bool) -> None:
        self.scope = scope
        self.provides = provides
        self.multi = multi


def injectable(
    *args: Never, scope: Scope = Scope.SINGLETON, provides: Sequence[Any] = (), multi: bool = False
) -> Callable[[_T], _T]:
    """Mark a class or a function as a provider: `scope`, the tokens it `provides`, `multi` for one of several.

    Raises DecoratorUsageError for the bare form and positional arguments.
    """
    if args:
        raise DecoratorUsageError("write @injectable() with parentheses, and its options as keywords")
    meta = InjectableMeta(scope, tuple(provides), multi)

    def decorate(target: _T) -> _T:
        mark("injectable", target, INJECTABLE_META, meta)
        return target

    return decorate
