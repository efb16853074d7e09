"""Types with arguments in brackets: one small reader a form, in a table by known name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeGuard

from ..diagnostics.rules import types as rules
from ..ir.types import (
    Anything,
    Bounded,
    Built,
    BuiltKind,
    Described,
    DictOf,
    EnumDefinition,
    FormatKind,
    Formatted,
    ListOf,
    LiteralOf,
    ObjectDefinition,
    ObjectKind,
    Reference,
    Scalar,
    ScalarKind,
    SetOf,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)
from ..ir.values import Constant, EnumMember, Sequence, Value
from ..syntax import expressions as ex
from ..syntax.declarations import Scope
from . import type_table as table
from .arity import has_arguments
from .constants import NotConstant
from .symbols import AliasSymbol, ClassSymbol, KnownSymbol, ValueSymbol

if TYPE_CHECKING:
    from .subject import Subject
    from .types import TypeReader

_PATH_LIKE = (table.STRING, table.ANYTHING, Formatted(FormatKind.BINARY))
_Reader = Callable[["TypeReader", ex.Subscript, Scope, "Subject"], Type | None]


def subscripted(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    """The type of `X[...]`; one that is declared is what the declaration says, whatever its arguments."""
    named = reader.resolver.resolve(expr.value, scope)
    symbol = reader.resolver.dealias(named)
    if (declared := reader.declared.find(named) or reader.declared.find(symbol)) is not None:
        return declared
    if isinstance(symbol, KnownSymbol):
        special = _SPECIAL.get(symbol.name) or _of_pydantic(symbol.name)
        if special is not None:
            return special(reader, expr, scope, subject)
        known = symbol.name in table.IMPOSSIBLE or symbol.name in table.NOT_COVERED or symbol.name in table.MISPLACED
        if symbol.name in table.BARE and not known:
            shown = symbol.name.removeprefix("builtins.")
            message = f"`{shown}`, in the type of {subject.text}, takes no arguments"
            reader.report(rules.INVALID_TYPE_ARGUMENTS, expr.pos, scope, subject, message)
            return None
    with reader.told_here(symbol, expr, scope):
        if isinstance(symbol, ClassSymbol):
            return reader.parametrized.subscripted_class(symbol.decl, expr, scope, subject)
        if isinstance(symbol, (AliasSymbol, ValueSymbol)):
            return reader.aliases.subscripted(symbol, expr, scope, subject)
    return reader.symbol_type(symbol, expr.value, scope, subject)


def _one(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    if not has_arguments(reader, expr, scope, subject, 1):
        return None
    return reader.inside_container(expr.index, scope, subject)


def _list(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    item = _one(reader, expr, scope, subject)
    return ListOf(item) if item is not None else None


def _set(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    return _set_of(reader, expr, scope, subject, frozen=False)


def _frozen_set(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    return _set_of(reader, expr, scope, subject, frozen=True)


def _set_of(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject, *, frozen: bool) -> Type | None:
    item = _one(reader, expr, scope, subject)
    if item is None:
        return None
    if not _hashable(reader, item):
        message = f"{subject.text} has a set of values that can't be in a set"
        label = "not hashable"
        remedy = "use `list`, or a type of items that is hashable"
        reader.report(rules.UNSUPPORTED_TYPE, expr.index.pos, scope, subject, message, label=label, help=remedy)
        return None
    return SetOf(item, frozen)


def _hashable(reader: TypeReader, item: Type) -> bool:
    """Whether Python can put every value of a type into a set."""
    if isinstance(item, (ListOf, DictOf, Built)) or item == Formatted(FormatKind.BYTEARRAY):
        return False
    if isinstance(item, SetOf):
        return item.frozen
    if isinstance(item, Reference):
        definition = reader.definitions.get(item.key)
        if isinstance(definition, ObjectDefinition):
            return definition.kind is not ObjectKind.TYPED_DICT and item.key not in reader.classes.unhashable
        return True
    if isinstance(item, TupleOf):
        return all(_hashable(reader, part) for part in item.items)
    if isinstance(item, VariadicTupleOf):
        return all(_hashable(reader, part) for part in (*item.prefix, item.item))
    if isinstance(item, Union):
        return all(_hashable(reader, member) for member in item.members)
    return True


def _tuple(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    from .tuples import tuple_of

    arguments = expr.arguments
    if len(arguments) == 2 and isinstance(arguments[1], ex.Constant) and arguments[1].value is ...:
        item = reader.inside_container(arguments[0], scope, subject)
        return VariadicTupleOf(item) if item is not None else None
    return tuple_of(reader, expr, scope, subject)


def _dict(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    if not has_arguments(reader, expr, scope, subject, 2):
        return None
    key_expr, value_expr = expr.arguments
    key = checked_key(reader, key_expr, scope, subject)
    value = reader.inside_container(value_expr, scope, subject)
    return None if key is None or value is None else DictOf(key, value)


_KEY_REMEDY = "use `str`, a number, a type such as `date` or `UUID`, or a `Literal` or enum of strings for the keys"


def checked_key(reader: TypeReader, expr: ex.Expr, scope: Scope, subject: Subject) -> Type | None:
    """The type of a dict's keys; None, reported, for one that can't be."""
    key = reader.inside_container(expr, scope, subject)
    if isinstance(key, Union) and _is_always_text(key):
        return table.STRING
    if key is None or _is_key(reader, key):
        return key
    message = f"{subject.text} has a dict whose keys this version does not cover"
    reader.report(rules.TYPE_NOT_COVERED, expr.pos, scope, subject, message, help=_KEY_REMEDY)
    return None


def _is_always_text(key: Union) -> bool:
    """Whether a key, which JSON has as text, is a `str` for pydantic whichever other members there are."""
    return table.STRING in key.members and all(isinstance(member, Scalar) for member in key.members)


def _is_key(reader: TypeReader, key: Type) -> bool:
    if isinstance(key, Bounded):
        return key.inner == table.STRING
    if isinstance(key, Scalar):
        return key.kind is not ScalarKind.NULL
    if isinstance(key, LiteralOf):
        return all(isinstance(json_constant(value).value, str) for value in key.values)
    if isinstance(key, Reference):
        found = reader.definitions.get(key.key)
        if isinstance(found, EnumDefinition):
            return all(isinstance(json_constant(value).value, str) for _, value in found.members)
        return False
    if isinstance(key, Formatted):
        return key.kind is not FormatKind.BYTEARRAY  # is not hashable
    return isinstance(key, Anything)


def _deque(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    item = _one(reader, expr, scope, subject)
    return None if item is None else Built(ListOf(item), BuiltKind.DEQUE)


def _ordered_dict(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    inner = _dict(reader, expr, scope, subject)
    return Built(inner, BuiltKind.ORDERED_DICT) if isinstance(inner, DictOf) else None


def _counter(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    if not has_arguments(reader, expr, scope, subject, 1):
        return None
    key = checked_key(reader, expr.index, scope, subject)
    return None if key is None else Built(DictOf(key, table.INTEGER), BuiltKind.COUNTER)


def _default_dict(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    """The factory follows from the type of the values, as pydantic infers it."""
    inner = _dict(reader, expr, scope, subject)
    if not isinstance(inner, DictOf):
        return None
    value = inner.value
    while isinstance(value, (Described, Bounded)):
        value = value.inner
    factory = table.FACTORIES.get(value) or table.CONTAINER_FACTORIES.get(type(value))
    if factory is None:
        message = f"{subject.text} has a `defaultdict` of values that this version knows no default of"
        remedy = "use `dict`, or a `defaultdict` of `int`, `str`, `list` and the like"
        reader.report(rules.TYPE_NOT_COVERED, expr.arguments[1].pos, scope, subject, message, help=remedy)
        return None
    if isinstance(value, SetOf) and value.frozen:
        factory = "frozenset"
    return Built(inner, BuiltKind.DEFAULT_DICT, factory)


def _pattern(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    """`re.Pattern[str]`; JSON has no patterns of bytes."""
    found = _one(reader, expr, scope, subject)
    if found is None or _unbounded(found) == table.STRING:
        return found and table.BARE["re.Pattern"]
    message = f"{subject.text} has a type with no JSON form"
    reader.report(rules.UNSUPPORTED_TYPE, expr.index.pos, scope, subject, message, help="use `re.Pattern[str]`")
    return None


def _path_like(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    """`os.PathLike[str]`: a path, whichever of the three that pydantic knows is in brackets."""
    found = _one(reader, expr, scope, subject)
    if found is None or _unbounded(found) in _PATH_LIKE:
        return found and reader.config.within(table.BARE["os.PathLike"])
    message = f"`os.PathLike`, in the type of {subject.text}, takes `str`, `bytes` or `Any`"
    reader.report(rules.INVALID_TYPE_ARGUMENTS, expr.index.pos, scope, subject, message, help="use `os.PathLike[str]`")
    return None


def _unbounded(kind: Type) -> Type:
    """Without the length that a configuration gives to texts."""
    return kind.inner if isinstance(kind, Bounded) else kind


def _generic_path(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    """`_typeshed.GenericPath[T]`, which is `T | os.PathLike[T]`."""
    found = _one(reader, expr, scope, subject)
    return found and reader.union((found, reader.config.within(table.BARE["os.PathLike"])))


def json_constant(value: Value) -> Constant:
    """The constant a literal or member stands for in JSON."""
    found = value.value if isinstance(value, EnumMember) else value
    return found if isinstance(found, Constant) else Constant(None)


def _optional(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    if not has_arguments(reader, expr, scope, subject, 1):
        return None
    return reader.members((expr.index, ex.Constant(expr.pos, None)), expr.pos, scope, subject)


def _union(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    return reader.members(expr.arguments, expr.pos, scope, subject)


def _annotated(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    if len(expr.arguments) < 2:
        message = f"`Annotated`, in the type of {subject.text}, needs a type and at least one more argument"
        reader.report(rules.INVALID_TYPE_ARGUMENTS, expr.pos, scope, subject, message)
        return None
    return reader.argument(expr, scope, subject)


def _literal(reader: TypeReader, expr: ex.Subscript, scope: Scope, subject: Subject) -> Type | None:
    values: dict[Value, None] = {}
    for argument in expr.arguments:
        found = _literal_values(reader, argument, scope, subject, alone=argument is expr.index)
        if found is None:
            return None
        for value in found:
            values.setdefault(value)
    if not values:
        reader.report(rules.INVALID_LITERAL, expr.pos, scope, subject, "a `Literal` needs at least one value")
        return None
    return LiteralOf(tuple(values))


def _literal_values(
    reader: TypeReader, expr: ex.Expr, scope: Scope, subject: Subject, *, alone: bool
) -> tuple[Value, ...] | None:
    """The values of one argument of `Literal`: a constant, an enum member, or another `Literal`.

    What stands in brackets `alone` may be a tuple of values: `Literal[MODES]` is what its tuple in brackets is, and so
    is `Literal[*MODES]`. Type checkers take less than Python does.
    """
    unpacked = isinstance(expr, ex.Starred)
    expr = expr.value if isinstance(expr, ex.Starred) else expr
    if isinstance(expr, (ex.Subscript, ex.Name, ex.Attribute)) and not unpacked:
        nested = _nested_literal(reader, expr, scope, subject)
        if nested is not None:
            return nested
    if unpacked or alone:
        arguments = _arguments_of_literal(reader, expr, scope, subject)
        if arguments is not None:
            return arguments
    value = reader.constants.evaluate(expr, scope)
    if isinstance(value, NotConstant) and value.unresolved is not None:
        reader.unresolved(value.unresolved, subject)
        return None
    values: tuple[Value | NotConstant, ...] = (value,)
    if unpacked:
        from .iteration import iterated

        items = iterated(reader.constants, expr, scope)
        values = (items,) if isinstance(items, NotConstant) else items
    elif alone and isinstance(value, Sequence) and value.kind == "tuple":
        values = value.items
    found = [item for item in values if _fits_literal(item)]
    if len(found) == len(values):
        return tuple(found)
    message = f"a `Literal`, in the type of {subject.text}, holds something that can't be in it"
    label = "a literal is a string, an int, a bool, None or an enum member"
    if isinstance(value, Constant) and isinstance(value.value, bytes):
        label = "bytes can't be written as JSON"
    reader.report(rules.INVALID_LITERAL, expr.pos, scope, subject, message, label=label)
    return None


def _arguments_of_literal(
    reader: TypeReader, expr: ex.Expr, scope: Scope, subject: Subject
) -> tuple[Value, ...] | None:
    """The values that `get_args(Mode)` gives of a `Literal`, None for anything else."""
    if not isinstance(expr, ex.Call) or len(expr.args) != 1 or expr.keywords:
        return None
    if reader.resolver.dealias(reader.resolver.resolve(expr.func, scope)) != KnownSymbol("typing.get_args"):
        return None
    return _nested_literal(reader, expr.args[0], scope, subject)


def _fits_literal(value: Value | NotConstant) -> TypeGuard[Value]:
    """Whether a value can be in a `Literal`."""
    if isinstance(value, EnumMember):
        return True
    return isinstance(value, Constant) and (value.value is None or isinstance(value.value, (bool, int, str)))


def _nested_literal(reader: TypeReader, expr: ex.Expr, scope: Scope, subject: Subject) -> tuple[Value, ...] | None:
    """The values of `Literal[...]` or of an alias of it, None for anything else."""
    if isinstance(expr, (ex.Name, ex.Attribute)):
        symbol = reader.resolver.dealias(reader.resolver.resolve(expr, scope))
        if not isinstance(symbol, ValueSymbol) or not isinstance(symbol.expr, ex.Subscript):
            return None
        expr, scope = symbol.expr, symbol.scope
    if not isinstance(expr, ex.Subscript):
        return None
    owner = reader.resolver.dealias(reader.resolver.resolve(expr.value, scope))
    if owner != KnownSymbol("typing.Literal"):
        return None
    if expr not in reader.literals:
        reader.literals[expr] = None  # what it is while it is being read: it may come back to itself
        reader.literals[expr] = reader.read(expr, scope, subject)
    found = reader.literals[expr]
    if found == table.NULL:
        return (Constant(None),)
    return found.values if isinstance(found, LiteralOf) else None


_SPECIAL: dict[str, _Reader] = {
    **dict.fromkeys(table.LISTS, _list),
    **dict.fromkeys(table.SETS, _set),
    **dict.fromkeys(table.FROZEN_SETS, _frozen_set),
    **dict.fromkeys(table.TUPLES, _tuple),
    **dict.fromkeys(table.DICTS, _dict),
    **dict.fromkeys(table.DEQUES, _deque),
    **dict.fromkeys(table.ORDERED_DICTS, _ordered_dict),
    **dict.fromkeys(table.DEFAULT_DICTS, _default_dict),
    **dict.fromkeys(table.COUNTERS, _counter),
    **dict.fromkeys(("re.Pattern", "typing.Pattern"), _pattern),
    "os.PathLike": _path_like,
    "_typeshed.GenericPath": _generic_path,
    "typing.Optional": _optional,
    "typing.Union": _union,
    "typing.Annotated": _annotated,
    "typing.Literal": _literal,
}


def _of_pydantic(name: str) -> _Reader | None:
    """The reader of one of pydantic's own forms."""
    if not name.startswith("pydantic."):
        return None
    from .pydantic_forms import FORMS

    return FORMS.get(name)
