"""The one door to the user's objects: classes that arguments are built into, and factories of defaults."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def load(module: str, qualname: str) -> Any:
    """The object at an attribute path of a module, which is imported if need be.

    Raises ImportError if there is no such module or object, and whatever the module raises when it is imported.
    """
    from importlib import import_module

    found: Any = import_module(module)
    for attribute in qualname.split("."):
        try:
            found = getattr(found, attribute)
        except AttributeError:
            raise ImportError(f"{module} has no {qualname}: rebuild with lauren-compile", name=module) from None
    return found


class Imported:
    """A class of the user's, loaded when `cls` is first asked for: a tool whose class is missing breaks no other."""

    __slots__ = ("cls", "module", "qualname")

    cls: Any

    def __init__(self, module: str, qualname: str) -> None:
        self.module = module
        self.qualname = qualname
        if type(self) is Imported:
            self.__class__ = _NotYetImported


class _NotYetImported(Imported):
    """One whose slot is empty. A class with `__getattr__` costs at every look-up, so it is one of these until then."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name != "cls":
            raise AttributeError(name)
        self.cls = load(self.module, self.qualname)
        object.__setattr__(self, "__class__", Imported)
        return self.cls


class Parametrized(Imported):
    """A generic class, or a form of `typing`, with what it has in brackets: things to load, or values as they are."""

    __slots__ = ("arguments", "origin")

    def __init__(self, origin: Imported, *arguments: object) -> None:
        super().__init__(origin.module, origin.qualname)
        self.origin = origin
        self.arguments = arguments

    def __getattr__(self, name: str) -> Any:
        if name != "cls":
            raise AttributeError(name)
        inside = [loaded(part) for part in self.arguments]
        self.cls = self.origin.cls[tuple(inside) if len(inside) > 1 else inside[0]]
        return self.cls


class Made(Imported):
    """What a call of an imported function makes: the bounds of a type, a validator."""

    __slots__ = ("arguments", "keywords", "origin")

    def __init__(self, origin: Imported, *arguments: object, **keywords: object) -> None:
        super().__init__(origin.module, origin.qualname)
        self.origin = origin
        self.arguments = arguments
        self.keywords = keywords

    def __getattr__(self, name: str) -> Any:
        if name != "cls":
            raise AttributeError(name)
        given = [loaded(part) for part in self.arguments]
        self.cls = self.origin.cls(*given, **{word: loaded(part) for word, part in self.keywords.items()})
        return self.cls


def loaded(part: Any) -> Any:
    """What a part of an annotation is: loaded, or made, or a value as it is."""
    from .constants import Member

    if isinstance(part, Imported):
        return part.cls
    if isinstance(part, (list, tuple)):
        is_list, items = isinstance(part, list), list(map(loaded, part))  # pyright: ignore[reportUnknownArgumentType]
        return items if is_list else tuple(items)
    return part.found() if isinstance(part, Member) else part
