"""What operators, methods and functions of Python make of constants, within a size that stays affordable.

    operation("+", "a", "b")  →  "ab"        method(" a ", "strip")  →  "a"        function("builtins.len", "ab")  →  2

Everything here is either the constant or, as text, why there is none ("it is …").
"""

from __future__ import annotations

import operator
import re
import string
import textwrap
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any, TypeAlias, TypeGuard

from ..ir import values as ir
from ..ir.types import FormatKind
from ..source.patterns import pattern
from ..syntax.docstrings.cleaning import cleandoc
from . import set_order
from .classes.alias_generators import GENERATORS

MAX_TEXT = 100_000
MAX_BITS = 14_000
_WIDEST = 1_000

Plain: TypeAlias = Any
"""None, a bool, int, float, str or bytes, or a list, tuple, set, frozenset or dict of them."""

_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "//": lambda left, right: left // right,
    "%": lambda left, right: left % right,
    "**": lambda left, right: left**right,
    "<<": lambda left, right: left << right,
    ">>": lambda left, right: left >> right,
    "|": lambda left, right: left | right,
    "&": lambda left, right: left & right,
    "^": lambda left, right: left ^ right,
}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda item, holder: item in holder,
    "not in": lambda item, holder: item not in holder,
}
_METHODS: dict[str, frozenset[str]] = {
    "str": frozenset(
        """
        capitalize casefold center count encode endswith expandtabs find format index isalnum isalpha isascii isdecimal
        isdigit isidentifier islower isnumeric isspace istitle isupper join ljust lower lstrip partition removeprefix
        removesuffix replace rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase
        title upper zfill
        """.split()
    ),
    "bytes": frozenset({"decode"}),
    "dict": frozenset("copy get".split()),
    "list": frozenset("copy count index".split()),
    "tuple": frozenset("count index".split()),
    "set": frozenset("copy difference intersection issubset issuperset symmetric_difference union".split()),
}
_METHODS["frozenset"] = _METHODS["set"]
_WIDENING = frozenset({"center", "ljust", "rjust", "zfill", "expandtabs"})
_BUILTINS: tuple[Callable[..., Any], ...] = (abs, all, any, chr, len, max, min, ord, repr, round, sorted, sum)
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        f"builtins.{each.__name__}": each for each in (abs, all, any, chr, len, max, min, ord, repr, round, sorted, sum)
    },
    **GENERATORS,
    "textwrap:dedent": textwrap.dedent,
    "textwrap:indent": textwrap.indent,
    "inspect:cleandoc": cleandoc,
}
_PATHS = frozenset({FormatKind.PATH, FormatKind.POSIX_PATH, FormatKind.PURE_PATH, FormatKind.PURE_POSIX_PATH})
_CONVERSIONS: dict[str, Callable[[Any], str]] = {"r": repr, "a": ascii, "s": str}
_FAILURES = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError, UnicodeError, RecursionError)
_PERCENT = pattern(r"%(?:\(\w*\))?[-#0 +]*(\*|\d*)(?:\.(\*|\d*))?")


def plain(value: ir.Value) -> Plain:
    """The Python value of a constant; members of enums behave as their values. Raises TypeError for an object."""
    if isinstance(value, ir.EnumMember):
        return value.value.value
    if isinstance(value, ir.Constant):
        return value.value
    if isinstance(value, ir.Sequence):
        kinds: dict[str, Callable[[Any], Any]] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}
        return kinds[value.kind]([plain(item) for item in value.items])
    if isinstance(value, ir.Mapping):
        return {plain(key): plain(item) for key, item in value.items}
    raise TypeError("an object")


def wrapped(value: Plain) -> ir.Value:
    """The constant of a Python value; a set in a stable order. Raises TypeError for anything else."""
    if value is None or isinstance(value, (bool, int, float, str, bytes)):
        return ir.Constant(value)
    if _is_listing(value):
        return ir.Sequence(type(value).__name__, tuple(wrapped(item) for item in value))
    if _is_set(value):
        return ir.Sequence(type(value).__name__, tuple(sorted(map(wrapped, value), key=repr)))
    if _is_dict(value):
        return ir.Mapping(tuple((wrapped(key), wrapped(item)) for key, item in value.items()))
    raise TypeError(f"a {type(value).__name__}")


