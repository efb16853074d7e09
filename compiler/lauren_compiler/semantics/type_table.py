"""Known names as types: what they are bare, what they take in brackets, and why some have no JSON form.

Sources: the `typing` and `collections.abc` documentation; pydantic's conversion table for which of them are data.
"""

from __future__ import annotations

from ..ir.formats import BY_PYTHON, FORMATS
from ..ir.types import (
    Anything,
    Built,
    BuiltKind,
    DictOf,
    FormatKind,
    Formatted,
    ListOf,
    Scalar,
    ScalarKind,
    SetOf,
    TupleOf,
    Type,
    Union,
    VariadicTupleOf,
)
from . import typeshed
from .known import WITHOUT_DATA

ANYTHING = Anything()
NULL = Scalar(ScalarKind.NULL)
STRING = Scalar(ScalarKind.STRING)
INTEGER = Scalar(ScalarKind.INTEGER)
_DICT = DictOf(ANYTHING, ANYTHING)
_LIST = ListOf(ANYTHING)
DEQUES = frozenset({"collections.deque", "typing.Deque"})
ORDERED_DICTS = frozenset({"collections.OrderedDict", "typing.OrderedDict"})
COUNTERS = frozenset({"collections.Counter", "typing.Counter"})
DEFAULT_DICTS = frozenset({"collections.defaultdict", "typing.DefaultDict"})

BARE: dict[str, Type] = {
    "builtins.str": STRING,
    "builtins.int": Scalar(ScalarKind.INTEGER),
    "builtins.float": Scalar(ScalarKind.NUMBER),
    "builtins.bool": Scalar(ScalarKind.BOOLEAN),
    "builtins.object": ANYTHING,
    "builtins.list": _LIST,
    "builtins.dict": _DICT,
    "builtins.set": SetOf(ANYTHING),
    "builtins.frozenset": SetOf(ANYTHING, frozen=True),
    "builtins.tuple": VariadicTupleOf(ANYTHING),
    "types.NoneType": NULL,
    "typing.Any": ANYTHING,
    "typing.Text": STRING,
    "typing.LiteralString": STRING,
    "typing.List": _LIST,
    "typing.Dict": _DICT,
    "typing.Set": SetOf(ANYTHING),
    "typing.FrozenSet": SetOf(ANYTHING, frozen=True),
    "typing.Tuple": VariadicTupleOf(ANYTHING),
    "typing.AbstractSet": SetOf(ANYTHING),
    "collections.abc.Sequence": _LIST,
    "collections.abc.MutableSequence": _LIST,
    "collections.abc.Collection": _LIST,
    "collections.abc.Iterable": _LIST,
    "collections.abc.Set": SetOf(ANYTHING),
    "collections.abc.MutableSet": SetOf(ANYTHING),
    "collections.abc.Mapping": _DICT,
    "collections.abc.MutableMapping": _DICT,
    **{python: Formatted(kind) for python, kind in BY_PYTHON.items()},
    "typing.Pattern": Formatted(BY_PYTHON["re.Pattern"]),
    "os.PathLike": Formatted(FormatKind.PURE_PATH),  # as pydantic builds it
    **dict.fromkeys(DEQUES, Built(_LIST, BuiltKind.DEQUE)),
    **dict.fromkeys(ORDERED_DICTS, Built(_DICT, BuiltKind.ORDERED_DICT)),
    **dict.fromkeys(COUNTERS, Built(DictOf(ANYTHING, INTEGER), BuiltKind.COUNTER)),
    "typing.AnyStr": Union((Formatted(FormatKind.BINARY), STRING)),
    **typeshed.TYPES,
}
"""Types that need no brackets."""

FACTORIES: dict[Type, str] = {
    STRING: "str",
    INTEGER: "int",
    Scalar(ScalarKind.NUMBER): "float",
    Scalar(ScalarKind.BOOLEAN): "bool",
}
CONTAINER_FACTORIES: dict[type[Type], str] = {
    ListOf: "list",
    DictOf: "dict",
    SetOf: "set",
    TupleOf: "tuple",
    VariadicTupleOf: "tuple",
}
"""What a `defaultdict` makes of its values' type where a key is missing."""

LISTS = frozenset(name for name, bare in BARE.items() if isinstance(bare, ListOf))
SETS = frozenset(name for name, bare in BARE.items() if isinstance(bare, SetOf) and not bare.frozen)
FROZEN_SETS = frozenset(name for name, bare in BARE.items() if isinstance(bare, SetOf) and bare.frozen)
TUPLES = frozenset(name for name, bare in BARE.items() if isinstance(bare, VariadicTupleOf))
DICTS = frozenset(name for name, bare in BARE.items() if isinstance(bare, DictOf))

NEEDS_BRACKETS = frozenset({"typing.Optional", "typing.Union", "typing.Literal", "typing.Annotated"})

