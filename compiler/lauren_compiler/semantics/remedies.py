"""The type that was meant by an expression that is none, for messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..source.file import SourceFile
from ..syntax import expressions as ex

_GENERIC = frozenset(
    {"list", "set", "frozenset", "dict", "tuple", "Optional", "Union", "Literal", "List", "Dict", "Tuple"}
)
"""Names that take in brackets what was written in parentheses."""

LONGEST = 80
"""Characters of a remedy; what is longer says nothing any more."""


def meant_type(expr: ex.Expr, file: SourceFile) -> str | None:
    """What to write in place of `expr`; None if that can't be told."""
    spelled = _spelled(expr, file)
    if spelled is not None and len(spelled) > LONGEST:
        return None
    return f"write `{spelled}`" if spelled else None


def _listed(expr: ex.ListDisplay, file: SourceFile) -> str | None:
    """`[int]`; more than one item may mean a tuple as well as a union."""
    if _are_texts(expr.items):
        return _within("Literal", expr.items, file)
    return _within("list", expr.items, file) if len(expr.items) == 1 else None


def _set(expr: ex.SetDisplay, file: SourceFile) -> str | None:
    if _are_texts(expr.items):
        return _within("Literal", expr.items, file)
    return _within("set", expr.items, file) if len(expr.items) == 1 else None


def _tuple(expr: ex.Tuple, file: SourceFile) -> str | None:
    return _within("Literal" if _are_texts(expr.items) else "tuple", expr.items, file)


def _mapping(expr: ex.DictDisplay, file: SourceFile) -> str | None:
    """`{str: int}`; an object with several known keys is a TypedDict, which takes more than a line."""
    key, value = expr.items[0] if len(expr.items) == 1 else (None, None)
    return None if key is None or value is None or isinstance(key, ex.Constant) else _within("dict", (key, value), file)


def _constant(expr: ex.Constant, file: SourceFile) -> str | None:
    return f"Literal[{expr.value!r}]" if isinstance(expr.value, (bool, int)) else None


def _either(expr: ex.Chain, file: SourceFile) -> str | None:
    return joined(" | ", expr.items, file) if expr.op == "or" else None


def _called(expr: ex.Call, file: SourceFile) -> str | None:
    """`list(int)`, `Optional(int)`."""
    name = written(expr.func, file) or ""
    if name.rpartition(".")[2] not in _GENERIC or expr.keywords or not expr.args:
        return None
    return _within(name, expr.args, file)


def _within(name: str, items: Iterable[ex.Expr], file: SourceFile) -> str | None:
    inner = joined(", ", items, file)
    return f"{name}[{inner}]" if inner else None


def joined(between: str, items: Iterable[ex.Expr], file: SourceFile) -> str | None:
    """The items as they have to be written; None if that can't be told of one."""
    parts = [_spelled(item, file) or written(item, file) for item in items]
    return between.join(part for part in parts if part) if all(parts) else None


def _spelled(expr: ex.Expr, file: SourceFile) -> str | None:
    spell = _SPELLINGS.get(type(expr))
    return spell(expr, file) if spell else None


def written(expr: ex.Expr, file: SourceFile) -> str | None:
    """The text of an expression that stands on one line."""
    first, start, last, end = expr.pos
    if first != last or not 1 <= first <= file.line_count:
        return None
    return file.line(first).encode("utf-8", "surrogatepass")[start:end].decode("utf-8", "replace")


def _are_texts(items: tuple[ex.Expr, ...]) -> bool:
    return bool(items) and all(isinstance(item, ex.Constant) and isinstance(item.value, str) for item in items)


_SPELLINGS: dict[type[ex.Expr], Callable[[Any, SourceFile], str | None]] = {
    ex.ListDisplay: _listed,
    ex.SetDisplay: _set,
    ex.Tuple: _tuple,
    ex.DictDisplay: _mapping,
    ex.Constant: _constant,
    ex.Chain: _either,
    ex.Call: _called,
}
