"""The signature digest: what must not change between a build and the sources it runs.

SHA-256 of canonical JSON of `{"parameters": [[name, kind, has default], ...], "is_async", "is_generator"}`; the
compiler computes the same from source. Kinds are those of `inspect.Parameter`, in lower case.
"""

from __future__ import annotations

from hashlib import sha256
from json import dumps
from types import CodeType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_VARARGS, _VARKEYWORDS = 0x04, 0x08
_GENERATOR, _COROUTINE, _ASYNC_GENERATOR = 0x20, 0x80, 0x200


def digest_of(function: Any) -> str | None:
    """The digest of a function or method, through `__wrapped__`; None for what has no code to read (a builtin)."""
    function = innermost(function)
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        return None
    signature = {
        "parameters": _parameters(code, len(function.__defaults__ or ()), function.__kwdefaults__ or {}),
        "is_async": bool(code.co_flags & (_COROUTINE | _ASYNC_GENERATOR)),
        "is_generator": bool(code.co_flags & (_GENERATOR | _ASYNC_GENERATOR)),
    }
    text = dumps(signature, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def shape_of(function: Any) -> str | None:
    """The same as a text for readers, `async (a, b=, *, c)`; None for what has no code to read."""
    function = innermost(function)
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        return None
    parts: list[str] = []
    before = ""
    for name, kind, has_default in _parameters(code, len(function.__defaults__ or ()), function.__kwdefaults__ or {}):
        if before == "positional_only" and kind != before:
            parts.append("/")
        if kind == "keyword_only" and before not in ("keyword_only", "var_positional"):
            parts.append("*")
        stars = {"var_positional": "*", "var_keyword": "**"}.get(kind, "")
        parts.append(f"{stars}{name}{'=' if has_default else ''}")
        before = kind
    if before == "positional_only":
        parts.append("/")
    is_async = "async " if code.co_flags & (_COROUTINE | _ASYNC_GENERATOR) else ""
    return f"{is_async}({', '.join(parts)}){' yields' if code.co_flags & (_GENERATOR | _ASYNC_GENERATOR) else ''}"


def innermost(function: Any) -> Any:
    """The plain function under methods and `functools.wraps` wrappers."""
    while True:
        below = getattr(function, "__wrapped__", None) or getattr(function, "__func__", None)
        if below is None:
            return function
        function = below


def _parameters(code: CodeType, defaults: int, keyword_defaults: dict[str, Any]) -> list[tuple[str, str, bool]]:
    """[name, kind, has default] in signature order."""
    count, keywords = code.co_argcount, code.co_kwonlyargcount
    names = code.co_varnames
    found: list[tuple[str, str, bool]] = []
    for index, name in enumerate(names[:count]):
        kind = "positional_only" if index < code.co_posonlyargcount else "positional_or_keyword"
        found.append((name, kind, index >= count - defaults))
    rest = list(names[count + keywords : count + keywords + 2])
    if code.co_flags & _VARARGS:
        found.append((rest.pop(0), "var_positional", False))
    found.extend((name, "keyword_only", name in keyword_defaults) for name in names[count : count + keywords])
    if code.co_flags & _VARKEYWORDS:
        found.append((rest.pop(0), "var_keyword", False))
    return found
