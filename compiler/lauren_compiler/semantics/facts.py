"""What is known at build time of the interpreter that tools will run on: version, platform, and what follows of them.

Of the version, major and minor are known: what turns on more of it is not.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeGuard

from ..syntax.declarations import Scope
from ..syntax.expressions import (
    Attribute,
    Call,
    Compare,
    Constant,
    Expr,
    ListDisplay,
    Name,
    SetDisplay,
    Slice,
    Subscript,
    Tuple,
    Unary,
)
from .environment import Environment
from .symbols import KnownSymbol, Symbol, ValueSymbol


class Unknown:
    """Nothing is known of a value."""


Fact: TypeAlias = object
"""A constant, a tuple of them, the `_Version`, or an `Unknown`."""
_UNKNOWN = Unknown()


class _Version(tuple[int, ...]):
    """`sys.version_info`, as far as it is known: its first two items."""

    __slots__ = ()


_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_MEMBERSHIP = {"in": True, "not in": False}
_METHODS = frozenset({"startswith", "endswith", "lower", "upper", "strip"})
_SCALARS = (str, int, float, bytes)


class Names(Protocol):
    """What is asked of name resolution."""

    def resolve(self, expr: Expr, scope: Scope) -> Symbol: ...


class Facts:
    """Evaluates the sides of comparisons for one environment."""

    def __init__(self, names: Names, environment: Environment) -> None:
        self._names = names
        self._version = _Version(environment.version)
        windows = environment.platform == "win32"
        self._known: dict[str, Fact] = {
            "sys.version_info": self._version,
            "sys.platform": environment.platform,
            "os.name": "nt" if windows else "posix",
            "os.sep": "\\" if windows else "/",
        }

    def of(self, expr: Expr, scope: Scope) -> Fact:
        """The value of an expression, or an `Unknown`."""
        if isinstance(expr, Constant):
            return expr.value if expr.value is not ... else _UNKNOWN
        if isinstance(expr, (Tuple, ListDisplay, SetDisplay)):
            items = tuple(self.of(item, scope) for item in expr.items)
            return _UNKNOWN if any(isinstance(item, Unknown) for item in items) else items
        if isinstance(expr, Unary) and expr.op == "-":
            value = self.of(expr.operand, scope)
            return -value if isinstance(value, (int, float)) else _UNKNOWN
        if isinstance(expr, Subscript):
            return _part(self.of(expr.value, scope), expr.index)
        if isinstance(expr, Call):
            return self._called(expr, scope)
        return self._named(expr, scope) if isinstance(expr, (Name, Attribute)) else _UNKNOWN

    def _named(self, expr: Name | Attribute, scope: Scope) -> Fact:
        if isinstance(expr, Attribute) and expr.attr in ("major", "minor"):
            whole = self.of(expr.value, scope)
            return whole[expr.attr == "minor"] if isinstance(whole, _Version) else _UNKNOWN
        if isinstance(expr, Name) and expr.id == "__name__":
            return scope.module.file.module
        if isinstance(expr, Name) and expr.id == "__debug__":
            return _UNKNOWN
        symbol = self._names.resolve(expr, scope)
        if isinstance(symbol, KnownSymbol):
            return self._known.get(symbol.name, _UNKNOWN)
        if isinstance(symbol, ValueSymbol) and isinstance(symbol.expr, (Constant, Name, Attribute, Subscript)):
            once = len(symbol.scope.bindings.get(symbol.name, ())) == 1
            if once and not (isinstance(symbol.expr, Name) and symbol.expr.id == symbol.name):
                return self._variable(symbol)
        return _UNKNOWN

    def _variable(self, symbol: ValueSymbol) -> Fact:
        """A constant, or one of these facts under another name; more is not followed."""
        expr = symbol.expr
        if isinstance(expr, Constant):
            return self.of(expr, symbol.scope)
        base = expr.value if isinstance(expr, Subscript) else expr
        if isinstance(base, (Name, Attribute)):
            meant = self._names.resolve(base, symbol.scope)
            if isinstance(meant, KnownSymbol) and expr is not None:
                return self.of(expr, symbol.scope)
        return _UNKNOWN

    def _called(self, call: Call, scope: Scope) -> Fact:
        """`sys.platform.startswith("win")`."""
        if not isinstance(call.func, Attribute) or call.func.attr not in _METHODS or call.keywords:
            return _UNKNOWN
        owner = self.of(call.func.value, scope)
        arguments = [self.of(argument, scope) for argument in call.args]
        if not isinstance(owner, str) or any(isinstance(argument, Unknown) for argument in arguments):
            return _UNKNOWN
        try:
            found: object = getattr(owner, call.func.attr)(*arguments)
        except TypeError:
            return _UNKNOWN
        return found

    def comparison(self, expr: Compare, scope: Scope) -> bool | None:
        """The truth of a comparison, None if it can't be known."""
        left, right = self.of(expr.left, scope), self.of(expr.right, scope)
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return None
        if expr.op in _MEMBERSHIP:
            return self._member(left, right, _MEMBERSHIP[expr.op])
        if expr.op in ("is", "is not"):
            none = left is None or right is None
            return ((left is right) is (expr.op == "is")) if none else None
        if expr.op not in _COMPARISONS or not _comparable(left, right) or self._finer_than_known(left, right):
            return None
        return _COMPARISONS[expr.op](_longer(left), _longer(right))

    def _member(self, left: Fact, right: Fact, wanted: bool) -> bool | None:
        if isinstance(left, str) and isinstance(right, str):
            return (left in right) is wanted
        if not _is_tuple(right) or isinstance(right, _Version):
            return None
        if any(self._finer_than_known(left, item) for item in right):
            return None
        return any(_comparable(left, item) and _longer(left) == item for item in right) is wanted

    def _finer_than_known(self, left: Fact, right: Fact) -> bool:
        """Whether a comparison of versions turns on more than major and minor version."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one, _Version) and _is_tuple(other):
                return not isinstance(other, _Version) and tuple(one) == other[: len(one)] and len(other) > len(one)
        return False


def _is_tuple(value: object) -> TypeGuard[tuple[object, ...]]:
    return isinstance(value, tuple)


def _longer(value: Fact) -> Any:
    """The version with a third item, since it is more than its first two: `sys.version_info > (3, 12)` on 3.12.0."""
    return (*value, 0) if isinstance(value, _Version) else value


def _comparable(left: Fact, right: Fact) -> bool:
    numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
    tuples = _is_tuple(left) and _is_tuple(right)
    return numbers or tuples or (isinstance(left, _SCALARS) and type(left) is type(right))


def _part(whole: Fact, index: Expr) -> Fact:
    """An item or the first items of a tuple, as far as it is known; a part of the version is a plain tuple."""
    if isinstance(whole, str):
        parts: tuple[object, ...] = tuple(whole)
    elif _is_tuple(whole):
        parts = tuple(whole)
    else:
        return _UNKNOWN
    if isinstance(index, Constant) and isinstance(index.value, int) and 0 <= index.value < len(parts):
        return parts[index.value]
    if isinstance(index, Slice) and isinstance(index.upper, Constant):
        start = 0 if index.lower is None else index.lower.value if isinstance(index.lower, Constant) else None
        stop = index.upper.value
        if isinstance(start, int) and isinstance(stop, int) and 0 <= start <= stop <= len(parts):
            return whole[start:stop] if isinstance(whole, str) else parts[start:stop]
    return _UNKNOWN
