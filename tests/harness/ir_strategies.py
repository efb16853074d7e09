"""Types drawn twice, as Python evaluates them and as back ends see them; and JSON values for them, right and wrong."""

from __future__ import annotations

import json
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin
from uuid import UUID

from hypothesis import strategies as st
from lauren_compiler.ir.bounds import within
from lauren_compiler.ir.formats import FORMATS
from lauren_compiler.ir.types import (
    Adapted,
    AliasDefinition,
    Anything,
    Bounded,
    Bounds,
    Built,
    BuiltKind,
    Definition,
    Described,
    DictOf,
    EnumDefinition,
    FormatKind,
    Formatted,
    JsonText,
    ListOf,
    LiteralOf,
    ObjectKind,
    Reference,
    Scalar,
    ScalarKind,
    SetOf,
    Stated,
    TupleOf,
    Type,
    VariadicTupleOf,
)
from lauren_compiler.ir.types import Union as UnionOf
from lauren_compiler.ir.values import Constant
from lauren_compiler.schema.constants import json_of
from pydantic import Field

from . import every_type
from .formats import ANNOTATIONS, nearly, texts
from .open_tuples import open_tuple
from .tool_sets import BOOLEAN, INTEGER, NULL, NUMBER, STRING, to

BY_KEY: Mapping[str, Definition] = {
    f"{definition.module}:{definition.qualname}": definition for definition in every_type.DEFINITIONS
}
Definitions: TypeAlias = Mapping[str, Definition]
SPECIAL = ("https://a.b/c", "2020-01-01", "2999-01-01T00:00:00Z", "[1]", "5.25", 3, [1, 2])
"""Values that some of pydantic's own types take."""
WORDS = ("a", "b", "red", "x", "", "5", "true", "null", "[1]", '{"a": 1}', "Ünï")


@dataclass(frozen=True)
class Both:
    """A type as Python's annotation and as IR; `hashable` says that a set may hold its values."""

    annotation: Any
    type: Type
    hashable: bool = False


Drawn: TypeAlias = st.SearchStrategy[Both]

_SCALARS = (
    Both(str, STRING, True),
    Both(int, INTEGER, True),
    Both(float, NUMBER, True),
    Both(bool, BOOLEAN, True),
    Both(type(None), NULL, True),
    Both(Any, Anything()),
)
_NAMED = (
    Both(every_type.Color, to("Color"), True),
    Both(every_type.Size, to("Size"), True),
    Both(every_type.Mixed, to("Mixed"), True),
    Both(every_type.Right, to("Right"), True),
    Both(every_type.Point, to("Point")),
    Both(every_type.Tree, to("Tree")),
    Both(every_type.Empty, to("Empty")),
    Both(every_type.Patch, to("Patch")),
    Both(every_type.Span, to("Span"), True),
    Both(every_type.AllDefaults, to("AllDefaults"), True),
    Both(every_type.Count, to("Count"), True),
    Both(every_type.Json, to("Json")),
)
_BOUNDED = (
    Both(Annotated[int, Field(ge=1, lt=7)], Bounded(INTEGER, Bounds(ge=1, lt=7)), True),
    Both(Annotated[int, Field(gt=-2, multiple_of=3)], Bounded(INTEGER, Bounds(gt=-2, multiple_of=3)), True),
    Both(Annotated[float, Field(le=2.5)], Bounded(NUMBER, Bounds(le=2.5)), True),
    Both(Annotated[float, Field(multiple_of=0.5)], Bounded(NUMBER, Bounds(multiple_of=0.5)), True),
    Both(Annotated[str, Field(min_length=1, max_length=3)], Bounded(STRING, Bounds(min_length=1, max_length=3)), True),
    Both(Annotated[str, Field(pattern="^[a-z]+$")], Bounded(STRING, Bounds(pattern="^[a-z]+$")), True),
    Both(Annotated[list[int], Field(max_length=2)], Bounded(ListOf(INTEGER), Bounds(max_length=2))),
    Both(Annotated[set[str], Field(min_length=1)], Bounded(SetOf(STRING), Bounds(min_length=1))),
    Both(Annotated[dict[str, Any], Field(min_length=1)], Bounded(DictOf(STRING, Anything()), Bounds(min_length=1))),
)
_FORMATTED = tuple(Both(annotation, Formatted(kind), True) for kind, annotation in ANNOTATIONS.items())
_BUILT = (
    Both(deque[int], Built(ListOf(INTEGER), BuiltKind.DEQUE)),
    Both(deque, Built(ListOf(Anything()), BuiltKind.DEQUE)),
    Both(OrderedDict[str, float], Built(DictOf(STRING, NUMBER), BuiltKind.ORDERED_DICT)),
    Both(Counter[str], Built(DictOf(STRING, INTEGER), BuiltKind.COUNTER)),
    Both(defaultdict[str, int], Built(DictOf(STRING, INTEGER), BuiltKind.DEFAULT_DICT, "int")),
    Both(defaultdict[str, list[str]], Built(DictOf(STRING, ListOf(STRING)), BuiltKind.DEFAULT_DICT, "list")),
)
_KEYS = (
    Both(str, STRING),
    Both(float, NUMBER),
    Both(bool, BOOLEAN),
    Both(Any, Anything()),
    Both(every_type.Color, to("Color")),
    Both(Literal["a", "b"], LiteralOf((Constant("a"), Constant("b")))),
    Both(date, Formatted(FormatKind.DATE)),
    Both(UUID, Formatted(FormatKind.UUID)),
    Both(Decimal, Formatted(FormatKind.DECIMAL)),
    Both(bytes, Formatted(FormatKind.BINARY)),
)


