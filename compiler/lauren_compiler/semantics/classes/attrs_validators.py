"""attrs' own validators, as bounds of the type where they say just what a bound says.

Whatever is left out here holds all the same: the constructor runs every validator. Source: `attrs.validators`.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from ...ir.bounds import whole_end
from ...ir.types import Bounded, Bounds, Described, LiteralOf, Scalar, Type, Union
from ...ir.values import Constant, EnumMember, Sequence, Value
from ...syntax.declarations import Scope
from ...syntax.expressions import Call, Expr, ListDisplay, Tuple
from ..constants import NotConstant
from ..said import overlaid
from ..symbols import FunctionSymbol, KnownSymbol
from ..type_table import INTEGER, NULL, STRING, bounds_of

if TYPE_CHECKING:
    from ..types import TypeReader

_BOUNDS = {"ge": "ge", "gt": "gt", "le": "le", "lt": "lt", "min_len": "min_length", "max_len": "max_length"}
_MOST_BITS = 14_000


def validated(types: TypeReader, expr: Expr, scope: Scope, kind: Type) -> Type:
    """The type, narrowed by the validators that `expr` gives: one, a list, or a combination of them."""
    if isinstance(expr, (ListDisplay, Tuple)):
        return _all(types, expr.items, scope, kind)
    if not isinstance(expr, Call):
        return kind
    symbol = types.resolver.dealias(types.resolver.resolve(expr.func, scope))
    name = symbol.name if isinstance(symbol, KnownSymbol) else ""
    if name == "attrs.validators.and_":
        return _all(types, expr.args, scope, kind)
    if name == "attrs.validators.optional" and len(expr.args) == 1:
        return validated(types, expr.args[0], scope, kind)
    if not name.startswith("attrs.validators.") or not (expr.args or expr.keywords):
        return kind
    given = expr.args[0] if expr.args else expr.keywords[0].value
    value = types.constants.evaluate(given, scope)
    if isinstance(value, NotConstant):
        return kind
    return _narrowed(name.rpartition(".")[2], value, _match_function(types, expr, scope), kind)


def _all(types: TypeReader, items: tuple[Expr, ...], scope: Scope, kind: Type) -> Type:
    for item in items:
        kind = validated(types, item, scope, kind)
    return kind


def _match_function(types: TypeReader, call: Call, scope: Scope) -> str | None:
    """How `matches_re` looks for its pattern; None if that is not known, or if flags change what it means."""
    words: dict[str, Expr] = dict(zip(("regex", "flags", "func"), call.args, strict=False))
    words.update((word.name or "", word.value) for word in call.keywords)
    flags = types.constants.evaluate(words["flags"], scope) if "flags" in words else Constant(0)
    if flags != Constant(0) or "" in words:
        return None
    func = words.get("func")
    if func is None or types.constants.evaluate(func, scope) == Constant(None):
        return "fullmatch"
    symbol = types.resolver.dealias(types.resolver.resolve(func, scope))
    is_of_re = isinstance(symbol, FunctionSymbol) and symbol.decl.scope.module.file.module == "re"
    return symbol.decl.name if is_of_re and isinstance(symbol, FunctionSymbol) else None


def _narrowed(name: str, value: Value, how: str | None, kind: Type) -> Type:
    if isinstance(kind, Described):
        return Described(_narrowed(name, value, how, kind.inner), kind.description, kind.title)
    if isinstance(kind, Union):
        others = [member for member in kind.members if member != NULL]
        if len(others) != 1:
            return kind
        inner = _narrowed(name, value, how, others[0])
        return Union(tuple(inner if member == others[0] else member for member in kind.members))
    if name == "in_":
        return _one_of(value, kind)
    bounds = _pattern(value, how) if name == "matches_re" else _bound(name, value)
    base, before = (kind.inner, kind.bounds) if isinstance(kind, Bounded) else (kind, Bounds())
    taken = {key for key, _ in before.given}
    if bounds is None or any(key not in bounds_of(base) or key in taken for key, _ in bounds.given):
        return kind
    return Bounded(base, overlaid(before, bounds))


def _bound(name: str, value: Value) -> Bounds | None:
    number: Any = value.value if isinstance(value, Constant) else None
    if name not in _BOUNDS or isinstance(number, bool) or not isinstance(number, (int, float)):
        return None
    if isinstance(number, float) and not math.isfinite(number):
        return None
    if isinstance(number, int) and number.bit_length() > _MOST_BITS:
        return None
    if name.endswith("len") and (not isinstance(number, int) or number < 0):
        return None
    return Bounds(**{_BOUNDS[name]: number})  # type: ignore[arg-type]


def _pattern(value: Value, how: str | None) -> Bounds | None:
    """A pattern is looked for anywhere: what has to match the beginning, or all, is anchored."""
    text = value.value if isinstance(value, Constant) else None
    if not isinstance(text, str):
        return None
    anchored = {"search": text, "match": f"^(?:{text})", "fullmatch": f"^(?:{text})$"}.get(how or "")
    if anchored is None:
        return None
    try:
        re.compile(whole_end(anchored))
    except (re.error, RecursionError, OverflowError):
        return None
    return Bounds(pattern=anchored)


def _one_of(value: Value, kind: Type) -> Type:
    """`in_` of strings for a string, or of integers for an integer; of other types equality is not JSON's."""
    options = value.items if isinstance(value, Sequence) else ()
    wanted = {STRING: str, INTEGER: int}.get(kind) if isinstance(kind, Scalar) else None
    plain = [item for item in options if isinstance(item, Constant) and not isinstance(item, EnumMember)]
    if wanted is None or not options or any(type(item.value) is not wanted for item in plain):
        return kind
    if len(plain) < len(options):
        return kind
    return LiteralOf(tuple(dict.fromkeys(plain)))
