"""Modules of attrs classes, drawn as source text: right ones, and some that attrs refuses to define."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

SETUP = """
import enum
from typing import Any, ClassVar, Final, Optional

import attr
import attrs
from attrs import NOTHING, Factory, define, field, frozen, validators

from lauren_runtime import tool


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"
"""
TOOL = """
@tool()
def takes_{0}(p: {0}) -> None:
    'Takes it.'
"""

_TYPES: Mapping[str, tuple[str, ...]] = {
    "int": ("1", "-3"),
    "str": ("'ab'", "'b'"),
    "float": ("0.5", "2"),
    "list[int]": ("Factory(list)", "Factory(lambda self: [1], takes_self=True)"),
    "Optional[int]": ("None", "3"),
    "Color": ("Color.RED",),
    "Any": ("None", "NOTHING"),
    "Final[int]": ("1",),
    "ClassVar[int]": ("1",),
}
_VALIDATORS: Mapping[str, tuple[str, ...]] = {
    "int": (
        "validators.ge(-3)",
        "[validators.gt(-4), validators.lt(7)]",
        "validators.in_([1, -3, 2])",
        "validators.and_(validators.le(5), validators.instance_of(int))",
    ),
    "str": (
        "validators.matches_re('[a-z]+')",
        "validators.matches_re('b', func=re.search)",
        "validators.matches_re('a|b', 0, re.match)",
        "(validators.min_len(1), validators.max_len(2))",
        "validators.in_(('ab', 'b'))",
    ),
    "Optional[int]": ("validators.optional(validators.ge(2))", "validators.optional([validators.in_([3])])"),
    "list[int]": ("validators.max_len(2)", "validators.deep_iterable(validators.ge(0))"),
}
_NAMES = ("a", "_b", "__c", "d_", "e")
_DECORATORS = (
    "@define",
    "@frozen",
    "@attrs.mutable(kw_only=True)",
    "@define(auto_attribs=False)",
    "@define(kw_only=True, force_kw_only=True)",
    "@attr.s(auto_detect=True)",
    "@attr.s",
    "@attr.s(kw_only=True)",
    "@attr.s(auto_attribs=True, collect_by_mro=True)",
    "@attr.dataclass",
    "",
)


@st.composite
def modules(draw: st.DrawFn) -> tuple[str, list[str]]:
    """The source of one to four classes, made by attrs or derived from such, and their names."""
    names = ["A", "B", "C", "D"][: draw(st.integers(1, 4))]
    classes = [draw(_class(name, names[:index])) for index, name in enumerate(names)]
    return "\n\n".join(
        (SETUP.replace("import enum", "import enum\nimport re"), *classes, *map(TOOL.format, names))
    ), names


@st.composite
def _class(draw: st.DrawFn, name: str, before: list[str]) -> str:
    bases = draw(st.lists(st.sampled_from(before), max_size=2, unique=True)) if before else []
    decorator = draw(st.sampled_from(_DECORATORS if bases else _DECORATORS[:-1]))
    head = f"{decorator}\nclass {name}({', '.join(bases)}):".removeprefix("\n").replace("()", "")
    lines = [head, "    'Doc.'"]
    for member in draw(st.lists(st.sampled_from(_NAMES), max_size=4, unique=True)) if decorator else ():
        lines += draw(_member(member, "attr.ib" if "attr." in decorator else "field"))
    return "\n".join(lines)


@st.composite
def _member(draw: st.DrawFn, name: str, maker: str) -> list[str]:
    kind = draw(st.sampled_from([*_TYPES]))
    default = draw(st.sampled_from(["", "", *_TYPES[kind]]))
    is_field = draw(st.booleans()) and kind != "ClassVar[int]"
    if not is_field:
        return [f"    {name}: {kind} = {default}" if default else f"    {name}: {kind}"]
    words = {"default": default, "validator": draw(st.sampled_from(["", *_VALIDATORS.get(kind, ())]))}
    words["kw_only"] = draw(st.sampled_from(["", "", "True", "False"]))
    words["init"] = draw(st.sampled_from(["", "", "", "False"]))
    words["alias"] = draw(st.sampled_from(["", "", "'other'"]))
    annotated = draw(st.sampled_from((True, True, True, False))) or kind == "Final[int]"
    words["type"] = "" if annotated else kind
    if maker == "field":
        del words["type"]
    given = ", ".join(f"{word}={text}" for word, text in words.items() if text)
    lines = [f"    {name}{f': {kind}' if annotated else ''} = {maker}({given})"]
    if not default and draw(st.sampled_from((False, False, True))):
        lines += [f"    @{name}.default", f"    def make_{name.strip('_')}(self):", f"        return {_MADE[kind]}"]
    return lines


_MADE = {kind: next(iter(texts)).replace("Factory(list)", "[]") for kind, texts in _TYPES.items()}
