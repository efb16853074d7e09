"""Dataclasses made without their constructor: only where that does nothing but set the fields."""

from __future__ import annotations

import dataclasses
import itertools
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from harness.generated import decode_of
from harness.verdicts import MANY, same
from hypothesis import given
from hypothesis import strategies as st
from lauren_compiler.config import Config
from lauren_compiler.pipeline import run
from lauren_runtime.decoding import Filled
from lauren_runtime.decoding.filled import is_plain
from lauren_runtime.decoding.quick import Doubt
from lauren_runtime.errors import ToolInputError

HEAD = """
import abc, dataclasses
from dataclasses import KW_ONLY, InitVar, dataclass, field
from typing import ClassVar, Generic, TypeVar
from lauren_runtime import tool

T = TypeVar("T")
SEEN = []

def other(cls): return cls
class Descriptor:
    def __set_name__(self, owner, name): self.name = "_" + name
    def __get__(self, instance, owner): return 7 if instance is None else getattr(instance, self.name)
    def __set__(self, instance, value): SEEN.append(value); setattr(instance, self.name, value)
class Meta(type):
    def __call__(cls, *args, **keywords): SEEN.append(cls); return super().__call__(*args, **keywords)
class Counted:
    def __init_subclass__(cls): SEEN.append(cls)
class Checked:
    def __setattr__(self, name, value): SEEN.append(name); object.__setattr__(self, name, value)
class Slotted:
    __slots__ = ("a",)
@dataclass
class Base:
    a: int
@dataclass
class Watching:
    a: int
    def __post_init__(self): SEEN.append(self.a)
"""
TOOL = "\n@tool()\ndef f(p: A):\n    '''Does it.'''\n@tool()\ndef g(p: list[A]):\n    '''Does it.'''\n"
_NUMBERS = itertools.count()

PLAIN = {
    "fields": "@dataclass\nclass A:\n    a: int\n    b: str",
    "a default": "@dataclass\nclass A:\n    a: int\n    b: str = 'x'",
    "a class variable": "@dataclass\nclass A:\n    a: int\n    N: ClassVar[int] = 3",
    "methods": "@dataclass\nclass A:\n    a: int\n    @property\n    def twice(self): return 2",
    "only by keyword": "@dataclass(kw_only=True)\nclass A:\n    a: int\n    b: int = 1",
    "some by keyword": "@dataclass\nclass A:\n    a: int\n    _: KW_ONLY\n    b: int",
    "inherited": "@dataclass\nclass A(Base):\n    b: int",
    "inherited, again": "@dataclass\nclass A(Base):\n    b: int\n    a: int",
    "an inert base": "class Mixin:\n    def more(self): return 1\n@dataclass\nclass A(Mixin):\n    a: int",
    "generic": "@dataclass\nclass A(Generic[T]):\n    a: T",
    "compared, ordered, hashed": "@dataclass(order=True, unsafe_hash=True, repr=False)\nclass A:\n    a: int",
}
NOT_PLAIN = {
    "post init": "@dataclass\nclass A:\n    a: int\n    def __post_init__(self): SEEN.append(self.a)",
    "post init of a base": "@dataclass\nclass A(Watching):\n    b: int = 1",
    "constructor of its own": "@dataclass\nclass A:\n    a: int\n    def __init__(self, a): self.a = a",
    "no constructor": "@dataclass(init=False)\nclass A:\n    a: int = 1",
    "setattr": "@dataclass\nclass A:\n    a: int\n    def __setattr__(self, n, v): object.__setattr__(self, n, v)",
    "setattr of a base": "@dataclass\nclass A(Checked):\n    a: int",
    "frozen": "@dataclass(frozen=True)\nclass A:\n    a: int",
    "slots": "@dataclass(slots=True)\nclass A:\n    a: int",
    "slots of a base": "@dataclass\nclass A(Slotted):\n    a: int",
    "a descriptor": "@dataclass\nclass A:\n    a: int = Descriptor()",
    "a descriptor in a base": "class Mixin:\n    a = Descriptor()\n@dataclass\nclass A(Mixin):\n    a: int",
    "a property": "@dataclass\nclass A:\n    a: int\n    def get(self): return 1\n    a = property(get, SEEN.append)",
    "another decorator": "@other\n@dataclass\nclass A:\n    a: int",
    "a decorator of a base": "@other\nclass Mixin: pass\n@dataclass\nclass A(Mixin):\n    a: int",
    "a metaclass": "@dataclass\nclass A(metaclass=Meta):\n    a: int",
    "abstract": "@dataclass\nclass A(abc.ABC):\n    a: int",
    "init subclass": "@dataclass\nclass A(Counted):\n    a: int",
    "only for init": "@dataclass\nclass A:\n    a: int\n    b: InitVar[int]\n    def __post_init__(self, b): ...",
    "not in init": "@dataclass\nclass A:\n    a: int\n    b: int = field(default=1, init=False)",
    "two that may be absent": "@dataclass\nclass A:\n    a: int = 1\n    b: int = 2",
    "one made anew": "@dataclass\nclass A:\n    a: list[int] = field(default_factory=list)",
}


