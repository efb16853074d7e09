"""No code block of the two pages is left out: each runs as it stands under the stand-in, or is a signature."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from lauren_runtime import standin

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))  # both are also run as programs
from preambles import PREAMBLES  # noqa: E402
from verdicts import CALLED, GUIDE, REFERENCE, RUNS, SIGNATURE, VERDICTS  # noqa: E402

sys.path.remove(str(HERE))
TOOL = """
from lauren_ai import tool

@tool()
class CheckAuthenticationTool:
    async def run(self) -> bool:
        return True
"""
RUNNER = "from lauren_runtime import default_approvals\nrunner = default_approvals()\n"


def named(verdict: str) -> list[str]:
    return [name for name, each in VERDICTS.items() if each == verdict]


def test_there_is_a_verdict_for_each() -> None:
    assert (len(REFERENCE), len(GUIDE)) == (8, 12)  # as many as the pages have
    assert set(named(RUNS)) == {path.stem for path in (HERE / "blocks").glob("*.py")}
    assert set(named(SIGNATURE)) == {path.stem for path in (HERE / "signatures").glob("*.txt")} == CALLED.keys()


@pytest.mark.parametrize("block", named(RUNS))
def test_it_runs_as_it_stands(block: str, tmp_path: Path) -> None:
    text = (HERE / "blocks" / f"{block}.py").read_text("utf-8")
    before = PREAMBLES[block] + (RUNNER if "await runner." in text else "")
    for package in ("app", "app/ai"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "app/ai/check_auth_tool.py").write_text(TOOL, "utf-8")
    (tmp_path / "program.txt").write_text(f"{before}\n{text}", "utf-8")
    command = [sys.executable, str(HERE / "run_as_it_stands.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.split()) >= defined(text)


def defined(text: str) -> set[str]:
    """The names that the statements of a block bind."""
    found: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return found


@pytest.fixture
def offered() -> Iterator[Any]:
    standin.install()
    yield import_module("lauren_ai._tools")
    standin.uninstall()


@pytest.mark.parametrize("block", named(SIGNATURE))
def test_the_stand_in_is_called_so(block: str, offered: Any) -> None:
    """Each parameter is there, with its default, and may be given by name; of data, also by its place. What the page
    wants given may be left out."""
    shown = parameters((HERE / "signatures" / f"{block}.txt").read_text("utf-8"))
    target = offered
    for name in CALLED[block].split("."):
        target = getattr(target, name)
    own = inspect.signature(target).parameters
    for place, (name, default) in enumerate(shown):
        if name in ("self", "args"):
            continue
        made = own[name].default
        assert made == default or default in (inspect.Parameter.empty, {}), f"{name}: {made!r}"
        if CALLED[block] != "tool":
            assert [*own][place] == name


def parameters(text: str) -> list[tuple[str, Any]]:
    """Name and default of each parameter that the page shows; what it shows as `dict()` is a new one each time."""
    with pytest.raises(SyntaxError):
        ast.parse(text)  # no statement: that is why nothing of it is run
    head, _, rest = text.partition("(")
    (function,) = ast.parse(f"def {head.split()[-1]}({rest.rstrip()}: ...").body
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    names = [each.arg for each in given.args if each.arg != "cls"]
    values = [ast.unparse(each) for each in given.defaults]
    defaults = [inspect.Parameter.empty] * (len(names) - len(values)) + [eval(each, {"dict": dict}) for each in values]
    return list(zip(names, defaults, strict=True))
