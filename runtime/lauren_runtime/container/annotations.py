"""What an annotation asks for: the token, whether as a list, and whether it may be absent.

Texts are evaluated in the module that wrote them, its function's closure, and among what is declared in the same
function body. Calling frames are never looked at: what they hold depends on who calls.
"""

from __future__ import annotations

import inspect
import sys
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType, UnionType
from typing import Annotated, Any

from .tokens import Asked, InjectMarker, asked_token


class LocalNames:
    """The declared classes and functions that were defined in function bodies, by where."""

    def __init__(self, declared: Iterable[Any]) -> None:
        self._found: dict[tuple[str, str], dict[str, Any]] = {}
        for each in declared:
            if isinstance(each, (type, FunctionType)) and "<locals>" in each.__qualname__:
                body = each.__qualname__.rpartition(".")[0]
                self._found.setdefault((each.__module__, body), {})[each.__name__] = each

    def around(self, module: str, qualname: str) -> dict[str, Any]:
        """Those that something of that name sees: in its own function body, and in those around it."""
        seen: dict[str, Any] = {}
        body = qualname
        while body:
            body = body.rpartition(".")[0]
            seen = {**self._found.get((module, body), {}), **seen}
        return seen


class Names:
    """Where the texts of one callable's annotations are evaluated: `local` and each of `modules` in turn, at last the
    class body that they may stand in.
    """

    def __init__(self, local: Mapping[str, Any], modules: Sequence[dict[str, Any]], body: Mapping[str, Any]) -> None:
        self._local = local
        self._modules = modules
        self._body = body

    def meaning(self, text: str) -> Any:
        """What an annotation's text means. Raises whatever evaluating it raises, and NameError for what stays a text.

        The text may be of a text: in quotes under the future import, or the name of an alias in quotes.
        """
        for _ in range(3):
            value = self._value(text)
            inner = _text(value)
            if inner is None:
                return value
            text = inner
        raise NameError(f"it is the text {text!r}")

    def _value(self, text: str) -> Any:
        for module in self._modules:
            try:
                return eval(text, module, self._local)
            except NameError:
                continue
        # What a class body defines comes last: a method called `list` is not what `list[int]` means.
        everything = {name: value for module in reversed(self._modules) for name, value in module.items()}
        return eval(text, {**everything, **self._body}, self._local)


def _text(annotation: Any) -> str | None:
    """The text of an annotation that is still one."""
    if isinstance(annotation, typing.ForwardRef):
        return annotation.__forward_arg__
    return annotation if isinstance(annotation, str) else None


def names_of(function: Any, owner: Any, declared: LocalNames) -> Names:
    """The names that a function's annotations are written in; `owner` is the class or function that it belongs to."""
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    scope: dict[str, Any] = getattr(function, "__globals__", {})
    local = declared.around(owner.__module__, owner.__qualname__) if hasattr(owner, "__qualname__") else {}
    closure = zip(getattr(getattr(function, "__code__", None), "co_freevars", ()), _cells(function), strict=False)
    local.update({name: value for name, value in closure if value is not _EMPTY})
    for each in (owner, function):
        local.update({variable.__name__: variable for variable in getattr(each, "__type_params__", ())})
    return Names(local, [scope, *_modules_of(owner, scope)], vars(owner) if isinstance(owner, type) else {})


_EMPTY = object()


def _cells(function: Any) -> list[Any]:
    return [_content(cell) for cell in getattr(function, "__closure__", None) or ()]


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # the name is bound later in the function around
        return _EMPTY


def _modules_of(owner: Any, first: dict[str, Any]) -> list[dict[str, Any]]:
    """The modules of a class and its bases: what a dataclass inherits was written in theirs."""
    bases = owner.__mro__ if isinstance(owner, type) else ()
    names = dict.fromkeys(base.__module__ for base in bases if base.__module__ in sys.modules)
    return [vars(sys.modules[name]) for name in names if vars(sys.modules[name]) is not first]


def signature_of(target: Callable[..., Any]) -> inspect.Signature:
    """A callable's parameters, annotations as they are written where they cannot be evaluated yet.

    Raises ValueError for what is written in C and does not tell.
    """
    if sys.version_info >= (3, 14):  # annotations are evaluated when they are asked for
        from annotationlib import Format

        return inspect.signature(target, annotation_format=Format.FORWARDREF)
    return inspect.signature(target)


def asked(annotation: Any, names: Names) -> Asked:
    """What an annotation asks for."""
    text = _text(annotation)
    if text is not None:
        try:
            annotation = names.meaning(text)
        except Exception as error:
            return Asked(text, problem=f"{text!r} does not resolve where it is written: {error}")
    origin = typing.get_origin(annotation)
    if origin is Annotated:
        return _annotated(annotation, names)
    if origin in (typing.Union, UnionType):
        return _union(annotation, names)
    if origin is list:
        inner = asked(typing.get_args(annotation)[0], names)
        return Asked(inner.key, True, False, inner.problem)
    return Asked(annotation)


def _annotated(annotation: Any, names: Names) -> Asked:
    inner, *metadata = typing.get_args(annotation)
    marker = next((each for each in metadata if isinstance(each, InjectMarker)), None)
    if marker is None:
        return asked(inner, names)
    written = asked(inner, names)
    token = asked_token(marker)
    many: Any = token.collects or ("multi" if written.collects else False)
    return Asked(token.key, many, written.optional or token.optional)


def _union(annotation: Any, names: Names) -> Asked:
    """`T | None` asks for T, which may be absent; any other union is a token as it stands."""
    arms = typing.get_args(annotation)
    others = [arm for arm in arms if arm is not type(None)]
    if len(others) == 1 and len(arms) == 2:
        inner = asked(others[0], names)
        return Asked(inner.key, inner.collects, True, inner.problem)
    return Asked(annotation)


def is_attribute_only(annotation: Any, names: Names) -> bool:
    """Whether a class body's annotation only declares an attribute: no token could be meant by it.

    So it is with builtins and generic forms of them, unions, literals, ClassVar and Final.
    """
    text = _text(annotation)
    if text is not None:
        try:
            annotation = names.meaning(text)
        except Exception:  # asked() says what is wrong with it
            return False
    if annotation is None or annotation in (typing.ClassVar, typing.Final):
        return True
    origin = typing.get_origin(annotation)
    if origin in (list, Annotated):
        return origin is list and is_attribute_only(typing.get_args(annotation)[0], names)
    known: Any = annotation if origin is None else origin
    special = (typing.Union, UnionType, typing.ClassVar, typing.Final, typing.Literal)
    is_builtin = isinstance(known, type) and known.__module__ in ("builtins", "collections.abc") and known is not object
    return known in special or is_builtin
