"""What the messages propose for mistakes that people make with types and names."""

from __future__ import annotations

from pathlib import Path

import pytest
from lauren_compiler.config import Config
from lauren_compiler.diagnostics.model import Diagnostic
from lauren_compiler.pipeline import run
from lauren_compiler.semantics import suggestions
from lauren_compiler.source.filesystem import Memory
from lauren_compiler.syntax.parse import needed_python

ROOT = Path("/project")
TOOL = "import typing as t\n\nfrom lauren_runtime import tool\n\n@tool()\ndef use(x: {}) -> str:\n    'Use.'\n"


def diagnostics(text: str) -> list[Diagnostic]:
    memory = Memory({str(ROOT / "tools.py"): text.encode()})
    return list(run(Config(sources=(ROOT,), roots=(ROOT,), out=ROOT / "out"), memory, ROOT).diagnostics)


@pytest.mark.parametrize(
    ("annotation", "help"),
    [
        ("[int]", "write `list[int]`"),
        ("{int}", "write `set[int]`"),
        ("(int, str)", "write `tuple[int, str]`"),
        ("{str: [int]}", "write `dict[str, list[int]]`"),
        ("int or None", "write `int | None`"),
        ("list(int)", "write `list[int]`"),
        ("t.Optional(int)", "write `t.Optional[int]`"),
        ("3", "write `Literal[3]`"),
        ('["red", "blue"]', 'write `Literal["red", "blue"]`'),
        ('("red",)', 'write `Literal["red"]`'),
        ('"[int]"', "write `list[int]`"),
        ("list[[int]]", "write `list[int]`"),
        ("dict[str, (int, str)]", "write `tuple[int, str]`"),
    ],
)
def test_an_annotation_that_is_no_type(annotation: str, help: str) -> None:
    (found,) = diagnostics(TOOL.format(annotation))
    assert (found.rule.code, found.help) == ("LC302", help)


@pytest.mark.parametrize("annotation", ["[int, str]", "{'a': int}", "print(int)", "3.5", "()", f"({'int, ' * 40})"])
def test_nothing_is_proposed_where_it_is_not_clear(annotation: str) -> None:
    (found,) = diagnostics(TOOL.format(annotation))
    assert (found.rule.code, found.help) == ("LC302", None)


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("Literal", "import it: `from typing import Literal`"),
        ("Sequence", "import it: `from collections.abc import Sequence`"),
        ("Decimal", "import it: `from decimal import Decimal`"),
        ("BaseModel", "import it: `from pydantic import BaseModel`"),
        ("List", "did you mean `list`?"),
        ("string", "did you mean `str`?"),
        ("Boolean", "did you mean `bool`?"),
        ("strr", "did you mean `str`?"),
        ("tol", "did you mean `tool`?"),
        ("nope", None),
        ("datetime.date", "import it: `import datetime`"),
        ("datetime", "import it: `from datetime import datetime`"),
        ("datetime.nothing", "import it: `from datetime import datetime`"),
    ],
)
def test_a_name_that_is_defined_nowhere(name: str, help: str | None) -> None:
    (found,) = diagnostics(TOOL.format(name))
    assert (found.rule.code, found.help) == ("LC201", help)


def test_nothing_is_looked_for_where_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name is compared with all names around it, so that a body of many that are not found would take for ever."""
    asked: list[str] = []
    unbound = suggestions.unbound
    monkeypatch.setattr(suggestions, "unbound", lambda name, bound: [asked.append(name), unbound(name, bound)][1])
    inside = "def make():\n    a = missing(1)\n    b = gone(a)\n    @tool()\n    def f(x: {}) -> str:\n        'F.'\n"
    source = f"from lauren_runtime import tool\n\n{inside}"
    assert diagnostics(source.format("int")) == []
    assert asked == []
    assert [each.help for each in diagnostics(source.format("strr"))] == ["did you mean `str`?"]
    assert asked == ["strr"]


def test_a_decorator_that_is_not_imported() -> None:
    (found,) = diagnostics("@tool()\ndef use(x: int) -> str:\n    'Use.'\n")
    assert (found.rule.code, found.help) == ("LC201", "import it: `from lauren_runtime import tool`")


@pytest.mark.parametrize(
    ("annotation", "message", "help"),
    [
        ("list[int, str]", "`list`", "write `list[int | str]` if it may be any of them"),
        ("t.Optional[int, str]", "`t.Optional`", "write `t.Optional[int | str]` if it may be any of them"),
        ("dict[str]", "`dict`", None),
    ],
)
def test_a_wrong_number_of_arguments(annotation: str, message: str, help: str | None) -> None:
    (found,) = diagnostics(TOOL.format(annotation))
    assert found.rule.code == "LC303"
    assert found.message.startswith(f"{message}, in the type of parameter `x`, takes ")
    assert found.help == help


@pytest.mark.parametrize(("module", "meant"), [("lauren_runtim", "lauren_runtime"), ("laurenai", "lauren_ai")])
def test_a_decorator_of_a_misspelt_module(module: str, meant: str) -> None:
    (found,) = diagnostics(f"from {module} import tool\n\n@tool()\ndef use(x: int) -> str:\n    'Use.'\n")
    assert (found.rule.code, found.help) == ("LC202", f"did you mean `{meant}`?")


@pytest.mark.parametrize("start", ["from langchain_core.tools import tool", "from smolagents import *"])
def test_decorators_of_others_are_no_mistakes(start: str) -> None:
    assert diagnostics(f"{start}\n\n@tool\ndef use(x: int) -> str:\n    'Use.'\n") == []


@pytest.mark.parametrize(
    ("parameter", "help"),
    [
        ("ctx", "annotate it: `ctx: ToolContext` if it is the call's context, which no model is asked for"),
        ("city", "annotate it, with `Any` if it takes everything: `city: Any`"),
    ],
)
def test_a_parameter_without_annotation(parameter: str, help: str) -> None:
    (found,) = diagnostics(f"from lauren_runtime import tool\n\n@tool()\ndef use({parameter}) -> str:\n    'Use.'\n")
    assert (found.rule.code, found.help) == ("LC406", help)


def test_a_module_that_is_not_found() -> None:
    (found,) = diagnostics("import quite_elsewhere\n" + TOOL.format("quite_elsewhere.Thing"))
    assert found.rule.code == "LC202"
    assert found.help == "install it where `--python` looks, or name the folder that it lies in with `--root`"


def test_a_class_of_which_nothing_is_known() -> None:
    (found,) = diagnostics("class Thing:\n    def __init__(self, a: int): ...\n\n" + TOOL.format("Thing"))
    assert found.help is not None
    assert found.help.endswith("or declare it in `[tool.lauren-compile.types]`")


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("class Box[T]:", (3, 12)),
        ("    async def first[T](items: list[T]) -> T: ...", (3, 12)),
        ("type Ids = list[int]", (3, 12)),
        ("type Pair[T] = tuple[T, T]", (3, 12)),
        ("except ValueError, TypeError:", (3, 14)),
        ('greeting = t"Hello {name}"', (3, 14)),
        ("class Box(:", None),
        ("def first(items: list[int] -> int:", None),
        ("x = [1, 2", None),
    ],
)
def test_syntax_of_a_later_python(line: str, version: tuple[int, int] | None) -> None:
    assert needed_python(line, "invalid syntax") == version


def test_f_strings_of_a_later_python() -> None:
    assert needed_python("x = f'{names['a']}'", "f-string: expecting '}'") == (3, 12)
