"""Modules of Python source with one tool each, whose classes, aliases and types are drawn in every spelling.

What the types name stands in the tool's own file or in another one, `library`, imported in one way or another.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass

from hypothesis import strategies as st

from .type_strategies import (
    HEADER,
    Class,
    Spelled,
    Types,
    docstring,
    enums,
    field_line,
    objects,
    spelling,
    types,
)

LIBRARY = "library"
_VARIABLES = """
T = TypeVar("T")
N = TypeVar("N", bound=int)
E = TypeVar("E", int, str)
D = TypeVar("D", default=str)
"""
_IMPORTS = {
    "": f"from {LIBRARY} import *\n",
    "lib.": f"import {LIBRARY} as lib\n",
    f"{LIBRARY}.": f"import {LIBRARY}\n",
}
_OWN_NAMES = re.compile(r"\b([CGMA]\d)\b")
_NEW_SYNTAX = sys.version_info >= (3, 12)


@dataclass(frozen=True)
class Module:
    """The source of the tool's file and, if there is one, of the other; and the parameters of its tool `f`."""

    source: str
    library: str
    parameters: tuple[str, ...]

    @property
    def files(self) -> dict[str, str]:
        """The sources by module name, in the order in which they can be run; the tool's has the name ""."""
        return {LIBRARY: self.library, "": self.source} if self.library else {"": self.source}


@dataclass(frozen=True)
class Definitions:
    """Classes and aliases, in order, and the types that they can be used as."""

    sources: list[str]
    spelled: list[Spelled]


@st.composite
def modules(draw: st.DrawFn) -> Module:
    """A module with a few classes and aliases and one tool of up to three parameters, and a result."""
    prefix = draw(st.sampled_from(["-", "-", *_IMPORTS]))
    own = prefix == "-"
    definitions = _definitions(draw, own)
    spelled = definitions.spelled if own else [_prefixed(one, prefix) for one in definitions.spelled]
    known: Types = st.sampled_from(spelled or [Spelled("int", "1", hashable=True, key=True)])
    parameters = draw(st.lists(types(known), min_size=1, max_size=3))
    result = draw(types(known))
    written = [_parameter(draw, f"p{index}", one) for index, one in enumerate(parameters)]
    tool = f"@tool()\ndef f(*, {', '.join(written)}) -> {draw(spelling())(result.text)}:\n    '''Does it.'''\n"
    future = "from __future__ import annotations\n" if draw(st.booleans()) else ""
    names = tuple(f"p{index}" for index in range(len(parameters)))
    body = "\n\n\n".join(definitions.sources)
    if own:
        return Module(f"{future}{HEADER}{_VARIABLES}\n\n{body}\n\n\n{tool}", "", names)
    return Module(f"{future}{HEADER}{_IMPORTS[prefix]}\n\n{tool}", f"{HEADER}{_VARIABLES}\n\n{body}\n", names)


def _prefixed(one: Spelled, prefix: str) -> Spelled:
    """A name of the library as the tool's file has it; its value would need the prefix too."""
    return Spelled(_OWN_NAMES.sub(rf"{prefix}\1", one.text), None, one.hashable, one.key)


def _definitions(draw: st.DrawFn, own: bool) -> Definitions:
    """Classes and aliases, in the tool's own file or not: there nothing can be made of a string that is an alias."""
    count = draw(st.integers(0, 3))
    names = [f"C{index}" for index in range(count)]
    # Within these classes a name stands without default: the class may be defined below.
    forward: Types = st.sampled_from([Spelled(name) for name in names] or [Spelled("int")])
    classes = [draw(st.one_of(enums(name), objects(name, types(forward)))) for name in names]
    sources = [one.source for one in classes]
    spelled = [one.spelled for one in classes]
    makers = draw(st.lists(st.sampled_from([_generic, _model, _alias]), max_size=3))
    for index, make in enumerate(makers):
        known: Types = st.sampled_from(spelled or [Spelled("int", "1", hashable=True, key=True)])
        made = make(draw, index, known, own)
        sources.append(made.source)
        spelled.append(made.spelled)
    return Definitions(sources, spelled)


