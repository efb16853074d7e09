"""`Scope` and `@injectable()`: how long the instances of a class live."""

from __future__ import annotations

import enum

from .errors import DecoratorUsageError
from .marks import INJECTABLE_META, mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
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


def check_scope(place: str, scope: object) -> None:
    """Raise DecoratorUsageError for what is no Scope."""
    if not isinstance(scope, Scope):
        raise DecoratorUsageError(f"{place} takes a Scope, such as Scope.REQUEST, not {scope!r}")


def tokens_of(place: str, given: object) -> tuple[Any, ...]:
    """A list of tokens as a tuple. Raises DecoratorUsageError for anything else, a text above all."""
    if isinstance(given, str) or not hasattr(given, "__iter__") or isinstance(given, type):
        raise DecoratorUsageError(f"{place} takes a list, not {given!r}")
    several: Any = given
    return tuple(several)


class InjectableMeta:
    """The options of one `@injectable(...)`."""

    __slots__ = ("multi", "provides", "scope")

    def __init__(self, scope: Scope, provides: tuple[Any, ...], multi: bool) -> None:
        self.scope = scope
        self.provides = provides
        self.multi = multi


def injectable(
    *args: Never, scope: Scope = Scope.SINGLETON, provides: Iterable[Any] | None = None, multi: bool = False
) -> Callable[[_T], _T]:
    """Mark a class or a function as a provider: `scope`, the tokens it `provides` besides itself, `multi` for one of
    several. A function that yields gives the object there; what follows is its teardown.

    Raises DecoratorUsageError for the bare form, positional arguments, and options that cannot be meant.
    """
    if args:
        raise DecoratorUsageError("write @injectable() with parentheses, and its options as keywords")
    check_scope("@injectable()", scope)
    meta = InjectableMeta(scope, tokens_of("@injectable(provides=)", provides or ()), multi)

    def decorate(target: _T) -> _T:
        mark("injectable", target, INJECTABLE_META, meta)
        return target

    return decorate
