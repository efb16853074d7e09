"""Types as back ends see them: a closed union of frozen dataclasses without source expressions.

`list[Point | None]` of a dataclass `Point` in module `shop.models` is

    ListOf(Union((Reference("shop.models:Point"), Scalar(ScalarKind.NULL))))

with the `ObjectDefinition` of `Point` under that key in `ToolSet.definitions`. Named types (classes, enums,
PEP 695 and recursive aliases) are always behind a `Reference`; recursion goes through references only.
"""

from __future__ import annotations

import enum
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import astuple

from ..source.span import Span
from .recipes import Recipe
from .values import Constant, Factory, Value


class ScalarKind(enum.StrEnum):
    """Types whose JSON form is one scalar and whose Python form is the same value."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    NULL = "null"


class Anything(Struct, frozen=True):
    """`Any` and `object`: every JSON value, passed through as it is."""


class Scalar(Struct, frozen=True):
    """`str`, `int`, `float`, `bool` or `None`."""

    kind: ScalarKind


class LiteralOf(Struct, frozen=True):
    """`Literal[...]`: JSON constants (`Constant`) and enum members (`EnumMember`), in source order, no duplicates."""

    values: tuple[Value, ...]


class ListOf(Struct, frozen=True):
    """`list[item]`."""

    item: Type


class SetOf(Struct, frozen=True):
    """`set[item]` or, if `frozen`, `frozenset[item]`: an array of unique items."""

    item: Type
    frozen: bool = False


class TupleOf(Struct, frozen=True, eq=False):
    """`tuple[a, b]`: an array of exactly these items; `tuple[()]` has none.

    `unpacked` if some of them were written as a tuple of their own, with a star: pydantic can't read that.
    """

    items: tuple[Type, ...]
    unpacked: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TupleOf) and self.items == other.items

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct's own looks at no `__eq__`

    def __hash__(self) -> int:
        return hash((TupleOf, self.items))


class VariadicTupleOf(Struct, frozen=True, eq=False):
    """`tuple[item, ...]`, bare `tuple`, and with a `prefix` `tuple[a, b, *tuple[item, ...]]`.

    `unpacked` is what it is of `TupleOf`.
    """

    item: Type
    prefix: tuple[Type, ...] = ()
    unpacked: bool = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VariadicTupleOf) and (self.item, self.prefix) == (other.item, other.prefix)

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct's own looks at no `__eq__`

    def __hash__(self) -> int:
        return hash((VariadicTupleOf, self.item, self.prefix))


class DictOf(Struct, frozen=True):
    """`dict[key, value]`. Keys: `str`, numbers, `bool`, `Any`, a type that is written as a string, or a `Literal` or
    enum all of whose values are strings."""

    key: Type
    value: Type


class Discriminator(Struct, frozen=True):
    """What tells the members of a union apart: their field of the name `key`, or (None) a function of the user's.

    `ir/tags.py` finds the constants that each member takes there.
    """

    key: str | None


class Union(Struct, frozen=True):
    """`a | b`: at least two members, flattened, in source order, without equal ones.

    A discriminated union is a member of others as it is.
    """

    members: tuple[Type, ...]
    discriminator: Discriminator | None = None


class Reference(Struct, frozen=True):
    """A named type: the key of its definition in `ToolSet.definitions` (`module:qualname`)."""

    key: str


class FormatKind(enum.StrEnum):
    """Value types of the standard library whose JSON form is a string (of some, a number too); see ir/formats.py."""

    DATE = "date"
    DATE_TIME = "date_time"
    TIME = "time"
    DURATION = "duration"
    UUID = "uuid"
    DECIMAL = "decimal"
    FRACTION = "fraction"
    PATH = "path"
    POSIX_PATH = "posix_path"
    WINDOWS_PATH = "windows_path"
    PURE_PATH = "pure_path"
    PURE_POSIX_PATH = "pure_posix_path"
    PURE_WINDOWS_PATH = "pure_windows_path"
    BINARY = "binary"
    BYTEARRAY = "bytearray"
    IPV4 = "ipv4"
    IPV6 = "ipv6"
    IPV4_NETWORK = "ipv4_network"
    IPV6_NETWORK = "ipv6_network"
    IPV4_INTERFACE = "ipv4_interface"
    IPV6_INTERFACE = "ipv6_interface"
    REGEX = "regex"


class Formatted(Struct, frozen=True):
    """A value that is written as a string in a form of its own: `date`, `UUID`, `Decimal`, `Path`, `bytes`, …"""

    kind: FormatKind


class BuiltKind(enum.StrEnum):
    """Containers of `collections`."""

    DEQUE = "deque"
    ORDERED_DICT = "ordered_dict"
    DEFAULT_DICT = "default_dict"
    COUNTER = "counter"


class Built(Struct, frozen=True):
    """A list or dict that is handed over as a container of `collections`: `deque[int]` is one of `ListOf(int)`.

    `factory` is the builtin that a `defaultdict` calls for a key that is not there.
    """

    inner: ListOf | DictOf
    kind: BuiltKind
    factory: str | None = None


class Described(Struct, frozen=True):
    """A type with a text for the model: `Annotated[int, Field(description="…")]` below the top of a parameter.

    `keywords` is a JSON object with more of its schema, which says nothing of what is taken: `examples`, `format`, ….
    """

    inner: Type
    description: str | None = None
    title: str | None = None
    keywords: str | None = None


class JsonText(Struct, frozen=True):
    """A string that is the JSON text of a value of a type: `pydantic.Json[inner]`."""

    inner: Type


class Adapted(Struct, frozen=True):
    """A value that pydantic makes, of the JSON values that `inner` takes: the `TypeAdapter` of `annotation` does it.

    `exactness` says how well it fits as a branch of a union ("exact", "lax"), None if as `inner` does. What is
    `reshaped` is written otherwise than it is read. `own` code of the user's runs when the value is made.
    """

    inner: Type
    annotation: Recipe
    exactness: str | None = None
    reshaped: bool = False
    own: bool = False


class Bounds(Struct, frozen=True, eq=False):
    """What `Field` and annotated_types say of a value besides its type, under their names; None where nothing.

    Bounds are equal if they are written alike: a multiple of `2` is told otherwise than one of `2.0`.
    """

    ge: int | float | None = None
    gt: int | float | None = None
    le: int | float | None = None
    lt: int | float | None = None
    multiple_of: int | float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None

    @property
    def given(self) -> tuple[tuple[str, int | float | str], ...]:
        """The bounds that are set, with their names."""
        values = astuple(self)
        if values == _NO_BOUNDS:
            return ()
        return tuple(pair for pair in zip(self.__struct_fields__, values, strict=True) if pair[1] is not None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bounds):
            return False
        own, others = astuple(self), astuple(other)
        return own == others and all(Constant(one) == Constant(two) for one, two in zip(own, others, strict=True))

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct's own looks at no `__eq__`

    def __hash__(self) -> int:
        return hash(astuple(self))


_NO_BOUNDS = astuple(Bounds())


class Bounded(Struct, frozen=True):
    """A number, string, list, set, variadic tuple or dict within bounds that make sense for it."""

    inner: Type
    bounds: Bounds


class Stated(Struct, frozen=True):
    """A type whose JSON Schema the user states, as JSON text.

    Without `inner`, values are what the schema accepts, made into the user's object by a `converter`, if any. With
    `inner` they are decoded as that type, and are `checked` against the schema too, or the schema is only shown.
    `definitions` are the names in the schema's `$defs`, with the definition that each becomes. `origin` is what the
    user's name for the type means, where it is stated for a name.
    """

    schema: str
    inner: Type | None = None
    checked: bool = True
    converter: Factory | None = None
    definitions: tuple[tuple[str, Reference], ...] = ()
    origin: Factory | None = None


Type: TypeAlias = (
    Anything
    | Scalar
    | LiteralOf
    | ListOf
    | SetOf
    | TupleOf
    | VariadicTupleOf
    | DictOf
    | Union
    | Reference
    | Described
    | Bounded
    | Formatted
    | Built
    | Stated
    | JsonText
    | Adapted
)


class Default(Struct, frozen=True):
    """What stands in place of an absent value.

    `json` is the default's JSON text for the schema, None if JSON has no form of it (then only `required` tells).
    """

    json: str | None


class Field(Struct, frozen=True):
    """A member of an object definition. `name` is Python's, `wire` the JSON key."""

    name: str
    wire: str
    type: Type
    required: bool
    default: Default | None
    description: str | None
    title: str | None
    span: Span
    factory: Factory | None = None
    """What makes the value of an absent field anew each time (`default_factory=`)."""
    init: bool = True
    """Whether the constructor takes it: the tag of a struct is told in JSON only."""
    stored: bool = True
    """Whether an instance has it: what an `InitVar` is given is in no result."""
    passed: Value | Factory | None = None
    """A default that the decoder passes, because the class itself has another: one inside pydantic's `Field(...)`."""


