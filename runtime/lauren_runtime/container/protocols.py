"""Which classes have what a protocol asks for."""

from __future__ import annotations

from functools import cache

from .class_bodies import body_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NO_MEMBERS = """
    __annotations__ __annotate__ __annotate_func__ __annotations_cache__ __classcell__ __class_getitem__ __doc__
    __match_args__ __module__ __new__ __orig_bases__ __qualname__ __slots__ __type_params__
""".split()


def is_runtime_protocol(key: Any) -> bool:
    """Whether a token is a protocol marked `@runtime_checkable`."""
    return isinstance(key, type) and is_protocol(key) and getattr(key, "_is_runtime_protocol", False) is True


def is_protocol(key: Any) -> bool:
    """Whether a token is a protocol, not a class that follows one."""
    return vars(key).get("_is_protocol", False) is True if isinstance(key, type) else False


def satisfies(cls: Any, protocol: type) -> bool:
    """Whether a token is a class, no protocol itself, that has every member of a protocol."""
    if not isinstance(cls, type) or is_protocol(cls):
        return False
    return all(_has(cls, name) for name in _members(protocol))


def _members(protocol: type) -> list[str]:
    from typing import Generic, Protocol  # loaded already: who has a protocol has imported it

    names: dict[str, None] = {}
    for base in protocol.__mro__:
        if is_protocol(base) and base not in (Protocol, Generic):
            names.update(dict.fromkeys([*vars(base), *body_of(base)]))
    none = _of_every_protocol()
    return [name for name in names if name not in none and not name.startswith("_abc_")]


@cache
def _of_every_protocol() -> frozenset[str]:
    """What Python puts into protocols of its own accord."""
    from typing import Protocol, runtime_checkable

    @runtime_checkable
    class Empty(Protocol): ...

    return frozenset((*vars(Empty), *_NO_MEMBERS))


def _has(cls: type, name: str) -> bool:
    """As `issubclass` does for a method: None says that there is none. An annotated attribute counts."""
    for base in cls.__mro__:
        if name in vars(base):
            return vars(base)[name] is not None
        if name in body_of(base):
            return True
    return False
