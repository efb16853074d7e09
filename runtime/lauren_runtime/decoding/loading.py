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


class Written(Imported):
    """The annotation of a parameter, taken from the function: for what has no name that it could be loaded by.

    `attributes` are where another framework's object may keep the function.
    """

    __slots__ = ("attributes", "origin", "parameter")

    def __init__(self, origin: Imported, parameter: str, *attributes: str) -> None:
        super().__init__(origin.module, origin.qualname)
        self.origin = origin
        self.parameter = parameter
        self.attributes = attributes

    def __getattr__(self, name: str) -> Any:
        if name != "cls":
            raise AttributeError(name)
        self.cls = self._annotation(self._function())
        return self.cls

    def _function(self) -> Any:
        """The function itself, behind what decorators made of it."""
        whole: Any = self.origin.cls
        found = (getattr(whole, attribute, None) for attribute in self.attributes)
        function: Any = next(filter(callable, found), whole)
        while hasattr(function, "__wrapped__"):
            function = function.__wrapped__
        return function

    def _annotation(self, function: Any) -> Any:
        """Its parameter's annotation, what is in quotes evaluated. Raises ImportError if it has none, or NameError."""
        from types import SimpleNamespace
        from typing import get_type_hints

        annotations = getattr(function, "__annotations__", {})
        if self.parameter not in annotations:
            where = f"{self.module}.{self.qualname}"
            raise ImportError(f"{where} shows no annotation of {self.parameter}: rebuild", name=self.module)
        one = SimpleNamespace(__annotations__={self.parameter: annotations[self.parameter]})
        names = {each.__name__: each for each in self._type_parameters(function)}
        return get_type_hints(one, function.__globals__, names, include_extras=True)[self.parameter]

    def _type_parameters(self, function: Any) -> tuple[Any, ...]:
        """Those that an annotation in quotes can name: the classes' around it, from the outermost on, and its own (PEP
        695)."""
        found: list[Any] = []
        path = self.qualname.split(".")
        for length in range(1, len(path)):
            found += getattr(load(self.module, ".".join(path[:length])), "__type_params__", ())
        return (*found, *getattr(function, "__type_params__", ()))


class OwnDefault(Written):
    """What makes a parameter's default anew, where that is inside a `Field`: for one that only the function has."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name != "cls":
            raise AttributeError(name)
        from functools import partial
        from inspect import Parameter, signature

        function = self._function()
        own = signature(function).parameters[self.parameter].default
        info, annotation = load("pydantic.fields", "FieldInfo"), self._annotation(function)
        made = info.from_annotation(annotation)
        if own is not Parameter.empty:
            made = info.from_annotated_attribute(annotation, own)
        self.cls = partial(made.get_default, call_default_factory=True)
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