@st.composite
def _literals(draw: st.DrawFn) -> Both:
    value = st.one_of(st.sampled_from(WORDS), st.integers(-2, 3), st.booleans(), st.none())
    values = draw(st.lists(value, min_size=1, max_size=3, unique_by=lambda one: (type(one), one)))
    return Both(Literal[tuple(values)], LiteralOf(tuple(map(Constant, values))), True)


@st.composite
def _unions(draw: st.DrawFn, inner: Drawn) -> Both:
    """`typing.Union` flattens and drops equal members: what it leaves is looked up again."""
    drawn = draw(st.lists(inner, min_size=2, max_size=4))
    known: list[Both] = []
    for one in drawn:
        known += _members(one)
    annotation = Union[tuple(one.annotation for one in known)]  # noqa: UP007
    if get_origin(annotation) is not Union:
        return known[0]
    left = [next(one for one in known if one.annotation == arg) for arg in get_args(annotation)]
    return Both(annotation, UnionOf(tuple(one.type for one in left)), all(one.hashable for one in left))


def _members(one: Both) -> list[Both]:
    if not isinstance(one.type, UnionOf):
        return [one]
    pairs = zip(get_args(one.annotation), one.type.members, strict=True)
    return [Both(annotation, type_, one.hashable) for annotation, type_ in pairs]


def _wrap(inner: Drawn) -> Drawn:
    hashable = inner.filter(lambda one: one.hashable)
    return st.one_of(
        st.builds(lambda one: Both(list[one.annotation], ListOf(one.type)), inner),
        st.builds(lambda one: Both(set[one.annotation], SetOf(one.type)), hashable),
        st.builds(lambda one: Both(frozenset[one.annotation], SetOf(one.type, True), True), hashable),
        st.builds(lambda one: Both(tuple[one.annotation, ...], VariadicTupleOf(one.type), one.hashable), inner),
        st.builds(_tuple, st.lists(inner, max_size=3)),
        st.builds(_open_tuple, st.lists(inner, min_size=1, max_size=2), inner),
        st.builds(
            lambda key, one: Both(dict[key.annotation, one.annotation], DictOf(key.type, one.type)),
            st.sampled_from(_KEYS),
            inner,
        ),
        _unions(inner),
    )


def _tuple(members: list[Both]) -> Both:
    annotation = tuple[tuple(one.annotation for one in members)] if members else tuple[()]  # type: ignore[misc]
    return Both(annotation, TupleOf(tuple(one.type for one in members)), all(one.hashable for one in members))


