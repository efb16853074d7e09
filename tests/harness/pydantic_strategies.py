"""Annotations of pydantic's drawn as source text: bounds, keywords and validators on every type that takes them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hypothesis import strategies as st

SETUP = """
import typing
from collections import Counter, deque
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, Optional, Union

import annotated_types as at
from pydantic import (
    AfterValidator, AnyUrl, AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, HttpUrl, IPvAnyAddress, Json,
    NaiveDatetime, PastDate, PositiveInt, RootModel, Secret, SecretStr, SkipValidation, StrictStr, StringConstraints,
    UUID4, WithJsonSchema, WrapValidator, conint, conlist, constr,
)
from lauren_runtime import tool


def same(value: Any) -> Any:
    return value


def around(value: Any, handler: Any) -> Any:
    return handler(value)


class Cat(BaseModel):
    kind: Literal["cat"]
    n: int = 1


class Dog(BaseModel):
    kind: Literal["dog", "wolf"]
    name: Annotated[str, Field(max_length=3)] = "x"


class Names(RootModel[list[str]]):
    pass
"""


@dataclass(frozen=True)
class Drawn:
    """An annotation; which bounds it takes; whether a set may hold its values; whether code of the user's is in it."""

    text: str
    bounds: tuple[str, ...] = ()
    hashable: bool = True
    own: bool = False


def _numbers(*values: str) -> tuple[str, ...]:
    return tuple(f"{name}={value}" for name in ("ge", "gt", "le", "lt") for value in values)


_LENGTHS = ("min_length=1", "max_length=2", "min_length=0", "max_length=3")
_BASES = (
    Drawn("int", (*_numbers("0", "3"), "multiple_of=2")),
    Drawn("float", (*_numbers("0", "2.5"), "multiple_of=0.5", "allow_inf_nan=False")),
    Drawn("str", (*_LENGTHS, "pattern='^[a-z]+$'", "strict=True")),
    Drawn("bytes", _LENGTHS),
    Drawn("bool"),
    Drawn("Any", hashable=False),
    Drawn("Decimal", (*_numbers("0", "Decimal('1.5')"), "max_digits=3", "decimal_places=1")),
    Drawn("date", _numbers("date(2020, 1, 1)", "date(2024, 2, 29)")),
    Drawn("datetime", _numbers("datetime(2020, 1, 1)")),
    Drawn("time", _numbers("time(12, 30)")),
    Drawn("timedelta", _numbers("timedelta(hours=1)", "timedelta(0)")),
    Drawn("Literal['a', 'b', 3]"),
    *map(Drawn, ("PastDate", "AwareDatetime", "NaiveDatetime", "UUID4", "IPvAnyAddress", "StrictStr")),
    Drawn("HttpUrl", ("max_length=20",)),
    Drawn("AnyUrl"),
    Drawn("SecretStr", _LENGTHS),
    Drawn("PositiveInt", ("le=9",)),
    Drawn("conint(ge=1, le=5)"),
    Drawn("constr(strip_whitespace=True, max_length=3)"),
    Drawn("Cat", hashable=False),
    Drawn("Names", hashable=False),
    Drawn("Annotated[Cat | Dog, Field(discriminator='kind')]", hashable=False),
    Drawn("Annotated[str, WithJsonSchema({'type': 'string', 'maxLength': 2})]"),
)
_KEYWORDS = ("description='D'", "examples=[1]", "json_schema_extra={'x-a': [1]}", "title='T'")
_VALIDATORS = ("AfterValidator(same)", "BeforeValidator(same)", "WrapValidator(around)")
_CONTAINERS = {
    "list[{}]": (_LENGTHS, False, False),
    "set[{}]": (_LENGTHS, False, True),
    "frozenset[{}]": (_LENGTHS, True, True),
    "tuple[{}, ...]": (_LENGTHS, True, False),
    "tuple[{}, int]": ((), True, False),
    "dict[str, {}]": (_LENGTHS, False, False),
    "deque[{}]": (("min_length=1",), False, False),
    "conlist({}, max_length=2)": ((), False, False),
    "Json[{}]": ((), False, False),
    "Secret[{}]": ((), True, False),
}


@st.composite
def _said(draw: st.DrawFn, inner: st.SearchStrategy[Drawn]) -> Drawn:
    """The type with bounds and keywords in one of the spellings."""
    # Of a stated schema, and of addresses, pydantic loses what is said besides where they stand inside another type.
    one = draw(inner.filter(lambda one: "WithJsonSchema" not in one.text and "IPvAny" not in one.text))
    words = draw(st.lists(st.sampled_from([*one.bounds, *_KEYWORDS]), max_size=3, unique_by=lambda w: w.split("=")[0]))
    if draw(st.integers(0, 3)) == 0 and one.bounds:
        made = {"ge": "at.Ge", "gt": "at.Gt", "le": "at.Le", "lt": "at.Lt", "min_length": "at.MinLen"}
        name, _, value = draw(st.sampled_from(one.bounds)).partition("=")
        if name in made:
            return replace(one, text=f"Annotated[{one.text}, {made[name]}({value})]")
    return replace(one, text=f"Annotated[{one.text}, Field({', '.join(words)})]")


@st.composite
def _validated(draw: st.DrawFn, inner: st.SearchStrategy[Drawn]) -> Drawn:
    one = draw(inner)
    return replace(one, text=f"Annotated[{one.text}, {draw(st.sampled_from(_VALIDATORS))}]", bounds=(), own=True)


@st.composite
def _held(draw: st.DrawFn, inner: st.SearchStrategy[Drawn]) -> Drawn:
    form = draw(st.sampled_from(sorted(_CONTAINERS)))
    bounds, hashable, wants = _CONTAINERS[form]
    # Within JSON text pydantic loses the version of a UUID, and says of the text what is said of its value.
    versions, text = form.startswith(("Json", "Secret")), form.startswith("Json")
    item = draw(
        inner.filter(lambda one: (one.hashable or not wants) and not (versions and "UUID4" in one.text)).filter(
            lambda one: not (text and one.text.startswith("Annotated[") and any(each in one.text for each in _KEYWORDS))
        )
    )
    return Drawn(form.format(item.text), bounds, hashable and item.hashable, item.own)


@st.composite
def _optional(draw: st.DrawFn, inner: st.SearchStrategy[Drawn]) -> Drawn:
    one = draw(inner)
    return replace(one, text=f"{draw(st.sampled_from(['Optional', 'typing.Optional']))}[{one.text}]")


@st.composite
def _either(draw: st.DrawFn, inner: st.SearchStrategy[Drawn]) -> Drawn:
    # A stated schema, and one that says less than pydantic takes, may leave to another member what pydantic does not.
    plain = inner.filter(lambda one: "WithJsonSchema" not in one.text and "IPvAny" not in one.text)
    one, other = draw(plain), draw(plain)
    return Drawn(f"Union[{one.text}, {other.text}]", (), one.hashable and other.hashable, one.own or other.own)


def _wrapped(inner: st.SearchStrategy[Drawn]) -> st.SearchStrategy[Drawn]:
    return st.one_of(_said(inner), _said(inner), _validated(inner), _held(inner), _optional(inner), _either(inner))


def annotations() -> st.SearchStrategy[Drawn]:
    """Annotations as deep as a few levels."""
    return st.recursive(st.sampled_from(_BASES), _wrapped, max_leaves=4)
