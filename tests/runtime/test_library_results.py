"""Results that are objects of other libraries: written as these write them, their members as everything else."""

from __future__ import annotations

import datetime
import uuid
from dataclasses import InitVar, dataclass
from pathlib import Path
from typing import Any

import attrs
import msgspec
import pydantic
import pytest
from lauren_runtime.json_form import ResultError, form_of


@attrs.define
class Attrs:
    x: set[int]
    _hidden: int = 1
    given: str = attrs.field(default="g", alias="other")
    made: int = attrs.field(init=False, default=7)


class Point(msgspec.Struct, array_like=True):
    x: int
    y: int = 0


class Order(msgspec.Struct, rename="camel", tag=True):
    order_id: uuid.UUID
    placed_on: datetime.date
    points: list[Point] = []
    maybe: int | msgspec.UnsetType = msgspec.UNSET


class Short(msgspec.Struct, omit_defaults=True, tag="s", tag_field="kind"):
    x: int = 1
    tags: list[str] = []
    more: dict[str, int] = msgspec.field(default_factory=dict)
    point: Point = msgspec.field(default_factory=lambda: Point(1))


class TaggedPoint(Point, tag=3):
    pass


STRUCTS = (
    Order(uuid.UUID(int=1), datetime.date(2020, 1, 2), [Point(1), Point(2, 3)]),
    Order(uuid.UUID(int=1), datetime.date(2020, 1, 2), maybe=3),
    Short(),
    Short(x=2, tags=["t"], more={"a": 1}, point=Point(4)),
    TaggedPoint(1),
)


@pytest.mark.parametrize("struct", STRUCTS, ids=repr)
def test_a_struct_is_what_msgspec_makes_of_it(struct: Any) -> None:
    assert form_of([struct]) == msgspec.to_builtins([struct])


def test_members_of_a_struct_have_the_form_of_results() -> None:
    class Model(pydantic.BaseModel):
        name: str = pydantic.Field(alias="theName")

    class Holder(msgspec.Struct):
        model: Model
        data: bytes
        path: Path
        raw: msgspec.Raw

    made = Holder(Model(theName="n"), b"text", Path("a/b"), msgspec.Raw(b'{"a": [1]}'))
    assert form_of(made) == {"model": {"theName": "n"}, "data": "text", "path": "a/b", "raw": {"a": [1]}}


def test_an_unset_item_has_no_place_in_an_array() -> None:
    class Row(msgspec.Struct, array_like=True):
        x: int | msgspec.UnsetType = msgspec.UNSET

    with pytest.raises(ResultError):
        form_of(Row())


def test_attrs_classes_have_the_names_that_their_constructor_takes() -> None:
    assert form_of(Attrs({3, 1, 2})) == {"x": [1, 2, 3], "hidden": 1, "other": "g", "made": 7}


def test_dataclasses_of_pydantic_are_asked_for_their_form() -> None:
    @pydantic.dataclasses.dataclass
    class Theirs:
        when: datetime.datetime = pydantic.Field(alias="theTime")
        seed: InitVar[int] = 0

    made = Theirs(theTime=datetime.datetime(2020, 1, 2, tzinfo=datetime.UTC))  # type: ignore[call-arg]
    assert form_of({"a": [made]}) == {"a": [{"theTime": "2020-01-02T00:00:00Z"}]}


def test_init_vars_are_in_no_result() -> None:
    @dataclass
    class Area:
        width: int
        height: InitVar[int] = 2

    assert form_of(Area(1, 3)) == {"width": 1}
