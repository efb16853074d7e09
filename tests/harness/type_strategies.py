"""Types and classes as Python source, drawn from all that the compiler covers.

Every type is drawn with its spelling (`list[int]`, `List[int]`, `t.List[int]`), and with a default if it can have one.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from hypothesis import strategies as st

HEADER = """\
import datetime
import dataclasses
import decimal
import enum
import ipaddress
import pathlib
import typing
import uuid
import typing as t
from collections import Counter, OrderedDict, abc, defaultdict, deque
from dataclasses import dataclass, field
from enum import Enum, Flag, IntEnum, IntFlag, StrEnum
from typing import (
    Annotated, Any, Dict, FrozenSet, Generic, List, Literal, NamedTuple, Optional, Set, Tuple, TypeAlias, Union,
)

from pydantic import BaseModel, Field
from typing_extensions import NotRequired, Required, TypeAliasType, TypedDict, TypeVar

from lauren_runtime import tool
"""


@dataclass(frozen=True)
class Spelled:
    """A type as source text. `default` is a value of it, None where none was drawn; `key` says that a dict may have it
    as key, `hashable` that a set may hold it."""

    text: str
    default: str | None = None
    hashable: bool = False
    key: bool = False


@dataclass(frozen=True)
class Class:
    """A class of the module: its source, and the type that its name is."""

    source: str
    spelled: Spelled


Types: TypeAlias = st.SearchStrategy[Spelled]

_MISREAD = re.compile(r"ipaddress|\b[MG]\d")
_WORDS = st.sampled_from(["red", "blue", "a b", "Ünï", "", "it's", 'say "x"', "back\\slash", "a-b", "null"])
_TEXTS = st.sampled_from(["A colour.", "Which one.", 'It\'s "this".', "Ünï\u00a0cøde"])


def _scalars() -> Types:
    return st.sampled_from(
        [
            Spelled("str", "'x'", hashable=True, key=True),
            Spelled("str", "'it\\'s \"x\"'", hashable=True, key=True),
            Spelled("int", "-3", hashable=True, key=True),
            Spelled("float", "2.5", hashable=True),
            Spelled("float", "1", hashable=True),
            Spelled("bool", "True", hashable=True),
            Spelled("None", "None", hashable=True),
            Spelled("Any", "{'k': [1, None]}", hashable=True),
            Spelled("typing.Any", None, hashable=True, key=True),
            Spelled("object", "'o'", hashable=True),
            *(
                Spelled(bare)
                for bare in ("list", "List", "set", "frozenset", "tuple", "t.Tuple", "dict", "typing.Dict")
            ),
        ]
    )


def _formatted() -> Types:
    values = (
        *("datetime.date(2020, 1, 2)", "datetime.datetime(2020, 1, 2, 3, 4, 5, 60)", "datetime.time(3, microsecond=5)"),
        *("datetime.timedelta(days=400, seconds=5.25)", "datetime.timedelta(minutes=-90)", "datetime.timedelta()"),
        *("decimal.Decimal('1.50')", "decimal.Decimal(7)", "decimal.Decimal(1e5)", "uuid.UUID(int=5)"),
        "pathlib.Path('a', './b/')",
        *("ipaddress.IPv4Address('1.2.3.4')", "ipaddress.IPv6Network('fe80::/10')", "bytes"),
    )
    found = [Spelled(value.partition("(")[0], value if "(" in value else "b'x'", hashable=True) for value in values]
    built = ["deque[int]", "deque", "Counter[str]", "OrderedDict[str, int]", "defaultdict[str, list[int]]"]
    # No defaults for these: pydantic can't write a pure path inside a container.
    pure = [Spelled(name, hashable=True) for name in ("pathlib.PurePosixPath", "pathlib.PureWindowsPath")]
    return st.sampled_from([*found, *pure, *map(Spelled, built)])


@st.composite
def _literals(draw: st.DrawFn) -> Spelled:
    strings = draw(st.booleans())
    values = _WORDS if strings else st.none() | st.booleans() | st.integers(-9, 9) | _WORDS
    # `True` is `1` to a list's `unique`: told apart by their text, as Literal does.
    drawn = draw(st.lists(values, min_size=1, max_size=4, unique_by=repr))
    texts = [repr(value) for value in drawn]
    name = draw(st.sampled_from(["Literal", "typing.Literal"]))
    return Spelled(f"{name}[{', '.join(texts)}]", texts[0], hashable=True, key=strings)


def _wrap(inner: Types) -> Types:
    return st.one_of(
        _containers(inner), _tuples(inner), _dicts(inner), _unions(inner), _unions(inner), _annotated(inner)
    )


@st.composite
def _containers(draw: st.DrawFn, inner: Types) -> Spelled:
    item = draw(inner)
    names = ["list", "List", "typing.List"]
    sets = ["set", "Set", "frozenset", "FrozenSet", "t.Set"] if item.hashable else []
    name = draw(st.sampled_from([*names, *sets]))
    default = {"list": "[]", "set": "set()"}.get(name)
    if name == "list" and item.default is not None and draw(st.booleans()):
        default = f"[{item.default}]"
    return Spelled(f"{name}[{item.text}]", default, hashable=item.hashable and name == "frozenset")


@st.composite
def _tuples(draw: st.DrawFn, inner: Types) -> Spelled:
    items = draw(st.lists(inner, max_size=3))
    name = draw(st.sampled_from(["tuple", "Tuple"]))
    hashable = all(item.hashable for item in items)
    if len(items) == 1 and draw(st.booleans()):
        return Spelled(f"{name}[{items[0].text}, ...]", "()", hashable=hashable)
    default = None
    if all(item.default is not None for item in items):
        default = f"({''.join(f'{item.default}, ' for item in items)})"
    return Spelled(f"{name}[{', '.join(item.text for item in items) or '()'}]", default, hashable=hashable)


@st.composite
def _dicts(draw: st.DrawFn, inner: Types) -> Spelled:
    key, value = draw(inner.filter(lambda one: one.key)), draw(inner)
    name = draw(st.sampled_from(["dict", "Dict", "typing.Dict"]))
    return Spelled(f"{name}[{key.text}, {value.text}]", "{}" if name == "dict" else None)


@st.composite
def _unions(draw: st.DrawFn, inner: Types) -> Spelled:
    members = draw(st.lists(inner, min_size=2, max_size=4))
    hashable = all(member.hashable for member in members)
    style = draw(st.sampled_from(["Union", "typing.Union", "|", "Optional"]))
    first = next((member.default for member in members if member.default is not None), None)
    if style == "Optional":
        return Spelled(f"Optional[{members[0].text}]", "None", hashable=members[0].hashable)
    if style == "|" and not any(member.text == "None" for member in members):
        # `None | None` and `"C" | int` can't be evaluated; a None at the end always can.
        return Spelled(" | ".join([member.text for member in members] + ["None"]), "None", hashable=hashable)
    name = "Union" if style == "|" else style
    return Spelled(f"{name}[{', '.join(member.text for member in members)}]", first, hashable=hashable)


@st.composite
def _annotated(draw: st.DrawFn, inner: Types) -> Spelled:
    # pydantic loses what stands on a type of `ipaddress` inside another; what stands on a model it shows elsewhere too.
    one, text = draw(inner.filter(lambda spelled: not _MISREAD.search(spelled.text))), draw(_TEXTS)
    title = ", title='Own title'" if draw(st.integers(0, 4)) == 0 else ""
    text = f"Annotated[{one.text}, Field(description={text!r}{title})]"
    return dataclasses.replace(one, text=text, key=False)


def types(names: Types) -> Types:
    """Types that may refer to `names`."""
    leaves = st.one_of(_scalars(), _scalars(), _formatted(), _literals(), names)
    return st.recursive(leaves, _wrap, max_leaves=6)


@st.composite
def enums(draw: st.DrawFn, name: str) -> Class:
    base, values = draw(
        st.sampled_from(
            [
                ("Enum", ["'red'", "'blue'"]),
                ("enum.Enum", ["1", "2.5"]),
                ("Enum", ["None", "'x'", "True"]),
                ("str, Enum", ["'red'", "'it\\'s'"]),
                ("int, Enum", ["3", "4"]),
                ("StrEnum", ["'low'", "enum.auto()"]),
                ("IntEnum", ["enum.auto()", "7", "enum.auto()"]),
                ("Flag", ["1", "2", "4"]),
                ("IntFlag", ["enum.auto()", "enum.auto()"]),
            ]
        )
    )
    lines = [f"    M{index} = {value}" for index, value in enumerate(values)]
    strings = all(value.startswith("'") for value in values) or base == "StrEnum"
    default = f"{name}.M{draw(st.integers(0, len(values) - 1))}"
    spelled = Spelled(name, default, hashable=True, key=strings and "Flag" not in base)
    return Class("\n".join((f"class {name}({base}):", *docstring(draw), *lines)), spelled)


@st.composite
def objects(draw: st.DrawFn, name: str, inner: Types) -> Class:
    kind = draw(st.sampled_from(["dataclass", "TypedDict", "NamedTuple"]))
    fields = draw(st.lists(inner, min_size=1, max_size=4))
    # Fields with defaults stand behind those without.
    needed = draw(st.integers(0, len(fields)))
    lines = [field_line(draw, kind, f"f{index}", one, index < needed) for index, one in enumerate(fields)]
    # A field without a default behind one that has one is an error in Python.
    needy = [index for index, line in enumerate(lines) if " = " not in line]
    if kind != "TypedDict" and needy:
        lines = [line.split(" = ")[0] if index <= needy[-1] else line for index, line in enumerate(lines)]
    head = {
        "dataclass": ["@dataclass", f"class {name}:"],
        "TypedDict": [f"class {name}(TypedDict{draw(st.sampled_from(['', ', total=False', ', closed=True']))}):"],
        "NamedTuple": [f"class {name}(NamedTuple):"],
    }
    return Class("\n".join((*head[kind], *docstring(draw), *lines)), Spelled(name))


def field_line(draw: st.DrawFn, kind: str, name: str, one: Spelled, needed: bool) -> str:
    """A field of a class; without its default if it is `needed`."""
    if kind == "TypedDict":
        wrapper = draw(st.sampled_from(["{}", "Required[{}]", "NotRequired[{}]"]))
        return f"    {name}: {_quoted(wrapper.format(one.text))}"
    line = f"    {name}: {_quoted(one.text)}"
    if needed or one.default is None:
        return line
    if one.default[:1] in "[{(" or one.default == "set()":
        return f"{line} = field(default_factory=list)" if kind == "dataclass" and one.default == "[]" else line
    return f"{line} = {one.default}"


def _quoted(text: str) -> str:
    """A string annotation, so that it may name a class that is defined below."""
    return repr(text)


def docstring(draw: st.DrawFn) -> list[str]:
    """The docstring of a class, if it has one."""
    # Of a class that holds itself, pydantic shows a text twice which stands in both places; elsewhere it does not.
    return [f"    '''{draw(_TEXTS)} (Of a class.)'''"] if draw(st.booleans()) else []


def spelling() -> st.SearchStrategy[Callable[[str], str]]:
    """An annotation as it is, or in quotes."""
    return st.sampled_from([str, repr])
