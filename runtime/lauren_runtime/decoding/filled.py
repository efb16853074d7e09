"""Dataclasses that the quick path makes without their constructor: it only sets the fields, and so does the decoder."""

from __future__ import annotations

from types import FunctionType

from .loading import Imported, load
from .quick import Doubt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Filled(Imported):
    """A dataclass that the compiler found to be no more than these `fields`.

    `plain` is the class where it is still so in this process, else asking for it raises a doubt: then the complete
    decoder calls the constructor. A class may have been changed since the build, or when its module was run.
    """

    __slots__ = ("fields", "plain")

    plain: Any

    def __init__(self, module: str, qualname: str, *fields: str) -> None:
        super().__init__(module, qualname)
        self.fields = fields
        object.__setattr__(self, "__class__", _NotYetFilled)


class _NotYetFilled(Filled):
    """One whose slots are empty, as with `Imported`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name == "cls":
            self.cls = load(self.module, self.qualname)
            return self.cls
        if name != "plain":
            raise AttributeError(name)
        if not is_plain(self.cls, self.fields):
            raise Doubt
        self.plain = self.cls
        object.__setattr__(self, "__class__", Filled)
        return self.cls


def is_plain(cls: Any, fields: tuple[str, ...]) -> bool:
    """Whether instances of a class are what setting `fields`, its only ones, makes of an empty object."""
    own: Any = object  # as anything, for pyright and mypy know what its methods are
    if type(cls) is not type or cls.__new__ is not own.__new__ or cls.__setattr__ is not own.__setattr__:
        return False
    if hasattr(cls, "__post_init__") or not _is_generated(vars(cls).get("__init__"), fields):
        return False
    found: list[object] = [vars(base).get(name) for base in cls.__mro__ for name in fields]
    return not any(hasattr(type(each), "__set__") for each in found)


def _is_generated(init: object, fields: tuple[str, ...]) -> bool:
    """Whether a constructor is the one that `dataclass` makes for these fields: its text is of no file."""
    if not isinstance(init, FunctionType):
        return False
    code = init.__code__
    parameters = code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount]
    return code.co_filename == "<string>" and parameters == fields