_WAY_OUT = "take a type that JSON can carry"
IMPOSSIBLE: dict[str, str] = {
    "builtins.complex": "use `float`, or two of them",
    "builtins.type": "take the class's name as a `str` or a `Literal`",
    "builtins.memoryview": _WAY_OUT,
    "builtins.slice": _WAY_OUT,
    "builtins.range": "take its bounds as `int` parameters",
    "typing.Type": "take the class's name as a `str` or a `Literal`",
    "typing.Never": "no value fits it",
    "typing.NoReturn": "no value fits it",
    "typing.IO": "take a path or the content as `str`",
    "typing.TextIO": "take a path or the content as `str`",
    "typing.BinaryIO": "take a path or the content as `str`",
    "typing.ChainMap": "use `dict`",
    "typing.Protocol": "name a class with fields, such as a dataclass",
    "collections.ChainMap": "use `dict`",
    "datetime.timezone": "take an offset or a name as `str`",
    "datetime.tzinfo": "take an offset or a name as `str`",
    "re.Match": _WAY_OUT,
    "msgspec.Raw": "name the type of the value, or `Any`",
    "pydantic.BaseModel": "name the model that is meant",
    "pydantic.RootModel": "name the model that is meant",
    "pydantic.InstanceOf": "take the data that the object is made of",
    **{
        f"collections.abc.{name}": _WAY_OUT
        for name in (
            "AsyncGenerator AsyncIterable AsyncIterator Awaitable Buffer ByteString Callable Container Coroutine "
            "Generator Hashable ItemsView Iterator KeysView MappingView Reversible Sized ValuesView"
        ).split()
    },
    **dict.fromkeys(WITHOUT_DATA, _WAY_OUT),
    "typing.Callable": _WAY_OUT,
    "typing.AsyncContextManager": _WAY_OUT,
    "typing.ContextManager": _WAY_OUT,
}
"""Types that no JSON value can be: the remedy for each."""

NOT_COVERED: dict[str, tuple[str, str]] = dict.fromkeys(
    ("collections.defaultdict", "typing.DefaultDict"),
    ("what stands for a missing key is not said", "say what its values are: `defaultdict[str, int]`"),
)
"""Types whose name alone does not say what to make of the JSON (pydantic refuses them too): why, and the remedy."""

MISPLACED: dict[str, str] = {
    "typing.Required": "only a TypedDict's keys can be `Required`",
    "typing.NotRequired": "only a TypedDict's keys can be `NotRequired`",
    "typing.ReadOnly": "only a TypedDict's keys can be `ReadOnly`",
    "typing.ClassVar": "only a class's attributes can be `ClassVar`",
    "typing.Final": "`Final` belongs to variables and attributes",
    "typing.Unpack": "`Unpack` belongs to `*args` and `**kwargs`",
    "typing.TypeAlias": "`TypeAlias` marks an alias where it is defined",
    "typing.Generic": "`Generic` belongs to the bases of a class",
    "typing.TypeVar": "a type variable is made by a call of it",
    "msgspec.UnsetType": "only a struct's fields can be `UnsetType`, beside another type",
    "dataclasses.InitVar": "only a dataclass's fields can be `InitVar`",
}
"""Type qualifiers outside the place they belong to."""

_LENGTHS = frozenset({"min_length", "max_length"})
_NUMERIC = frozenset({"ge", "gt", "le", "lt", "multiple_of"})


def bounds_of(kind: Type) -> frozenset[str]:
    """The bounds that make sense for a type."""
    if isinstance(kind, Scalar):
        if kind.kind is ScalarKind.STRING:
            return _LENGTHS | {"pattern"}
        return _NUMERIC if kind.kind in (ScalarKind.INTEGER, ScalarKind.NUMBER) else frozenset()
    if isinstance(kind, Formatted):
        return _NUMERIC if FORMATS[kind.kind].number else _LENGTHS if kind.kind is FormatKind.BINARY else frozenset()
    return _LENGTHS if isinstance(kind, (ListOf, SetOf, VariadicTupleOf, DictOf, Built)) else frozenset()


_BUILTIN_CLASSES = frozenset("classmethod enumerate filter map property reversed staticmethod super type zip".split())

MISTAKEN: dict[str, str] = {
    "builtins.any": "did you mean `typing.Any`?",
    "builtins.callable": "did you mean `collections.abc.Callable`? It has no JSON form either",
    "builtins.iter": "did you mean `list`?",
}
"""Functions that are written where a type was meant."""


def is_class(name: str) -> bool:
    """Whether a known name is a class, by the naming rules of the standard library."""
    module, _, last = name.rpartition(".")
    return last[:1].isupper() or (module == "builtins" and last in _BUILTIN_CLASSES)