_OPEN: dict[Type, Both] = {}


def _open_tuple(prefix: list[Both], item: Both) -> Both:
    """One annotation for each type: the same in a union twice is one member."""
    made = VariadicTupleOf(item.type, tuple(one.type for one in prefix))
    if made not in _OPEN:
        annotation = open_tuple(tuple(one.annotation for one in prefix), item.annotation)
        _OPEN[made] = Both(annotation, made, all(one.hashable for one in (*prefix, item)))
    return _OPEN[made]


def types() -> Drawn:
    """Types of every kind, nested and in unions; named ones are those of `every_type`, in module `shop`."""
    known = (_SCALARS, _NAMED, _BOUNDED, _FORMATTED, _BUILT)
    leaves = st.one_of(_literals(), *(st.sampled_from(some) for some in known))
    return st.recursive(leaves, _wrap, max_leaves=5)


def any_json() -> st.SearchStrategy[Any]:
    """JSON values of any kind."""
    scalars = st.one_of(
        st.none(), st.booleans(), st.integers(-3, 9), st.sampled_from((0.0, 1.0, 2.5, 1e300)), st.sampled_from(WORDS)
    )
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3),
        max_leaves=6,
    )


_SCALAR_VALUES: Mapping[ScalarKind, st.SearchStrategy[Any]] = {
    ScalarKind.STRING: st.sampled_from(WORDS) | st.text(st.characters(codec="utf-8"), max_size=5),
    ScalarKind.INTEGER: st.integers(-3, 9) | st.just(2.0) | st.just(-(2**70)),
    ScalarKind.NUMBER: st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3, 9),
    ScalarKind.BOOLEAN: st.booleans(),
    ScalarKind.NULL: st.none(),
}


def values(type_: Type, depth: int = 0, known: Definitions = BY_KEY) -> st.SearchStrategy[Any]:
    """JSON values that the schema of the type accepts; `known` are the definitions of named types."""
    if isinstance(type_, Scalar):
        return _SCALAR_VALUES[type_.kind]
    if isinstance(type_, Formatted):
        number = st.integers(-3, 9) | st.just(1.5) if FORMATS[type_.kind].number else st.nothing()
        return texts(type_.kind) | number
    if isinstance(type_, Built):
        return values(type_.inner, depth, known)
    if isinstance(type_, (Anything, Stated)):
        return any_json()
    if isinstance(type_, Adapted):
        return values(type_.inner, depth, known) | st.sampled_from(SPECIAL)
    if isinstance(type_, JsonText):
        return values(type_.inner, depth, known).map(json.dumps)
    if isinstance(type_, Bounded) and isinstance(type_.inner, Formatted):
        return values(type_.inner, depth, known)
    if isinstance(type_, Bounded):
        # Filtered, not made to measure: a container is empty where nesting ends, whatever its bounds say.
        return values(type_.inner, min(depth, 1), known).filter(lambda value: within(type_.bounds, value))
    if isinstance(type_, Described):
        return values(type_.inner, depth, known)
    if isinstance(type_, LiteralOf):
        return st.sampled_from([json_of(value, known) for value in type_.values])
    if isinstance(type_, UnionOf):
        return st.one_of([values(member, depth, known) for member in type_.members])
    if isinstance(type_, Reference):
        # Values nest no deeper; without an end, building the strategy of a recursive class would have none.
        return st.nothing() if depth > 2 else _defined(known[type_.key], depth + 1, known)
    return _containers(type_, depth, known)


def _containers(type_: Type, depth: int, known: Definitions) -> st.SearchStrategy[Any]:
    if depth > 1 and not isinstance(type_, (TupleOf, VariadicTupleOf)):
        return st.just({} if isinstance(type_, DictOf) else [])
    match type_:
        case ListOf(item):
            return st.lists(values(item, depth, known), max_size=3)
        case VariadicTupleOf(item, prefix):
            first = st.tuples(*(values(one, depth, known) for one in prefix))
            rest = st.lists(values(item, depth, known), max_size=0 if depth > 1 else 3)
            return st.builds(lambda some, more: [*some, *more], first, rest)
        case SetOf(item):
            return st.lists(values(item, depth, known), max_size=3, unique_by=_identity)
        case TupleOf(items):
            return st.tuples(*(values(item, depth, known) for item in items)).map(list)
        case DictOf(key, item):
            return st.dictionaries(_keys(key, known), values(item, depth, known), max_size=3)
        case _:
            raise TypeError(type_)