class ObjectKind(enum.StrEnum):
    """What is built from the JSON object (or, for a named tuple, array)."""

    DATACLASS = "dataclass"
    FILLED_DATACLASS = "filled_dataclass"
    TYPED_DICT = "typed_dict"
    NAMED_TUPLE = "named_tuple"
    MODEL = "model"
    ROOT_MODEL = "root_model"
    ATTRS = "attrs"
    STRUCT = "struct"
    STRUCT_ARRAY = "struct_array"


class ObjectDefinition(Struct, frozen=True):
    """A dataclass, TypedDict, NamedTuple, attrs class, msgspec struct or pydantic model, with all inherited fields, in
    constructor order.

    An unknown key is dropped, as pydantic does for these kinds (so the schema stays open), unless `closed`; a model
    that is `keeping` has a place for it.
    A dataclass, an attrs class and a struct are built by keyword; a dataclass with a constructor of its own is filled
    with its fields, past that constructor, as pydantic does; a named tuple by position, a TypedDict is a new dict,
    a model is built by pydantic.
    A root model has one field, `root`, whose JSON is the model's.
    `module` and `qualname` tell where the class is imported from (unused for a TypedDict).
    """

    kind: ObjectKind
    module: str
    qualname: str
    fields: tuple[Field, ...]
    description: str | None
    closed: bool
    span: Span
    title: str | None = None
    keeping: bool = False
    arguments: tuple[Type, ...] = ()
    """Of a generic class: what it has in brackets."""
    keywords: str | None = None
    extra: Type | None = None
    """What a model that is `keeping` takes for unknown keys; None for anything."""
    plain: bool = False
    """Of a dataclass: an instance is no more than its fields, which the constructor only sets."""

    @property
    def is_array(self) -> bool:
        """Whether the JSON form is an array, the fields in order."""
        return self.kind in (ObjectKind.NAMED_TUPLE, ObjectKind.STRUCT_ARRAY)

    @property
    def least(self) -> int:
        """How many items the array has at least: as many as the last required field needs."""
        return max((index for index, field in enumerate(self.fields, 1) if field.required), default=0)

    @property
    def most(self) -> int | None:
        """How many items the array has at most; None for a struct, which drops those behind its fields."""
        is_open = self.kind is ObjectKind.STRUCT_ARRAY and not self.closed
        return None if is_open else len(self.fields)


class EnumDefinition(Struct, frozen=True):
    """An enum without aliases: `members` are (member name, JSON value) in definition order.

    A Flag is `flag`: the schema lists its members' values, as pydantic does; the decoder takes those only.
    """

    module: str
    qualname: str
    members: tuple[tuple[str, Value], ...]
    description: str | None
    flag: bool
    span: Span


class AliasDefinition(Struct, frozen=True):
    """A PEP 695 alias, a `TypeAliasType`, or a recursive plain alias: a name for `type`."""

    module: str
    qualname: str
    type: Type
    span: Span
    arguments: tuple[Type, ...] = ()


Definition: TypeAlias = ObjectDefinition | EnumDefinition | AliasDefinition
