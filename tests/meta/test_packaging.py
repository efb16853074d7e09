"""The distributions: what is in them, and that they install and work away from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

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


def run(*command: str | Path, cwd: Path) -> str:
    """Run a command without what would lead it back to the checkout; return its output."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LAUREN_"))}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@dataclass(frozen=True)
class Place:
    """A virtual environment and a folder outside the checkout."""

    folder: Path
    python: Path

    @property
    def command(self) -> Path:
        return self.python.with_name("lauren-compile")


def new_place(folder: Path) -> Place:
    run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    return Place(folder, folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python")


@pytest.fixture(scope="module")
def distributions(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from the sdist's content."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-P", "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=root)
    [sdist] = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "source", filter="data")
    [source] = (folder / "source").iterdir()
    run(sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=source)
    return folder


@pytest.fixture(scope="module")
def wheel(distributions: Path) -> Path:
    [path] = distributions.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A new environment with the wheel and its dependencies."""
    place = new_place(tmp_path_factory.mktemp("installed"))
    run(place.python, "-m", "pip", "install", "--quiet", wheel, cwd=place.folder)
    return place


@pytest.fixture(scope="module")
def runtime_alone(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A new environment with the wheel and nothing else."""
    place = new_place(tmp_path_factory.mktemp("alone"))
    run(place.python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=place.folder)
    return place


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
    assert {name for name in names if ".dist-info/" not in name} == expected
    assert {"lauren_compiler/py.typed", "lauren_runtime/py.typed"} <= names
    assert any(name.startswith("lauren_compiler/templates/") for name in names)
    assert any(name.endswith("/licenses/LICENSE") for name in names)


def test_the_wheel_has_a_page_for_each_diagnostic(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        pages = [name for name in archive.namelist() if name.startswith("lauren_compiler/diagnostics/docs/LC")]
    assert len(pages) > 20


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


def test_the_wheel_works_away_from_the_checkout(installed: Place) -> None:
    folder = project(installed.folder / "project")
    run(installed.command, "build", folder, cwd=folder)
    run(installed.command, "validate", "lauren_build", cwd=folder)
    run(installed.command, "build", "--check", folder, cwd=folder)
    answer = run(installed.command, "call", "lauren_build", "convert", '{"length": 10}', "--root", ".", cwd=folder)
    assert "3.048" in answer
    assert run(installed.python, "-m", "lauren_compiler", "explain", "LC301", cwd=folder).strip()


CALL = """
import asyncio, sys
from lauren_build.dispatch import TABLE
from lauren_runtime import ToolCall, ToolExecutor
call = ToolCall(tool_use_id="t1", name="convert", input={"length": "10", "to": "ft"})
result = asyncio.run(ToolExecutor(TABLE).execute(call))
outside = {name.partition(".")[0] for name in sys.modules} - sys.stdlib_module_names
print(result.is_error, result.content, len(result.repairs), len(TABLE.provider_tools("anthropic")), sorted(outside))
"""


def test_a_build_runs_with_the_runtime_alone(installed: Place, runtime_alone: Place) -> None:
    """Compiled in one environment; run in another, that has only the wheel itself and no dependency of the compiler."""
    folder = project(runtime_alone.folder / "project")
    run(installed.command, "build", folder, cwd=folder)
    listed = run(runtime_alone.python, "-m", "pip", "list", "--format=json", cwd=folder)
    assert {package["name"] for package in json.loads(listed)} <= {"lauren-compile", "pip", "setuptools"}
    printed = run(runtime_alone.python, "-I", "-c", f"import sys; sys.path.insert(0, '.')\n{CALL}", cwd=folder)
    content = 10 / 0.3048
    modules = "['__main__', 'lauren_build', 'lauren_runtime', 'lengths']"
    assert printed.strip() == f"False {content} 1 1 {modules}"


def test_the_command_says_what_it_lacks_when_installed_without_dependencies(runtime_alone: Place) -> None:
    folder = runtime_alone.folder
    done = subprocess.run([runtime_alone.command, "build", "."], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install lauren-compile" in done.stderr
    assert "Traceback" not in done.stderr