def _keys(key: Type, known: Definitions) -> st.SearchStrategy[str]:
    if isinstance(key, Described):
        return _keys(key.inner, known)
    if isinstance(key, Reference) and isinstance(alias := known[key.key], AliasDefinition):
        return _keys(alias.type, known)
    if isinstance(key, (LiteralOf, Reference)):
        return values(key, 0, known)
    if key == INTEGER:
        return st.integers().map(str)
    if key == NUMBER:
        return st.floats(allow_nan=False, allow_infinity=False).map(repr)
    if key == BOOLEAN:
        return st.sampled_from(("true", "false", "Yes", "0"))
    if isinstance(key, Formatted):
        return values(key, 0, known).filter(lambda value: isinstance(value, str))
    return st.sampled_from(WORDS)


def _identity(value: Any) -> str:
    """Equal for values that JSON holds equal."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def _defined(definition: Definition, depth: int, known: Definitions) -> st.SearchStrategy[Any]:
    if isinstance(definition, AliasDefinition):
        return values(definition.type, depth, known)
    if isinstance(definition, EnumDefinition):
        return st.sampled_from([json_of(value, known) for _, value in definition.members])
    fields = definition.fields
    if definition.kind is ObjectKind.ROOT_MODEL:
        return values(fields[0].type, depth, known)
    if definition.is_array:
        least = definition.least
        full = st.tuples(*(values(field.type, depth, known) for field in fields))
        return st.builds(lambda items, count: list(items[:count]), full, st.integers(least, len(fields)))
    needed = {field.wire: values(field.type, depth, known) for field in fields if field.required}
    optional = {field.wire: values(field.type, depth, known) for field in fields if not field.required and depth < 3}
    made: st.SearchStrategy[Any] = st.fixed_dictionaries(needed, optional=optional)
    if definition.closed:
        return made
    unknown = st.dictionaries(st.sampled_from(("zz", "y2")), any_json(), max_size=1)
    return st.builds(lambda known_keys, more: {**more, **known_keys}, made, unknown)


@st.composite
def mutated(draw: st.DrawFn, type_: Type, known: Definitions = BY_KEY) -> Any:
    """A value of the type in which one place was changed."""
    value = draw(values(type_, 0, known))
    root: list[Any] = [json.loads(json.dumps(value))]
    holder, step = draw(st.sampled_from(list(_places(root))))
    change = draw(st.sampled_from(("replace", "drop", "add", "twice", "text")))
    if change == "drop" and holder is not root:
        del holder[step]
    elif change == "add" and isinstance(holder[step], dict):
        holder[step][draw(st.sampled_from(WORDS))] = draw(any_json())
    elif change == "twice" and isinstance(holder, list) and holder is not root:
        holder.append(holder[step])
    elif change == "text":
        holder[step] = json.dumps(holder[step])
    else:
        holder[step] = draw(any_json())
    return root[0]


def _places(holder: Any) -> Any:
    steps = holder.items() if isinstance(holder, dict) else enumerate(holder)
    for step, item in list(steps):
        yield holder, step
        if isinstance(item, (dict, list)):
            yield from _places(item)


def some_values(type_: Type, known: Definitions = BY_KEY) -> st.SearchStrategy[Any]:
    """Values that fit, that nearly fit, and that hardly do."""
    # None of them twice: whether `one_of` drops a repeated branch depends on a cache.
    near = nearly(type_.kind) if isinstance(type_, Formatted) else st.nothing()
    return st.one_of(values(type_, 0, known), mutated(type_, known), any_json(), near)


@st.composite
def typed_values(draw: st.DrawFn) -> tuple[Both, Any]:
    """A type, and a value for it that may or may not fit."""
    both = draw(types())
    return both, draw(some_values(both.type))
