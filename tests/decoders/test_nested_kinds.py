"""Classes of every kind inside each other: what is decoded equals what their constructors make by hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from harness.compiled_module import Compiled
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SETUP = """
from dataclasses import dataclass
from typing import NamedTuple

from attrs import define
from msgspec import Struct
from pydantic import BaseModel
from pydantic.dataclasses import dataclass as checked
from typing_extensions import TypedDict

from lauren_runtime import tool
"""
HEADS = {
    "dataclass": "@dataclass\nclass {0}:",
    "attrs": "@define\nclass {0}:",
    "attrs frozen": "@define(frozen=True, kw_only=True)\nclass {0}:",
    "struct": "class {0}(Struct):",
    "tagged struct": "class {0}(Struct, tag=True, rename='upper'):",
    "array struct": "class {0}(Struct, array_like=True):",
    "model": "class {0}(BaseModel):",
    "checked": "@checked\nclass {0}:",
    "typed dict": "class {0}(TypedDict):",
    "named tuple": "class {0}(NamedTuple):",
}
BY_PYDANTIC = frozenset({"model", "checked"})
UNKNOWN_TO_PYDANTIC = frozenset({"attrs", "attrs frozen", "struct", "tagged struct", "array struct"})
SHAPES = {"{0}": 0, "list[{0}]": 1, "dict[str, {0}]": 2, "{0} | None": 3}


@dataclass(frozen=True)
class Kind:
    """A class of the module: `parts` are the names, shapes and classes of its members besides `n`."""

    name: str
    kind: str
    parts: tuple[tuple[str, str, Kind], ...]

    @property
    def strange(self) -> bool:
        """Whether pydantic can't build it."""
        return self.kind in UNKNOWN_TO_PYDANTIC or any(part.strange for _, _, part in self.parts)

    @property
    def source(self) -> str:
        members = [f"    {name}: {shape.format(part.name)}" for name, shape, part in self.parts]
        return "\n".join([HEADS[self.kind].format(self.name), "    n: int", *members])


@st.composite
def modules(draw: st.DrawFn) -> list[Kind]:
    """Three to six classes, each with members of those before; the last is the tool's parameter."""
    made: list[Kind] = []
    for number in range(draw(st.integers(3, 6))):
        kind = draw(st.sampled_from(sorted(HEADS)))
        known = [one for one in made if kind not in BY_PYDANTIC or not one.strange]
        parts = (
            draw(st.lists(st.tuples(st.sampled_from(sorted(SHAPES)), st.sampled_from(known)), max_size=2))
            if known
            else []
        )
        named = tuple((f"m{index}", shape, part) for index, (shape, part) in enumerate(parts))
        made.append(Kind(f"C{number}", kind, named))
    return made


@st.composite
def pairs(draw: st.DrawFn, kind: Kind, module: Any) -> tuple[Any, Any]:
    """The JSON of an instance, and the instance, made by hand."""
    number = draw(st.integers(-5, 5))
    names = {"n": (number, number)}
    for name, shape, part in kind.parts:
        names[name] = draw(shaped(SHAPES[shape], pairs(part, module)))
    objects = {name: made for name, (_, made) in names.items()}
    given_values = {name: value for name, (value, _) in names.items()}
    instance = getattr(module, kind.name)(**objects)
    if kind.kind in ("named tuple", "array struct"):
        return list(given_values.values()), instance
    if kind.kind == "tagged struct":
        return {"type": kind.name, **{name.upper(): value for name, value in given_values.items()}}, instance
    return given_values, instance


@st.composite
def shaped(draw: st.DrawFn, shape: int, inner: st.SearchStrategy[tuple[Any, Any]]) -> tuple[Any, Any]:
    if shape == 0:
        return draw(inner)
    if shape == 3:
        return draw(st.one_of(st.just((None, None)), inner))
    found = draw(st.lists(inner, max_size=2))
    if shape == 1:
        return [value for value, _ in found], [made for _, made in found]
    keys = [f"k{index}" for index in range(len(found))]
    values, made = ([pair[side] for pair in found] for side in (0, 1))
    return dict(zip(keys, values, strict=True)), dict(zip(keys, made, strict=True))


def without_number(value: Any) -> Any:
    """The same JSON without its first member, or without its items: something that has to be there."""
    if isinstance(value, list):
        return []
    return {name: item for name, item in value.items() if name not in ("n", "N")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kinds")


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(kinds=modules(), data=st.data())
def test_what_is_decoded_is_what_is_made_by_hand(kinds: list[Kind], data: st.DataObject, folder: Path) -> None:
    tool = f"@tool()\ndef f(p: {kinds[-1].name}) -> None:\n    'Does it.'\n"
    compiled = Compiled("\n\n\n".join([SETUP, *(kind.source for kind in kinds), tool]), folder)
    for _ in range(5):
        value, expected = data.draw(pairs(kinds[-1], compiled.module))
        made = compiled.value(value)
        assert type(made) is type(expected)
        assert made == expected
        assert compiled.messages(without_number(value))
