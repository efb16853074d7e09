"""The same sources give the same bytes, whatever runs the compiler, from wherever, in whatever order."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from harness import requires

#: Types of every kind whose order or text could depend on hashing, on the running Python, or on the order of files.
MODELS = """
from __future__ import annotations
from dataclasses import dataclass, field
from enum import Enum, Flag
from typing import Literal, NamedTuple, TypedDict

class Colour(str, Enum):
    RED = "red"
    GREEN = "grün"

class Mode(Flag):
    READ = 1
    WRITE = 2

class Point(NamedTuple):
    x: int
    y: float = 0.5

@dataclass
class Node:
    name: str
    colour: Colour = Colour.RED
    tags: set[str] = field(default_factory=set)
    children: list[Node] = field(default_factory=list)

class Options(TypedDict, total=False):
    depth: int
    order: Literal["up", "down", 3]
"""
TREES = '''
from lauren_runtime import Scope, injectable, module, tool, use_factory, use_value
from .models import Colour, Node, Options, Point

@tool()
def plant(node: Node, at: Point, options: Options | None = None) -> list[Node]:
    """Plant a tree.

    Args:
        node: The root.
        at: Where.
    """
    return [node]

@tool(cache_ttl=5)
async def paint(colours: frozenset[Colour], weights: dict[str, float], limit: int = 2**40) -> str | None:
    """Paint it. Grüße, “quotes”, \\\\ and 日本."""

class Sower: ...

@injectable(provides=[Sower], multi=True)
class Hand: ...

@injectable(provides=[Sower], multi=True, scope=Scope.REQUEST)
class Machine:
    def __init__(self, größe: Hand): ...

@injectable(scope=Scope.REQUEST)
class Farm:
    def __init__(self, sowers: list[Sower]): ...

@module(providers=[Hand, use_value(provide="größe", value=1)], exports=[Hand, Sower])
class Fields: ...

@module(imports=[Fields], providers=[Farm, Machine, use_factory(provide=3, factory=lambda a: a, injects=[Hand])])
class Country: ...

'''
CLOCK = '''
import typing as t
from lauren_runtime import ToolContext, tool
from . import models as m

@tool(name="set_clock", requires_confirmation=True)
class Clock:
    """Set the clock."""

    def run(self, to: t.Union[int, "m.Point", None], ctx: ToolContext, mode: m.Mode = m.Mode.READ) -> None: ...
'''
AGENTS = '''
from lauren_runtime import AgentModule, agent, use_tools
from . import clock, trees

ALL = [trees.plant, *(trees.paint, clock.Clock)]

@agent(model="m")
@use_tools(*ALL)
class Gardener:
    """You garden.

        Grüße.
    """

@use_tools(trees.paint)
@agent(name="Painter")
class Painter: ...

Garden = AgentModule.for_root(agents=[Painter, Gardener], tools=[clock.Clock])
'''


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    package = folder / "garden"
    package.mkdir()
    sources = {"__init__": "", "models": MODELS, "trees": TREES, "clock": CLOCK, "agents": AGENTS}
    for name, text in sources.items():
        (package / f"{name}.py").write_text(text, "utf-8")
    (folder / "pyproject.toml").write_text("[tool.lauren-compile]\nroots = ['.']\n", "utf-8")
    return folder


def compile_with(
    python: str, library: str, folder: Path, *arguments: str, cwd: Path, seed: str = "0"
) -> dict[str, bytes]:
    """Compile with `python`, searching the packages of `library`; return path → content of all that was written."""
    out = folder / "lauren_build"
    shutil.rmtree(out, ignore_errors=True)
    command = [python, "-m", "lauren_compiler", "build", *arguments, "-o", str(out), "--python", library, "--no-cache"]
    variables = os.environ | {"PYTHONHASHSEED": seed}
    done = subprocess.run(command, cwd=cwd, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def expected(project: Path, pythons: dict[str, str]) -> dict[str, bytes]:
    python = library(pythons)
    files = compile_with(python, python, project, str(project / "garden"), cwd=project)
    assert {
        "manifest.json",
        "dispatch.py",
        "schemas/plant.json",
        "schemas/paint.json",
        "schemas/set_clock.json",
    } <= set(files)
    return files


def library(pythons: dict[str, str]) -> str:
    """The one interpreter whose packages every compile searches."""
    return pythons[min(pythons)]


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_running_python(version: str, project: Path, expected: dict[str, bytes], pythons: dict[str, str]) -> None:
    if version not in pythons:
        requires.missing(f"no Python {version}; build.py test looks for one")
    arguments = str(project / "garden")
    assert compile_with(pythons[version], library(pythons), project, arguments, cwd=project) == expected


@pytest.mark.parametrize("seed", ["1", "2", "12345"])
def test_hash_seed(seed: str, project: Path, expected: dict[str, bytes], pythons: dict[str, str]) -> None:
    python = library(pythons)
    assert compile_with(python, python, project, str(project / "garden"), cwd=project, seed=seed) == expected


def test_working_directory(project: Path, expected: dict[str, bytes], pythons: dict[str, str], tmp_path: Path) -> None:
    python = library(pythons)
    for cwd in (tmp_path, project / "garden", Path(tmp_path.anchor)):
        relative = os.path.relpath(project / "garden", cwd)
        assert compile_with(python, python, project, relative, cwd=cwd) == expected


def test_order_of_arguments(project: Path, expected: dict[str, bytes], pythons: dict[str, str]) -> None:
    python = library(pythons)
    files = [str(path) for path in sorted((project / "garden").glob("*.py"))]
    for arguments in (files, files[::-1], [*files, *files]):
        assert compile_with(python, python, project, *arguments, cwd=project) == expected


def test_place_of_the_project(
    project: Path, expected: dict[str, bytes], pythons: dict[str, str], tmp_path: Path
) -> None:
    """A copy elsewhere, with other file times and line ends left as they are, gives the same bytes."""
    python = library(pythons)
    copy = tmp_path / "äther space" / "copy"
    shutil.copytree(project, copy, ignore=shutil.ignore_patterns("lauren_build"))
    for path in copy.rglob("*.py"):
        os.utime(path, (1, 1))
    assert compile_with(python, python, copy, str(copy / "garden"), cwd=copy) == expected


def test_no_path_of_the_project_in_the_output(project: Path, expected: dict[str, bytes]) -> None:
    assert [name for name, content in expected.items() if str(project).encode() in content] == []
