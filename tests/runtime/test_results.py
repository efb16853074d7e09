"""ToolResult, and the JSON form of what tools return."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import json
import pathlib
import re
import types
import typing
import uuid
from pathlib import Path
from typing import Any

import pydantic
import pytest
from harness.hand_build import Build
from lauren_runtime import ToolCall, ToolResult
from lauren_runtime.json_form import ResultError, content_of, form_of
from lauren_runtime.reporting import shortened


def test_ok_and_error_take_the_id_by_position_or_keyword() -> None:
    assert ToolResult.ok("x", "id") == ToolResult.ok("x", tool_use_id="id") == ToolResult("id", "x")
    assert ToolResult.error("no", "id") == ToolResult.error("no", tool_use_id="id") == ToolResult("id", "no", True)
    assert (ToolResult("i", "c").status, ToolResult("i", "c", True).status) == ("executed", "error")
    assert ToolResult.error("no", "id", status="rejected").status == "rejected"


def test_calls_and_results_compare_and_show_themselves() -> None:
    assert ToolCall("i", "n", {"a": 1}) == ToolCall(tool_use_id="i", name="n", input={"a": 1})
    assert ToolCall("i", "n", {}) != ToolCall("i", "m", {})
    assert repr(ToolCall("i", "n", {})) == "ToolCall(tool_use_id='i', name='n', input={})"
    assert "cached=True" in repr(ToolResult("i", "c", cached=True))


@pytest.mark.parametrize(
    ("value", "content"),
    [
        ("as it is", "as it is"),
        ("", ""),
        (None, "null"),
        (True, "true"),
        (1, "1"),
        (1.5, "1.5"),
        ({"a": [1, None]}, '{"a": [1, null]}'),
        ((1, 2), "[1, 2]"),
        ([], "[]"),
        ([{"id": 1}], '[{"id": 1}]'),
        ([{"type": "text", "text": "x"}, {"id": 1}], '[{"type": "text", "text": "x"}, {"id": 1}]'),
        ([{"type": "invoice"}], '[{"type": "invoice"}]'),
        ({"type": "text", "text": "one"}, '{"type": "text", "text": "one"}'),
    ],
)
def test_everything_but_text_becomes_json(value: object, content: str) -> None:
    assert content_of(value) == content


@pytest.mark.parametrize("kind", ["text", "image", "audio", "document", "resource"])
def test_lists_of_content_blocks_stay(kind: str) -> None:
    blocks = [{"type": kind, "text": "x"}, {"type": "text", "text": "y"}]
    assert content_of(blocks) == blocks


def test_a_block_with_a_date_in_it_is_made_json_too() -> None:
    assert content_of([{"type": "text", "at": datetime.date(2020, 1, 2)}]) == [{"type": "text", "at": "2020-01-02"}]


class Colour(enum.Enum):
    RED = "red"
    MANY = (1, 2)


class Level(enum.IntEnum):
    LOW = 1


class Word(enum.StrEnum):
    A = "a"


@dataclasses.dataclass
class Point:
    total: typing.ClassVar[int] = 0
    x: int
    at: datetime.date | None = None


class Pair(typing.NamedTuple):
    left: int
    right: Colour


class Model(pydantic.BaseModel):
    name: str = pydantic.Field(alias="theName")
    when: datetime.datetime


class Text(str): ...


UTC = datetime.UTC
TO_PYDANTIC: list[object] = [
    Colour.RED,
    Colour.MANY,
    Level.LOW,
    Word.A,
    Point(1, datetime.date(2020, 1, 2)),
    Pair(1, Colour.RED),
    datetime.date(2020, 1, 2),
    datetime.datetime(2020, 1, 2, 3, 4, 5),
    datetime.datetime(2020, 1, 2, 3, 4, 5, 600, tzinfo=UTC),
    datetime.datetime(2020, 1, 2, tzinfo=datetime.timezone(datetime.timedelta(hours=2))),
    datetime.time(3, 4),
    datetime.timedelta(days=1, hours=2, seconds=3, microseconds=400),
    datetime.timedelta(0),
    datetime.timedelta(seconds=-90),
    datetime.timedelta(days=400, seconds=59),
    datetime.timedelta(hours=25),
    datetime.timedelta(microseconds=1),
    decimal.Decimal("1.10"),
    uuid.UUID(int=5),
    pathlib.Path("/a/b"),
    b"bytes",
    {1, 2},
    frozenset({"a"}),
    collections.deque([1, 2]),
    ipaddress.IPv4Address("1.2.3.4"),
    ipaddress.IPv6Network("::/64"),
    re.compile("a+"),
    {Colour.RED: 1, 2: 3, True: 5, 1.5: 6},
    {datetime.date(2020, 1, 2): 1},
    Text("sub"),
    [Point(1), {"x": {Level.LOW}}],
    collections.OrderedDict(a=1),
    collections.defaultdict(int, a=1),
    pydantic.HttpUrl("https://example.com"),
    [pydantic.SecretStr("s"), {"at": pydantic.TypeAdapter(pydantic.PostgresDsn).validate_python("postgres://u@h/d")}],
    pydantic.ByteSize(5),
]


@pytest.mark.parametrize("value", TO_PYDANTIC, ids=lambda value: f"{type(value).__name__}-{value!r}"[:50])
def test_objects_take_the_form_pydantic_gives_them(value: object) -> None:
    theirs = json.loads(pydantic.TypeAdapter(Any).dump_json(value))
    assert json.loads(json.dumps(form_of(value))) == theirs


def test_what_pydantic_gives_no_form_has_the_obvious_one() -> None:
    assert form_of(types.MappingProxyType({"a": Colour.RED})) == {"a": "red"}
    assert form_of(pathlib.PureWindowsPath("C:/a")) == "C:\\a"
    assert form_of({None: 1}) == {"null": 1} == json.loads(json.dumps({None: 1}))
    assert form_of(collections.UserList([Colour.RED])) == ["red"]
    assert form_of(range(3)) == [0, 1, 2]


def test_models_of_other_libraries_are_asked_for_their_form() -> None:
    model = Model(theName="n", when=datetime.datetime(2020, 1, 2, tzinfo=UTC))
    assert form_of({"m": [model]}) == {"m": [{"theName": "n", "when": "2020-01-02T00:00:00Z"}]}


def test_sets_come_in_one_order() -> None:
    assert form_of({"b", "a", "c"}) == ["a", "b", "c"]


class Strange: ...


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (Strange(), "the result cannot be written as JSON: it is of type .*Strange"),
        ({"a": [Strange()]}, r"the result\['a'\]\[0\] cannot"),
        (float("nan"), "it is nan"),
        ({"x": float("-inf")}, r"the result\['x'\] .* it is -inf"),
        ({(1, 2): 3}, r"\(1, 2\) is no key"),
        ({1: "a", "1": "b"}, "two of its keys become '1'"),
        (b"\xff", "not UTF-8 text"),
        (10**5000, "an integer of more than 4300 digits"),
        (lambda: None, "of type builtins.function"),
        (complex(1, 2), "of type builtins.complex"),
        (Point, "of type builtins.type"),
        (object, "of type builtins.type"),
    ],
    ids=range(12),
)
def test_what_json_cannot_hold_is_an_error_that_says_so(value: object, reason: str) -> None:
    with pytest.raises(ResultError, match=reason):
        content_of(value)


def test_a_result_that_contains_itself_is_an_error() -> None:
    loop: list[object] = []
    loop.append(loop)
    with pytest.raises(ResultError, match="contains itself"):
        content_of(loop)


SOURCE = """
@tool()
async def passed():
    return ToolResult.ok({"a": 1}, tool_use_id="")

