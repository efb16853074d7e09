"""What a provider's class says of itself, without looking at any signature."""

from __future__ import annotations

import sys

from ..hooks import ToolHook
from ..injection import InjectableMeta, Scope
from ..marks import INJECTABLE_META, POST_CONSTRUCT_META, PRE_DESTRUCT_META, own

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def body_of(cls: type) -> dict[str, Any]:
    """The annotations in a class's own body, as they are written where they cannot be evaluated yet."""
    if sys.version_info >= (3, 14):
        from annotationlib import Format, get_annotations

        return get_annotations(cls, format=Format.FORWARDREF)
    own: dict[str, Any] = vars(cls).get("__annotations__", {})
    return dict(own)


def constructor_of(cls: type) -> Any:
    """What a class's parameters are written in: `__init__`, or `__new__` where that takes them."""
    initializer: Any = getattr(cls, "__init__")  # noqa: B009  the type's own, not an instance's
    return cls.__new__ if initializer is object.__init__ else initializer


def hooks_of(cls: type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of a class's `@post_construct` and `@pre_destruct` methods, those of bases first.

    An override without the mark is none.
    """
    members: dict[str, Any] = {}
    for base in reversed(cls.__mro__[:-1]):
        members.update(vars(base))
    post = tuple(name for name, member in members.items() if own(member, POST_CONSTRUCT_META))
    return post, tuple(name for name, member in members.items() if own(member, PRE_DESTRUCT_META))


def injectable_meta(item: Any) -> Any:
    """An item's own `@injectable()` mark; a tool hook is a singleton without saying so. None for what has none."""
    meta = own(item, INJECTABLE_META)
    if meta is None and isinstance(item, type) and issubclass(item, ToolHook):
        return InjectableMeta(Scope.SINGLETON, (), False)
    return meta
