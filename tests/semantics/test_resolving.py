"""Names followed through module graphs of any shape: always an answer, never a crash."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lauren_compiler.config import Config
from lauren_compiler.diagnostics.model import Level
from lauren_compiler.pipeline import Outcome, run
from lauren_compiler.source.filesystem import Memory

ROOT = Path("/project")


def compiled(files: dict[str, str]) -> Outcome:
    """What a build of these files gives; names are relative to one root."""
    memory = Memory({str(ROOT / name): text.encode() for name, text in files.items()})
    return run(Config(sources=(ROOT,), roots=(ROOT,), out=ROOT / "out"), memory, ROOT)


def type_of(outcome: Outcome) -> str:
    (tool,) = outcome.toolset.tools
    return repr(tool.parameters[0].type)


TOOL = "from lauren_runtime import tool\n\n@tool()\ndef use(x: {}) -> str:\n    'Use.'\n    return ''\n"


@pytest.mark.parametrize("length", [1, 40, 600])
def test_a_chain_of_re_exports_may_be_of_any_length(length: int) -> None:
    files = {f"m{index}.py": f"from m{index + 1} import V\n" for index in range(length)}
    files[f"m{length}.py"] = "V = int\n"
    files["tools.py"] = "from m0 import V\n" + TOOL.format("V")
    outcome = compiled(files)
    assert not outcome.diagnostics
    assert "INTEGER" in type_of(outcome)


@pytest.mark.parametrize("length", [1, 40, 600])
def test_a_chain_of_aliases_may_be_of_any_length(length: int) -> None:
    lines = ["A0 = int", *(f"A{index + 1} = A{index}" for index in range(length))]
    outcome = compiled({"tools.py": "\n".join(lines) + "\n" + TOOL.format(f"A{length}")})
    assert "INTEGER" in type_of(outcome)


def test_a_chain_shows_its_first_and_last_steps() -> None:
    files = {f"m{index}.py": f"from m{index + 1} import Value\n" for index in range(20)}
    files["m20.py"] = "Values = int\n"
    files["tools.py"] = "from m0 import Value\n" + TOOL.format("Value")
    (found,) = (each for each in compiled(files).diagnostics if each.level is Level.ERROR)
    assert found.rule.code == "LC203"
    assert found.help == "did you mean `Values`?"
    assert [label.span.path for label in found.labels] == ["tools.py", "m0.py", "m1.py", "m17.py", "m18.py", "m19.py"]


NAMES = ["a", "b", "c", "d"]
STATEMENTS = st.one_of(
    st.builds("from {} import {}".format, st.sampled_from(NAMES), st.sampled_from([*"XYZ", "*"])),
    st.builds("from {} import {} as {}".format, *(st.sampled_from(part) for part in (NAMES, "XYZ", "XYZ"))),
    st.builds("import {}".format, st.sampled_from(NAMES)),
    st.builds("{} = {}".format, st.sampled_from("XYZ"), st.sampled_from(["int", "a.X", "Y", "list['Z']", "'X'", "b"])),
    st.builds("class {}({}):\n    v: int".format, st.sampled_from("XYZ"), st.sampled_from([*"XYZ", "a.Y", "object"])),
    st.builds("del {}".format, st.sampled_from("XYZ")),
    st.builds("if c:\n    from {} import {}".format, st.sampled_from(NAMES), st.sampled_from("XYZ")),
    st.builds("try:\n    import nope as {}\nexcept ImportError:\n    {} = str".format, st.just("X"), st.just("X")),
)


@settings(max_examples=150, deadline=None)
@given(st.fixed_dictionaries({f"{name}.py": st.lists(STATEMENTS, max_size=5) for name in NAMES}))
def test_every_graph_of_modules_has_an_answer(graph: dict[str, list[str]]) -> None:
    files = {name: "\n".join(lines) + "\n" for name, lines in graph.items()}
    files["tools.py"] = "from a import *\nimport b\n" + TOOL.format("'X | list[b.Y]'")
    outcome = compiled(files)
    errors = [found for found in outcome.diagnostics if found.level == "error"]
    assert bool(errors) != bool(outcome.toolset.tools)
    assert outcome.tools.found == 1