@tool()
async def refused():
    return ToolResult.error("not today", tool_use_id="another")

FIXED = ToolResult("fixed", "shared")

@tool()
async def fixed():
    return FIXED

@tool()
async def raw():
    return ToolResult("", {"not": "text"})

@tool()
async def strange():
    return object()

@tool()
async def long():
    return "x" * 2000
"""


@pytest.fixture
def build(tmp_path: Path) -> Build:
    names = ("passed", "refused", "fixed", "raw", "strange", "long")
    return Build(tmp_path, SOURCE, {name: {"is_async": True} for name in names})


def test_a_returned_result_is_passed_on_under_the_calls_id(build: Build) -> None:
    assert build.run("passed") == ToolResult("t1", '{"a": 1}')
    assert build.run("refused") == ToolResult("t1", "not today", True)
    assert build.run("raw") == ToolResult("t1", '{"not": "text"}')


def test_a_result_that_a_tool_keeps_is_not_changed(build: Build) -> None:
    assert build.run("fixed") == ToolResult("t1", "shared")
    assert build.tools.FIXED.tool_use_id == "fixed"


def test_a_result_without_json_form_fails_that_call_and_says_so(build: Build) -> None:
    result = build.run("strange")
    assert result.is_error
    assert "cannot be written as JSON: it is of type builtins.object" in str(result.content)


def test_a_long_text_is_cut_and_says_what_is_missing(build: Build) -> None:
    result = build.run("long", max_result_length=500)
    assert result.content == "x" * 500 + "\n[cut: 1,500 of 2,000 characters are left out]"
    assert len(build.run("long").content) == 2000


def test_texts_of_content_blocks_are_cut_together(build: Build) -> None:
    blocks = [{"type": "text", "text": text} for text in ("a" * 30, "b" * 30, "c" * 30)] + [{"type": "image"}]
    given = ToolResult("t", [dict(block) for block in blocks])
    cut = shortened(given, 40)
    texts = [block.get("text") for block in cut.content]
    assert texts == [
        "a" * 30,
        "b" * 10 + "\n[cut: 20 of 30 characters are left out]",
        "\n[cut: 30 of 30 characters are left out]",
        None,
    ]
    assert shortened(ToolResult("t", blocks), 90).content == blocks


def test_items_of_a_stream_are_cut_too(tmp_path: Path) -> None:
    tools = {"items": {"is_async": True, "is_generator": True, "arguments": {}}}
    made = Build(tmp_path, "@tool()\nasync def items():\n    yield 'x' * 50\n    yield 'y'", tools)

    async def go() -> list[Any]:
        executor = made.executor(max_result_length=20)
        return [result.content async for result in executor.execute_stream(ToolCall("t", "items", {}))]

    note = "\n[cut: 30 of 50 characters are left out]"
    assert asyncio.run(go()) == ["x" * 20 + note, "y", "x" * 20 + "\n[cut: 31 of 51 characters are left out]"]
