"""The module `_typeshed`, which only type checkers have: stubs import from it, and sources under `TYPE_CHECKING`.

Its aliases of data are here; whatever else it has are interfaces. Source: typeshed, `stdlib/_typeshed`.
"""

from __future__ import annotations

from ..ir.types import Anything, DictOf, FormatKind, Formatted, Scalar, ScalarKind, Type, Union

_ANYTHING = Anything()
_TEXT = Scalar(ScalarKind.STRING)
_INTEGER = Scalar(ScalarKind.INTEGER)
_BYTES = Formatted(FormatKind.BINARY)
_PATH = Formatted(FormatKind.PURE_PATH)

TYPES: dict[str, Type] = {
    "_typeshed.AnnotationForm": _ANYTHING,
    "_typeshed.BytesPath": Union((_BYTES, _PATH)),
    "_typeshed.FileDescriptor": _INTEGER,
    "_typeshed.FileDescriptorOrPath": Union((_INTEGER, _TEXT, _BYTES, _PATH)),
    "_typeshed.FloatInt": Union((Scalar(ScalarKind.NUMBER), _INTEGER)),
    "_typeshed.GenericPath": Union((_BYTES, _TEXT, _PATH)),
    "_typeshed.Incomplete": _ANYTHING,
    "_typeshed.MaybeNone": _ANYTHING,
    "_typeshed.StrOrBytesPath": Union((_TEXT, _BYTES, _PATH)),
    "_typeshed.StrPath": Union((_TEXT, _PATH)),
    "_typeshed.Unused": _ANYTHING,
    "_typeshed.wsgi.WSGIEnvironment": DictOf(_TEXT, _ANYTHING),
}

_SUBMODULES = frozenset({"dbapi", "importlib", "wsgi", "xml"})


def is_typeshed(module: str) -> bool:
    """Whether a module is `_typeshed`, or inside it."""
    return module == "_typeshed" or module.startswith("_typeshed.")


def typeshed_name(module: str, name: str) -> str | None:
    """The canonical name of what `_typeshed` has under `name`; None if that is a module."""
    return None if module == "_typeshed" and name in _SUBMODULES else f"{module}.{name}"
