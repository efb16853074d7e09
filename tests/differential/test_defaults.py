"""Defaults that are made by calls: the schema shows what pydantic dumps of the object."""

from __future__ import annotations

import typing
from pathlib import Path

import pytest
from harness import pydantic_oracle
from harness.compiling import compile_source
from harness.running import running

SOURCE = """\
import collections
import datetime
import enum
from dataclasses import make_dataclass
from datetime import UTC, timedelta, timezone
from typing import Any, NamedTuple

from lauren_runtime import tool
from typing_extensions import TypedDict

India = timezone(timedelta(hours=5, minutes=30))
West = timezone(offset=timedelta(hours=-5), name="west")


class Shelf(enum.Enum):
    COLD = "cold"
    DRY = "dry"


Side = enum.Enum("Side", ["LEFT", "RIGHT"])
Unit = enum.StrEnum("Unit", "KELVIN CELSIUS")
Step = NamedTuple("Step", [("size", int), ("then", "Step | None")])
Row = collections.namedtuple("Row", "a b c", defaults=(1,))
Options = TypedDict("Options", {"a": int})
Point = make_dataclass("Point", [("x", int), ("label", str, "here")])
"""
DEFAULTS = """
datetime.datetime = datetime.datetime(2020, 1, 2, tzinfo=timezone.utc)
datetime.datetime = datetime.datetime(2020, 1, 2, 3, 4, 5, 6, datetime.timezone.utc)
datetime.datetime = datetime.datetime(2020, 1, 2, tzinfo=UTC)
datetime.datetime = datetime.datetime(2020, 1, 2, tzinfo=datetime.UTC)
datetime.datetime = datetime.datetime(2020, 1, 2, tzinfo=India)
datetime.datetime = datetime.datetime(2020, 1, 2, tzinfo=West)
datetime.datetime = datetime.datetime(2020, 1, 2, tzinfo=timezone(timedelta(0)))
datetime.datetime = datetime.datetime(2020, 1, 2, tzinfo=None)
datetime.time = datetime.time(1, 2, tzinfo=timezone.utc)
datetime.time = datetime.time(1, 2, tzinfo=India)
list[datetime.datetime] = [datetime.datetime(2020, 1, 2, tzinfo=UTC)]
Any = datetime.datetime(2020, 1, 2, tzinfo=UTC)
list[Shelf] = list(Shelf)
tuple[Shelf, ...] = tuple(Shelf)
list[Side] = list(Side)
list[Shelf] = list(reversed(Shelf))
list[tuple[str, Shelf]] = list(zip("ab", Shelf))
Side = Side(1)
Side = Side["RIGHT"]
Unit = Unit("kelvin")
list[Unit] = [Unit("kelvin"), Unit.CELSIUS]
Step = Step(1, None)
Step = Step(1, Step(2, None))
Step = Step(size=1, then=None)
Row = Row(1, 2)
Row = Row(1, 2, c=5)
Options = Options(a=1)
Point = Point(1)
Point = Point(x=2, label="there")
""".strip().splitlines()
NOT_SHOWN = """
datetime.datetime = datetime.datetime(2020, 1, 2, tzinfo=timezone(timedelta(seconds=61)))
datetime.datetime = datetime.datetime(2020, 1, 2, tzinfo=timezone(timedelta(days=1)))
Any = timezone.utc
str = str(UTC)
Step = Step(1)
Row = Row(1, 2, 3, 4)
""".strip().splitlines()


def _tool(parameter: str) -> str:
    return f"{SOURCE}\n\n@tool()\ndef f(p: {parameter}) -> None:\n    '''Does it.'''\n"


@pytest.mark.parametrize("parameter", DEFAULTS)
def test_a_default_is_as_pydantic_dumps_it(parameter: str, tmp_path: Path) -> None:
    ours = dict(compile_source(_tool(parameter), tmp_path).tools["f"]["input_schema"])
    del ours["additionalProperties"]
    with running(_tool(parameter)) as module:
        fields = {"p": (typing.get_type_hints(module.f)["p"], module.f.__defaults__[0])}
        theirs = pydantic_oracle.model_schema(fields)
    assert "default" in theirs["properties"]["p"]
    assert pydantic_oracle.comparable(ours) == pydantic_oracle.comparable(theirs)


@pytest.mark.parametrize("parameter", NOT_SHOWN)
def test_a_default_that_has_no_form_or_fails_is_left_out(parameter: str, tmp_path: Path) -> None:
    entry = compile_source(_tool(parameter), tmp_path).tools["f"]["input_schema"]
    assert "default" not in entry["properties"]["p"]
    assert "required" not in entry
