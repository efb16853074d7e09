"""The distributions: what is in them, and that they install and work away from the checkout."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import Place

#: All on one worker: they share environments that take a while to make.
pytestmark = pytest.mark.xdist_group("installed")
Run = Callable[..., str]

TOOL = '''"""A tool of a project elsewhere."""
from enum import Enum
from lauren_runtime import tool

class Unit(Enum):
    METRE = "m"
    FOOT = "ft"

@tool()
def convert(length: float, to: Unit = Unit.METRE) -> float:
    """Convert a length.

    Args:
        length: The length in the other unit.
        to: The unit wanted.
    """
    return length * 0.3048 if to is Unit.METRE else length / 0.3048
'''


def below(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


def test_the_wheel_holds_the_packages_and_nothing_else(root: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if not name.endswith("/")}
    expected = {f"lauren_compiler/{name}" for name in below(root / "compiler" / "lauren_compiler")}
    expected |= {f"lauren_runtime/{name}" for name in below(root / "runtime" / "lauren_runtime")}
    expected |= {f"lauren_compiler/templates/{name}" for name in below(root / "templates")}
    compiled = {name for name in names if name.startswith("lauren_runtime/skills/_generated/")}
    assert {path.rpartition("/")[2] for path in compiled} > {"dispatch.py", "manifest.json", "anthropic.json"}
    expected = {name for name in expected if "/_generated/" not in name} | compiled
    assert {name for name in names if ".dist-info/" not in name} == expected
    assert {"lauren_compiler/py.typed", "lauren_runtime/py.typed"} <= names
    assert any(name.startswith("lauren_compiler/templates/") for name in names)
    assert any(name.endswith("/licenses/LICENSE") for name in names)


def test_the_wheel_has_a_page_for_each_diagnostic(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        pages = [name for name in archive.namelist() if name.startswith("lauren_compiler/diagnostics/docs/LC")]
    assert len(pages) > 20


def test_an_editable_install_reads_the_checkout(root: Path, tmp_path: Path, run: Run) -> None:
    run(sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel:editable", "-d", tmp_path, cwd=root)
    [path] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
        assert [name for name in names if not name.endswith(".pth")] == []
        lines = "".join(archive.read(name).decode() for name in names).split()
    assert {Path(line) for line in lines} == {root / "compiler", root / "runtime"}
    assert (root / "runtime" / "lauren_runtime" / "skills" / "_generated" / "dispatch.py").is_file()


def test_the_sdist_can_be_tested(distributions: Path) -> None:
    [sdist] = distributions.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"build.py", "pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md", "docs/architecture.md"} <= names
    assert {"examples/main.py", "tests/meta/test_packaging.py"} <= names
    assert not [name for name in names if name.startswith((".venv", "examples/lauren_build"))]


def project(folder: Path) -> Path:
    """A small project with one tool and its configuration."""
    folder.mkdir()
    (folder / "lengths.py").write_text(TOOL, "utf-8")
    (folder / "pyproject.toml").write_text('[tool.lauren-compile]\nsources = ["lengths.py"]\n', "utf-8")
    return folder


def test_the_wheel_works_away_from_the_checkout(installed: Place, run: Run) -> None:
    folder = project(installed.folder / "project")
    run(installed.command, "build", folder, cwd=folder)
    run(installed.command, "validate", "lauren_build", cwd=folder)
    run(installed.command, "build", "--check", folder, cwd=folder)
    answer = run(installed.command, "call", "lauren_build", "convert", '{"length": 10}', "--root", ".", cwd=folder)
    assert "3.048" in answer
    assert run(installed.python, "-m", "lauren_compiler", "explain", "LC301", cwd=folder).strip()


CALL = """
import sys
before = set(sys.modules)
import asyncio
from lauren_build.dispatch import TABLE
from lauren_runtime import ToolCall, ToolExecutor
call = ToolCall(tool_use_id="t1", name="convert", input={"length": "10", "to": "ft"})
result = asyncio.run(ToolExecutor(TABLE).execute(call))
outside = {name.partition(".")[0] for name in set(sys.modules) - before} - sys.stdlib_module_names
print(result.is_error, result.content, len(result.repairs), len(TABLE.provider_tools("anthropic")), sorted(outside))
"""


def test_a_build_runs_with_the_runtime_alone(installed: Place, runtime_alone: Place, run: Run) -> None:
    """Compiled in one environment; run in another, that has only the wheel itself and no dependency of the compiler."""
    folder = project(runtime_alone.folder / "project")
    run(installed.command, "build", folder, cwd=folder)
    listed = run(runtime_alone.python, "-m", "pip", "list", "--format=json", cwd=folder)
    assert {package["name"] for package in json.loads(listed)} <= {"lauren-compile", "pip", "setuptools"}
    printed = run(runtime_alone.python, "-I", "-c", f"import sys; sys.path.insert(0, '.')\n{CALL}", cwd=folder)
    content = 10 / 0.3048
    modules = "['lauren_build', 'lauren_runtime', 'lengths']"
    assert printed.strip() == f"False {content} 1 1 {modules}"


SKILLS = """
import asyncio, json
from lauren_runtime import ToolCall, ToolExecutor
from lauren_runtime.skills import TABLE
print(*sorted(TABLE.names), len(TABLE.provider_tools("openai")))
executor = ToolExecutor(TABLE)
call = ToolCall("t1", "code_execution_tool", {"code": "print(6 * 7)"})
print(json.loads(asyncio.run(executor.execute_approved(call)).content)["stdout"].strip())
print(asyncio.run(executor.execute(ToolCall("t2", "http_fetch_tool", {"url": "http://x.test/"}))).content)
"""


def test_the_wheel_brings_the_skills_compiled(runtime_alone: Place, run: Run) -> None:
    """Without the packages that they use, they say which; code needs none."""
    printed = run(runtime_alone.python, "-I", "-c", SKILLS, cwd=runtime_alone.folder).splitlines()
    assert printed[0] == "code_execution_tool http_fetch_tool web_search_tool 3"
    assert printed[1] == "42"
    assert "needs the package httpx: pip install 'lauren-compile[skills]'" in printed[2]


def test_the_skills_of_the_wheel_are_what_their_sources_give(wheel: Path, installed: Place, run: Run) -> None:
    code = "import lauren_runtime.skills as skills; print(skills.TABLE.file)"
    build = Path(run(installed.python, "-I", "-c", code, cwd=installed.folder).strip()).parent
    run(installed.command, "validate", build, cwd=installed.folder)
    out = ("-o", build, "--root", build.parents[2])
    run(installed.command, "build", build.parent, *out, "--check", cwd=installed.folder)


def test_the_command_says_what_it_lacks_when_installed_without_dependencies(runtime_alone: Place) -> None:
    folder = runtime_alone.folder
    done = subprocess.run([runtime_alone.command, "build", "."], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install lauren-compile" in done.stderr
    assert "Traceback" not in done.stderr