class Made:
    """A module with a dataclass `A`, compiled and run in this process."""

    def __init__(self, source: str, folder: Path) -> None:
        name = f"filled{next(_NUMBERS)}"
        path = folder / f"{name}.py"
        path.write_text(HEAD + source + TOOL, encoding="utf-8")
        outcome = run(Config(sources=(path,), roots=(folder,), project=folder, out=folder / "out"))
        assert outcome.artifacts, [found.message for found in outcome.diagnostics]
        (self.text,) = (each.content.decode() for each in outcome.artifacts if each.path == f"_tools/{name}.py")
        self.module: Any = ModuleType(name)
        sys.modules[name] = self.module
        exec(compile(path.read_text("utf-8"), name, "exec", dont_inherit=True), vars(self.module))
        self.names: dict[str, Any] = {"__name__": "generated"}
        exec(compile(self.text, "generated", "exec"), self.names)

    def value(self, given: Any, tool: str = "f") -> Any:
        """What the parameter is for a JSON value. Raises ToolInputError."""
        return decode_of(self.names, tool)({"p": given}, False)[1]["p"]


@pytest.mark.parametrize("source", PLAIN.values(), ids=PLAIN)
def test_a_plain_dataclass_is_what_its_constructor_makes(source: str, tmp_path: Path) -> None:
    made = Made(source, tmp_path)
    assert " = Filled(" in made.text
    fields = [each for each in dataclasses.fields(made.module.A) if each.init]
    whole = {each.name: "s" if each.type in (str, "str") else 1 for each in fields}
    needed = {each.name: whole[each.name] for each in fields if each.default is dataclasses.MISSING}
    for given_ in (whole, needed):
        expected = made.module.A(**given_)
        for found in (made.value(given_), *made.value([given_, given_], "g")):
            assert type(found) is made.module.A
            assert found == expected
            assert vars(found) == vars(expected)
    for wrong in ({}, {**whole, "a": {1: 2}}, [whole], None):
        with pytest.raises(ToolInputError):
            made.value(wrong)
    assert made.value({**whole, "zz": 1}) == made.module.A(**whole)


@pytest.mark.parametrize("source", NOT_PLAIN.values(), ids=NOT_PLAIN)
def test_all_others_are_made_by_their_constructor(source: str, tmp_path: Path) -> None:
    made = Made(source, tmp_path)
    assert "Filled" not in made.text


CHANGES: dict[str, Any] = {
    "post init": {"__post_init__": lambda self: self.seen.append(self.a)},
    "setattr": {"__setattr__": lambda self, name, value: object.__setattr__(self, name, value)},
    "new": {"__new__": lambda cls, *_, **__: object.__new__(cls)},
    "constructor": {"__init__": lambda self, a, b: setattr(self, "a", a)},
    "a descriptor": {"a": property(lambda self: 1, lambda self, value: self.seen.append(value))},
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_class_that_has_changed_since_is_seen(change: dict[str, Any]) -> None:
    made = dataclasses.make_dataclass("A", [("a", int), ("b", int, 1)], namespace={"seen": []})
    assert is_plain(made, ("a", "b"))
    assert not is_plain(made, ("b", "a"))
    assert not is_plain(made, ("a",))
    for name, value in change.items():
        setattr(made, name, value)
    assert not is_plain(made, ("a", "b"))


def test_a_class_that_has_changed_since_is_built_by_its_constructor(tmp_path: Path) -> None:
    made = Made(PLAIN["a default"], tmp_path)
    exec(PLAIN["a default"] + "\n    def __post_init__(self): SEEN.append(self.a)", vars(made.module))
    assert made.value({"a": 1}).a == 1
    assert made.value([{"a": 2}], "g")[0].a == 2
    assert made.module.SEEN == [1, 2]


def test_asking_for_a_changed_class_is_a_doubt_each_time() -> None:
    loaded = Filled("fractions", "Fraction", "numerator", "denominator")
    for _ in range(2):
        with pytest.raises(Doubt):
            _ = loaded.plain
    assert loaded.cls.__name__ == "Fraction"


@MANY
@given(st.lists(st.dictionaries(st.sampled_from("abz"), st.integers() | st.text(max_size=2) | st.none()), max_size=4))
def test_quick_and_complete_agree_on_lists_of_them(values: list[dict[str, Any]]) -> None:
    names = MADE.names
    outcomes: list[Any] = []
    for decode in (decode_of(names, "g"), decode_of({"check_g": names["check_g"]}, "g")):
        try:
            outcomes.append(decode({"p": values}, True)[1]["p"])
        except ToolInputError as error:
            outcomes.append([each.message for each in error.errors])
    assert same(outcomes[0], outcomes[1])


@pytest.fixture(scope="module", autouse=True)
def compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    global MADE
    MADE = Made(PLAIN["a default"], tmp_path_factory.mktemp("filled"))


MADE: Made
