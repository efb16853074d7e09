"""Bounds in every spelling: the schema equals pydantic's, as an argument, as a class's field and as a result."""

from __future__ import annotations

import inspect
import sys
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from harness import pydantic_oracle
from harness.annotations import IMPORTS
from harness.compiling import compile_source

SETUP = (
    IMPORTS
    + """
import annotated_types as at
import pydantic
from annotated_types import Ge, Gt, Interval, Le, Len, Lt, MaxLen, MinLen, MultipleOf
from lauren_runtime import tool
from pydantic import Field, StringConstraints

LEAST = 1
Positive = Annotated[int, Field(gt=0)]
Name = Annotated[str, StringConstraints(min_length=1, max_length=20, pattern=r"^[a-z]\\w*$")]
"""
)
PARAMETERS = """
Annotated[int, Field(ge=1)]
Annotated[int, Field(ge=LEAST, le=14)]
Annotated[int, Field(gt=0, lt=10, multiple_of=2)]
Annotated[float, Field(ge=0, le=2.5)]
Annotated[float, Field(multiple_of=0.5)]
Annotated[float, pydantic.Field(gt=-1e300)]
Annotated[str, Field(min_length=1, max_length=3)]
Annotated[str, Field(pattern="^a$")]
Annotated[str, Field(pattern=r'"\\d{3}"')]
Annotated[list[int], Field(min_length=1, max_length=3)]
Annotated[set[str], Field(max_length=3)]
Annotated[frozenset[str], Field(min_length=1)]
Annotated[tuple[int, ...], Field(min_length=1)]
Annotated[dict[str, int], Field(min_length=1, max_length=2)]
Annotated[int, Ge(1)]
Annotated[int, Gt(1), Lt(5)]
Annotated[int, at.Le(5)]
Annotated[float, Ge(0.5), Le(1.5)]
Annotated[int, Interval(ge=1, lt=5)]
Annotated[int, Interval(gt=1, le=5)]
Annotated[int, MultipleOf(3)]
Annotated[float, MultipleOf(multiple_of=0.25)]
Annotated[str, Len(1)]
Annotated[str, Len(1, 3)]
Annotated[str, Len(0, 3)]
Annotated[list[int], Len(0)]
Annotated[str, MinLen(0)]
Annotated[str, Field(min_length=0)]
Annotated[int, Field(le=10**400)]
Annotated[str, MinLen(1), MaxLen(3)]
Annotated[list[int], Len(min_length=1, max_length=3)]
Annotated[dict[str, int], at.MinLen(2)]
Annotated[str, StringConstraints(min_length=1)]
Annotated[str, pydantic.StringConstraints(max_length=5, pattern="^a")]
Annotated[int, Field(ge=1, description="How many.")]
Annotated[int, Field(ge=1), Field(le=5)]
Annotated[Positive, Field(lt=10)]
Positive
Name
list[Positive]
dict[str, Name]
set[Name]
tuple[Positive, Name]
Positive | None
Optional[Name]
Union[Positive, Name]
Annotated[int | None, Field(ge=1)]
Annotated[Optional[str], Field(min_length=1)]
list[Annotated[int, Field(ge=0, le=9)]]
int = Field(3, ge=1)
int = Field(default=3, ge=1, le=14)
int = Field(ge=1)
str = Field("a", min_length=1, pattern="^a$")
list[str] = Field(default_factory=list, max_length=5)
float | None = Field(None, gt=0)
Annotated[int, Field(ge=1)] = 5
Annotated[str, Len(1, 9)] = "abc"
Positive = 3
Positive | None = None
Annotated[int, Ge(1)] = Field(3, le=5)
"""
ALL = list(filter(None, PARAMETERS.splitlines()))
TOOLS = "\n".join(f"@tool()\ndef f{index}(p: {one}):\n    'Does it.'\n" for index, one in enumerate(ALL))


@pytest.fixture(scope="module")
def shop() -> types.ModuleType:
    module = types.ModuleType("shop_of_bounds")
    sys.modules[module.__name__] = module
    exec(compile(f"{SETUP}\n{TOOLS}", module.__name__, "exec", dont_inherit=True), vars(module))
    return module


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    build = compile_source(f"{SETUP}\n{TOOLS}", tmp_path_factory.mktemp("bounds"))
    assert not build.errors, build.messages
    return build.tools


@pytest.mark.parametrize("index", range(len(ALL)), ids=ALL)
def test_an_argument(index: int, shop: types.ModuleType, tools: Mapping[str, Any]) -> None:
    function = getattr(shop, f"f{index}")
    hint = typing.get_type_hints(function, include_extras=True)["p"]
    default = inspect.signature(function).parameters["p"].default
    theirs = pydantic_oracle.model_schema({"p": (hint, ... if default is inspect.Parameter.empty else default)})
    ours = dict(tools[f"f{index}"]["input_schema"])
    assert ours.pop("additionalProperties") is False
    assert pydantic_oracle.comparable(ours) == pydantic_oracle.comparable(theirs)


CLASSES = """
@dataclass
class A:
    days: Positive
    name: Name = "abc"
    share: Annotated[float, Field(ge=0, le=1)] = 0.5
    tags: Annotated[list[str], Len(0, 3)] = field(default_factory=list)
# ---
class A(TypedDict):
    days: Positive
    name: NotRequired[Annotated[str, Field(max_length=3)]]
# ---
class A(NamedTuple):
    days: Positive
    name: Name = "abc"
# ---
A = TypeAliasType("A", Annotated[int, Interval(ge=1, le=14)])
"""


@pytest.mark.parametrize("source", CLASSES.split("# ---\n"))
def test_a_class(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = f"{SETUP}\n{source}\n@tool()\ndef f(p: A) -> A:\n    'Does it.'\n"
    build = compile_source(text, tmp_path)
    assert not build.errors, build.messages
    module = types.ModuleType("shop_of_classes")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(text, module.__name__, "exec", dont_inherit=True), vars(module))
    hint = typing.get_type_hints(module.f, include_extras=True)
    ours = dict(build.tools["f"]["input_schema"])
    del ours["additionalProperties"]
    theirs = pydantic_oracle.model_schema({"p": (hint["p"], ...)})
    assert pydantic_oracle.comparable(ours) == pydantic_oracle.comparable(theirs)
    result = pydantic_oracle.result_schema(hint["return"])
    assert pydantic_oracle.comparable(build.tools["f"]["output_schema"]) == pydantic_oracle.comparable(result)


NO_BOUNDS = ["ge=0x1" + "0" * 4000, "ge=True", "le='a'", "le=1e999", "multiple_of=0", "pattern='['"]


@pytest.mark.parametrize("bound", NO_BOUNDS, ids=lambda bound: bound[:20])
def test_what_is_no_bound(bound: str, tmp_path: Path) -> None:
    kind = "str" if bound.startswith("pattern") else "int"
    source = f"{SETUP}\n@tool()\ndef f(p: Annotated[{kind}, Field({bound})]):\n    'Does it.'\n"
    assert compile_source(source, tmp_path).errors == ("LC303",)
