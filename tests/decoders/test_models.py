"""pydantic models from source text to instances: the schema's verdict, pydantic's values, its reasons in our words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from harness.compiled_module import Compiled
from harness.generated import decode_of
from harness.ir_strategies import some_values
from harness.model_sources import SETUP, TOOL, models
from harness.verdicts import REFUSED, VALIDATOR
from hypothesis import HealthCheck, given, settings
from lauren_compiler.ir.tools import ToolSet
from lauren_compiler.ir.types import Adapted, Type, Union
from lauren_compiler.ir.walk import reachable, types_of, walk
from lauren_compiler.schema.json_schema import input_schema
from lauren_runtime.errors import ToolInputError
from pydantic import TypeAdapter, ValidationError

# Models may say old things.
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::pydantic.warnings.PydanticDeprecationWarning"
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sources")


@pytest.mark.parametrize("case", models(), ids=lambda case: " ".join(case.split())[:50])
def test_a_model_is_built_of_just_what_the_schema_accepts(case: str, folder: Path) -> None:
    compiled = Compiled(f"{SETUP}\n\n{case}\n\n{TOOL}", folder)
    (tool,) = compiled.outcome.toolset.tools
    validator = VALIDATOR(input_schema(tool, compiled.outcome.toolset))
    adapter = TypeAdapter(get_type_hints(compiled.module.f, include_extras=True)["p"])
    (parameter,) = tool.parameters
    asks = any(map(asks_pydantic, all_types(compiled.outcome.toolset, parameter.type)))

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(some_values(parameter.type, compiled.outcome.toolset.by_key))
    def holds(value: Any) -> None:
        try:
            ours = compiled.value(value)
        except ToolInputError:
            ours = REFUSED
        theirs = validated(adapter, value)
        valid = validator.is_valid({"p": value})
        # What only pydantic can build, it may refuse too.
        assert (ours is not REFUSED) == valid or (asks and valid and theirs is REFUSED)
        # pydantic alone refuses long integers that are written as `1e300`.
        if ours is not REFUSED and theirs is not REFUSED:
            assert ours == theirs

    holds()


def all_types(toolset: ToolSet, root: Type) -> list[Type]:
    inside = [one for key in reachable([root], toolset) for one in types_of(toolset.by_key[key])]
    return [part for one in (root, *inside) for part in walk(one)]


def asks_pydantic(one: Type) -> bool:
    return isinstance(one, Adapted) or (isinstance(one, Union) and one.discriminator is not None)


def validated(adapter: TypeAdapter[Any], value: Any) -> Any:
    try:
        return adapter.validate_json(json.dumps(value), by_alias=True, by_name=False, strict=False)
    except ValidationError:
        return REFUSED


CHECKED = """
class Line(BaseModel):
    sku: str
    count: int = 1

    @field_validator("count")
    @classmethod
    def odd(cls, value: int) -> int:
        if value % 2 == 0:
            raise ValueError("a count is odd")
        return value


@dataclass
class Box:
    line: Line


class A(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    lines: list[Line]
    first: Line | int = Field(0, alias="1st")
    box: Box | None = None

    @model_validator(mode="after")
    def some(self) -> "A":
        assert self.lines, "an order has lines"
        CALLS.append("A")
        return self

CALLS = []
"""


@pytest.fixture(scope="module")
def checked(folder: Path) -> Compiled:
    return Compiled(f"{SETUP}\n\n{CHECKED}\n\n{TOOL}", folder)


def test_what_validators_say_is_told_with_its_place(checked: Compiled) -> None:
    given = {"lines": [{"sku": "a"}, {"sku": "b", "count": 2}], "1st": {"sku": "c", "count": 4}}
    assert checked.messages(given) == [
        "p.lines[1].count: refused: a count is odd",
        "p.1st.count: refused: a count is odd",
    ]
    assert checked.messages({"lines": []}) == ["p: refused: an order has lines"]
    assert checked.messages({"lines": [], "box": {"line": {"sku": "x", "count": 6}}}) == [
        "p.box.line.count: refused: a count is odd"
    ]


def test_pydantic_is_not_asked_before_the_structure_is_right(checked: Compiled) -> None:
    assert checked.messages({"lines": [{"count": "2"}]}) == [
        "p.lines[0].sku: required, but missing: a string",
        'p.lines[0].count: expected an integer, got "2" (a string)',
    ]


def test_every_validator_runs_once(checked: Compiled) -> None:
    checked.module.CALLS.clear()
    made = checked.value({"lines": [{"sku": "a"}], "box": {"line": {"sku": "b"}}})
    assert checked.module.CALLS == ["A"]
    assert type(made) is checked.module.A
    assert type(made.box) is checked.module.Box
    assert type(made.box.line) is checked.module.Line


def test_a_field_has_one_name(checked: Compiled) -> None:
    assert checked.value({"lines": [{"sku": "a"}], "first": 5}).first == 0
    assert checked.value({"lines": [{"sku": "a"}], "1st": 5}).first == 5


def test_repairs_are_made_before_the_model_is_built(checked: Compiled) -> None:
    _, kwargs, repairs = decode_of(checked.decoders, "f")({"p": '{"lines": [{"sku": "a", "count": "3"}]}'}, True)
    assert kwargs["p"].lines[0].count == 3
    assert [repair.path for repair in repairs] == [("p",), ("p", "lines", 0, "count")]


def test_a_union_takes_the_branch_whose_validators_agree(folder: Path) -> None:
    source = CHECKED.replace("class A(BaseModel)", "class Order(BaseModel)").replace('"A"', '"Order"')
    compiled = Compiled(f"{SETUP}\n\n{source}\n\nA = Order | dict[str, Any]\n\n{TOOL}", folder)
    assert compiled.value({"lines": []}) == {"lines": []}
    assert type(compiled.value({"lines": [{"sku": "a"}]})) is compiled.module.Order


def test_unknown_keys_are_kept_where_the_model_keeps_them(folder: Path) -> None:
    source = "class A(BaseModel, extra='allow'):\n    x: int = 1"
    compiled = Compiled(f"{SETUP}\n\n{source}\n\n{TOOL}", folder)
    assert compiled.value({"y": [1]}).model_extra == {"y": [1]}


def test_what_pydantic_takes_less_of_than_the_schema(folder: Path) -> None:
    source = "class A(BaseModel):\n    n: int = 0\n    a: 'A | None' = None"
    compiled = Compiled(f"{SETUP}\n\n{source}\n\n{TOOL}", folder)
    assert compiled.value({"a": {"n": 1e300}}).a.n == int(1e300)
    deep: dict[str, Any] = {}
    for _ in range(230):
        deep = {"a": deep}
    assert compiled.value(deep).model_dump(exclude_unset=True) == deep