def _is_listing(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    return isinstance(value, (list, tuple))


def _is_set(value: object) -> TypeGuard[set[Any] | frozenset[Any]]:
    return isinstance(value, (set, frozenset))


def _is_dict(value: object) -> TypeGuard[dict[Any, Any]]:
    return isinstance(value, dict)


def operation(op: str, values: tuple[ir.Value, ...]) -> ir.Value | str:
    """`a op b op c`."""
    if op == "+" and all(isinstance(value, ir.Sequence) for value in values):
        return _sum([value for value in values if isinstance(value, ir.Sequence)])
    if op == "/" and isinstance(values[0], ir.Text) and values[0].kind in _PATHS:
        return _joined(values)
    try:
        parts = [plain(value) for value in values]
    except TypeError:
        return "it is an operation"
    if op == "%" and isinstance(parts[0], (str, bytes)) and any(map(set_order.holds_unordered, values)):
        return set_order.WHY
    result = parts[0]
    for other in parts[1:]:
        if op not in _ARITHMETIC:
            return "it is an operation"
        if not _affordable(op, result, other):
            return "it is too large"
        result = _tried(_ARITHMETIC[op], result, other)
        if isinstance(result, _Failure):
            return "it is an operation that fails"
    return _within(result)


def _sum(values: list[ir.Sequence]) -> ir.Value | str:
    """Lists or tuples, whatever they hold."""
    kinds = {value.kind for value in values}
    items = tuple(item for value in values for item in value.items)
    return ir.Sequence(kinds.pop(), items) if len(kinds) == 1 else "it is an operation"


def _joined(parts: tuple[ir.Value, ...]) -> ir.Value | str:
    """`Path("a") / "b"`."""
    texts = [part.text if isinstance(part, ir.Text) else part.value for part in parts if _is_path_part(part)]
    if len(texts) < len(parts):
        return "it is an operation"
    first = parts[0]
    assert isinstance(first, ir.Text)
    return ir.Text(first.kind, str(PurePosixPath(*map(str, texts))))


def _is_path_part(part: ir.Value) -> TypeGuard[ir.Text | ir.Constant]:
    if isinstance(part, ir.Text):
        return part.kind in _PATHS
    return isinstance(part, ir.Constant) and isinstance(part.value, str)


def truth(value: ir.Value) -> bool | None:
    """The truth of a constant; None for an object, whose class may say otherwise."""
    if isinstance(value, (ir.Sequence, ir.Mapping)):
        return bool(value.items)
    return bool(value.value) if isinstance(value, ir.Constant) else None


def item(whole: ir.Value, index: ir.Value) -> ir.Value | str:
    """`whole[index]`."""
    if isinstance(whole, ir.Mapping):
        found = [value for key, value in whole.items if ir.key_of(key) == ir.key_of(index)]
        return found[0] if found else "it is a key that is not there"
    if not isinstance(index, ir.Constant) or not isinstance(index.value, int):
        return "it is an item that can't be known"
    items: Any = whole.items if isinstance(whole, ir.Sequence) and whole.kind in ("list", "tuple") else None
    if isinstance(whole, ir.Constant) and isinstance(whole.value, (str, bytes)):
        items = whole.value
    if items is None or not -len(items) <= index.value < len(items):
        return "it is an item that can't be known"
    return items[index.value] if isinstance(whole, ir.Sequence) else ir.Constant(items[index.value])


def section(whole: ir.Value, lower: int | None, upper: int | None) -> ir.Value | str:
    """`whole[lower:upper]`."""
    if isinstance(whole, ir.Sequence) and whole.kind in ("list", "tuple"):
        return ir.Sequence(whole.kind, whole.items[lower:upper])
    if isinstance(whole, ir.Constant) and isinstance(whole.value, (str, bytes)):
        return ir.Constant(whole.value[lower:upper])
    return "it is a slice that can't be known"


def comparison(op: str, left: ir.Value, right: ir.Value) -> bool | None:
    """The truth of a comparison; None if it can't be known, or fails."""
    if isinstance(left, ir.EnumMember) and isinstance(right, ir.EnumMember) and left.enum == right.enum:
        same = {"is": True, "is not": False, "==": True, "!=": False}.get(op)
        if same is not None:
            return (left == right) is same
    if op in ("is", "is not"):
        none = ir.Constant(None)
        return ((left == right) is (op == "is")) if none in (left, right) else None
    if op in ("in", "not in") and isinstance(left, ir.EnumMember):
        return _holds_member(left, right, op)
    try:
        found = _tried(_COMPARISONS[op], plain(left), plain(right))
    except TypeError:
        return None
    return found if isinstance(found, bool) else None


def _holds_member(member: ir.EnumMember, holder: ir.Value, op: str) -> bool | None:
    """Whether a member is one of other members of its enum; None where something else is among them."""
    items = holder.items if isinstance(holder, ir.Sequence) else ()
    if not all(isinstance(item, ir.EnumMember) and item.enum == member.enum for item in items):
        return None
    return (member in items) is (op == "in") if isinstance(holder, ir.Sequence) else None


def method(owner: ir.Value, name: str, values: tuple[ir.Value, ...], named: Mapping[str, ir.Value]) -> ir.Value | str:
    """`owner.name(...)`."""
    if isinstance(owner, ir.EnumMember):
        return "it is a method of an enum member"  # which a class may define otherwise
    if name == "get" and isinstance(owner, ir.Mapping) and 1 <= len(values) <= 2 and not named:
        if not _is_key(values[0]):
            return "no dict has such a key"
        default = values[1] if len(values) == 2 else ir.Constant(None)
        return next((value for key, value in owner.items if ir.key_of(key) == ir.key_of(values[0])), default)
    try:
        value, arguments = plain(owner), [plain(each) for each in values]
        words = {key: plain(each) for key, each in named.items()}
    except TypeError:
        return "it is a call"
    if name not in _METHODS.get(type(value).__name__, ()):
        return "it is a call"
    if isinstance(value, str) and any(map(set_order.holds_unordered, (*values, *named.values()))):
        return set_order.WHY
    if not _modest(value, name, arguments, words):
        return "it is too large, or can't be known"
    return _called(getattr(value, name), arguments, words)


def _is_key(value: ir.Value) -> bool:
    """Whether a value can be a key of a dict."""
    if isinstance(value, ir.Sequence):
        return value.kind in ("tuple", "frozenset") and all(_is_key(item) for item in value.items)
    return not isinstance(value, ir.Mapping)


def function(name: str, values: tuple[ir.Value, ...], named: Mapping[str, ir.Value]) -> ir.Value | str | None:
    """`name(...)` of a function that is understood; None for any other."""
    if name == "builtins.bool" and len(values) == 1 and not named and (held := truth(values[0])) is not None:
        return ir.Constant(held)
    if name not in _FUNCTIONS:
        return None
    if set_order.shows_in(name, values):
        return set_order.WHY
    if name == "builtins.len" and len(values) == 1 and isinstance(values[0], (ir.Sequence, ir.Mapping)):
        return ir.Constant(len(values[0].items))
    try:
        arguments = [plain(each) for each in values]
        words = {key: plain(each) for key, each in named.items()}
    except TypeError:
        return "it is a call"
    return _called(_FUNCTIONS[name], arguments, words)


def formatted(value: ir.Value, conversion: str, spec: str) -> str | None:
    """A part of an f-string; None if it can't be known."""
    if isinstance(value, ir.EnumMember) or not _is_narrow(spec) or set_order.holds_unordered(value):
        return None
    try:
        part = plain(value)
        converted = _CONVERSIONS[conversion](part) if conversion else part
        return format(converted, spec)
    except _FAILURES:
        return None


class _Failure:
    """What an operation that raises gives."""


def _tried(make: Callable[..., Any], *arguments: Any, **words: Any) -> Any:
    try:
        return make(*arguments, **words)
    except _FAILURES:
        return _Failure()


def _called(make: Callable[..., Any], arguments: list[Any], words: dict[str, Any]) -> ir.Value | str:
    found = _tried(make, *arguments, **words)
    return "it is a call that fails" if isinstance(found, _Failure) else _within(found)


def _within(value: Plain) -> ir.Value | str:
    """The constant of a result, if it is one and not too large."""
    if isinstance(value, (str, bytes)) and len(value) > MAX_TEXT:
        return "it is too large"
    try:
        return wrapped(value)
    except TypeError:
        return "it is an operation"


def _affordable(op: str, left: object, right: object) -> bool:
    """Whether a result stays within `MAX_TEXT` characters and `MAX_BITS` bits."""
    if op == "%" and isinstance(left, (str, bytes)):
        text = left if isinstance(left, str) else left.decode("latin-1")
        return all(_is_width(width) for found in _PERCENT.finditer(text) for width in found.groups())
    sized = [len(side) for side in (left, right) if isinstance(side, (str, bytes)) or _is_listing(side)]
    if sized:
        times = max([abs(side) for side in (left, right) if isinstance(side, int)], default=1)
        return op in ("+", "*") and max(sized) * (times if op == "*" else 2) <= MAX_TEXT
    if isinstance(left, int) and isinstance(right, int):
        if op == "**":
            return right < 0 or left.bit_length() * right <= MAX_BITS
        if op == "<<":
            return 0 <= right <= MAX_BITS and left.bit_length() + right <= MAX_BITS
        return left.bit_length() + right.bit_length() <= 2 * MAX_BITS
    return True


def _is_width(text: str | None) -> bool:
    return not text or (text != "*" and len(text) < 5 and int(text) <= _WIDEST)


def _is_narrow(spec: str) -> bool:
    """Whether a format says nothing that makes a short value long."""
    return "{" not in spec and all(int(width[:5]) <= _WIDEST for width in re.findall(r"\d+", spec))


def _modest(value: Any, name: str, arguments: list[Any], words: dict[str, Any]) -> bool:
    """Whether a method's result can't be much larger than what it is made of."""
    if name in _WIDENING:
        return all(not isinstance(each, int) or each <= _WIDEST for each in (*arguments, *words.values()))
    if name == "format":
        return _is_plain_template(value)
    sizes = [len(each) for each in arguments if isinstance(each, (str, bytes))]
    if name in ("replace", "join"):
        listed = [item for each in arguments if _is_listing(each) for item in each]
        held = [len(item) for item in listed if isinstance(item, (str, bytes))]
        return (len(value) + 1) * (max([*sizes, 0]) + 1) + sum(held) <= MAX_TEXT * 10
    return True


def _is_plain_template(text: str) -> bool:
    """Whether a template for `format` names whole arguments only, in modest widths."""
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError:
        return False
    return all(
        (field is None or field == "" or field.isidentifier() or field.isdecimal()) and _is_narrow(spec or "")
        for _, field, spec, _ in parts
    )
