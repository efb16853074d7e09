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

    def __getattr__(self, name: str) -> Any:
        # Only reached while the slot is empty.
        if name != "cls":
            raise AttributeError(name)
        self.cls = load(self.module, self.qualname)
        return self.cls