def _arguments(draw: st.DrawFn, variables: list[str], known: Types) -> str:
    """What stands in brackets behind a generic class's or alias's name; "" for nothing."""
    if draw(st.integers(0, 4)) == 0:
        return ""
    chosen = {"N": "int", "E": draw(st.sampled_from(["int", "str"]))}
    given = [chosen[name] if name in chosen else draw(types(known)).text for name in variables]
    if variables[-1] == "D" and len(variables) > 1 and draw(st.booleans()):
        given.pop()
    return f"[{', '.join(given)}]"


def _chosen_variables(draw: st.DrawFn) -> list[str]:
    return draw(st.sampled_from([["T"], ["T", "N"], ["E"], ["T", "D"], ["D"]]))


def _inside(variables: list[str], known: Types) -> Types:
    return types(st.one_of(known, st.sampled_from([Spelled(name) for name in variables])))


def _generic(draw: st.DrawFn, index: int, known: Types, own: bool) -> Class:
    """A generic class of some kind, and the class with arguments."""
    name, variables = f"G{index}", _chosen_variables(draw)
    kind = draw(st.sampled_from(["dataclass", "TypedDict", "NamedTuple", "BaseModel"]))
    bases = "" if kind == "dataclass" else f"{kind}, "
    brackets, declared = "", f"({bases}Generic[{', '.join(variables)}])"
    if _NEW_SYNTAX and draw(st.booleans()) and "D" not in variables:
        bounds = {"N": "N: int", "E": "E: (int, str)"}
        brackets = f"[{', '.join(bounds.get(each, each) for each in variables)}]"
        declared = f"({kind})" if bases else ""
    fields = draw(st.lists(_inside(variables, known), min_size=1, max_size=3))
    lines = [field_line(draw, kind, f"f{number}", one, True) for number, one in enumerate(fields)]
    head = [*(["@dataclass"] if kind == "dataclass" else []), f"class {name}{brackets}{declared}:"]
    source = "\n".join((*head, *([] if kind == "BaseModel" else docstring(draw)), *lines))
    return Class(source, Spelled(f"{name}{_arguments(draw, variables, known)}"))


def _model(draw: st.DrawFn, index: int, known: Types, own: bool) -> Class:
    """A model of pydantic's, which may hold itself."""
    name = f"M{index}"
    itself = st.sampled_from([Spelled(f"list[{name}]"), Spelled(f"Optional[{name}]")])
    fields = draw(st.lists(types(known) | itself, min_size=1, max_size=4))
    lines = [_model_line(draw, f"f{number}", one) for number, one in enumerate(fields)]
    return Class("\n".join((f"class {name}(BaseModel):", *docstring(draw), *lines)), Spelled(name))


def _model_line(draw: st.DrawFn, name: str, one: Spelled) -> str:
    line = f"    {name}: {one.text!r}"
    return f"{line} = {one.default}" if one.default is not None and draw(st.booleans()) else line


def _alias(draw: st.DrawFn, index: int, known: Types, own: bool) -> Class:
    """A name for a type, with a variable or without."""
    name = f"A{index}"
    if draw(st.booleans()):
        one = draw(types(known))
        styles = ["{0} = {1}", "{0}: TypeAlias = {1}", "{0} = TypeAliasType({0!r}, {1})"]
        styles += ["{0}: TypeAlias = {1!r}"] if own else []
        styles += ["type {0} = {1}"] if _NEW_SYNTAX else []
        return Class(draw(st.sampled_from(styles)).format(name, one.text), Spelled(name, None, one.hashable))
    pattern = draw(st.sampled_from(["list[{}]", "dict[str, {}]", "Optional[{}]", "tuple[{}, int]", "Union[{}, None]"]))
    value = pattern.format("T")
    styles = ["{0} = {1}", "{0}: TypeAlias = {1}", "{0} = TypeAliasType({0!r}, {1}, type_params=(T,))"]
    styles += ["type {0}[T] = {1}"] if _NEW_SYNTAX else []
    source = draw(st.sampled_from(styles)).format(name, value)
    return Class(source, Spelled(f"{name}[{draw(types(known)).text}]"))


def _parameter(draw: st.DrawFn, name: str, one: Spelled) -> str:
    annotation = draw(spelling())(one.text)
    return f"{name}: {annotation}" + (f" = {one.default}" if one.default is not None and draw(st.booleans()) else "")
