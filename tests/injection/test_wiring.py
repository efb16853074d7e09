"""Generated wiring makes the same objects, in the same order, as reading classes does; and is Python to be read."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import black
import lauren_runtime
import pytest
from harness.applications import compiled, life_of, loaded
from harness.container_graphs import Graph, graphs
from hypothesis import HealthCheck, Phase, given, settings
from lauren_runtime import LaurenFactory, ToolCall, ToolExecutor
from lauren_runtime.container import reflected

RUNTIME = str(Path(lauren_runtime.__file__).parent.parent)
CASES = Path(__file__).parents[1] / "mdtest" / "injection" / "wiring.md"
SOURCE = '''
from dataclasses import dataclass
from lauren_runtime import Scope, injectable, module, pre_destruct, tool

LOG = []

@injectable()
class Database:
    @pre_destruct
    def close(self):
        LOG.append("closed")

@injectable(scope=Scope.REQUEST)
@dataclass
class Session:
    db: Database

@tool()
@injectable(scope=Scope.REQUEST)
class Count:
    """Count calls."""
    def __init__(self, session: Session):
        self.session = session
        self.calls = 0

    async def run(self) -> str:
        self.calls += 1
        return f"{self.calls} {type(self.session.db).__name__}"

@module(providers=[Database], exports=[Database])
class Storage: ...

@module(imports=[Storage], providers=[Session, Count])
class Root: ...

ASK = [(Count, None)]
'''


def no_reflection(*_: Any) -> Any:
    raise AssertionError("classes were read")


def with_construction_noted(graph: Graph) -> str:
    """The source of an application that notes each object when it is made."""
    text = graph.text.replace("from lauren import", "from lauren_runtime import")
    text = text.replace(
        "        self.__dict__.update(", "        LOG.append(type(self).__name__)\n        self.__dict__.update("
    )
    return re.sub(r"key != 'self'\)$", "key != 'self')", text, flags=re.M)


@settings(
    max_examples=120,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(graph=graphs)
def test_drawn_applications_live_alike(graph: Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number = len(list(tmp_path.iterdir()))
    folder = tmp_path / str(number)
    folder.mkdir()
    name = f"drawn_{number}"
    found = compiled(with_construction_noted(graph), folder, name)
    if not found.wiring:
        return  # refused, or left to start-up: see test_verdicts.py
    assert black.format_str(found.wiring, mode=black.Mode()) == found.wiring
    with loaded(folder, name) as (module, table):
        by_reading = life_of(LaurenFactory.create(module.Root), module)
        with monkeypatch.context() as patched:
            patched.setattr(reflected, "reflected", no_reflection)
            prepared = life_of(LaurenFactory.create(module.Root, table=table), module)
    assert prepared == by_reading, graph.text


def shown_cases() -> list[str]:
    """The sources of the Markdown cases."""
    return re.findall(r"```python\n(.*?)```", CASES.read_text("utf-8"), flags=re.S)


@pytest.fixture(params=range(len(shown_cases())))
def shown(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The wiring of one of the Markdown cases."""
    found = compiled(shown_cases()[request.param], tmp_path)
    assert found.wiring
    return found.wiring


def test_black_leaves_it(shown: str) -> None:
    assert black.format_str(shown, mode=black.Mode()) == shown


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--no-incremental", "-p", "made"],
        [sys.executable, "-m", "pyright", "-p", "."],
    ],
    ids=["mypy", "pyright"],
)
def test_type_checkers_have_nothing_to_say(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "made").mkdir()
    (tmp_path / "made" / "__init__.py").touch()
    for number, source in enumerate(shown_cases()):
        (tmp_path / "made" / f"wiring_{number}.py").write_text(compiled(source, tmp_path).wiring)
    checks = {"typeCheckingMode": "strict", "extraPaths": [RUNTIME], "include": ["made"]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(checks))
    monkeypatch.setenv("MYPYPATH", RUNTIME)
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    found = compiled(SOURCE, tmp_path)
    assert found.wiring, found.errors
    return tmp_path


def test_tools_run_with_prepared_objects(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk(module: ModuleType, table: Any) -> list[Any]:
        async with LaurenFactory.create(module.Root, table=table) as app:
            executor = ToolExecutor(table, container=app.container)
            return [(await executor.execute(ToolCall("t", "count", {}))).content for _ in range(2)]

    monkeypatch.setattr(reflected, "reflected", no_reflection)
    with loaded(shop) as (module, table):
        assert asyncio.run(talk(module, table)) == ["1 Database", "1 Database"]
        assert module.LOG == ["closed"]


def test_another_root_and_global_providers_are_read(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build knows neither, so classes are read for them."""
    with loaded(shop) as (module, table):
        app = LaurenFactory.create(module.Storage, table=table)
        assert isinstance(asyncio.run(app.resolve(module.Database)), module.Database)
        monkeypatch.setattr(reflected, "reflected", no_reflection)
        with pytest.raises(AssertionError, match="classes were read"):
            LaurenFactory.create(module.Storage, table=table)
        with pytest.raises(AssertionError, match="classes were read"):
            LaurenFactory.create(module.Root, table=table, global_providers=[module.Database])


WATCH = """
import builtins, sys
sys.path[:0] = [{runtime!r}, {folder!r}]
asked = set()
real = builtins.__import__
def watching(name, names=None, *rest, **more):
    by = (names or {{}}).get("__name__", "")
    if by.startswith(("lauren_runtime", "lauren_build")):
        asked.add((by, name))
    return real(name, names, *rest, **more)
builtins.__import__ = watching
import lauren_build._wiring
assert "shop" not in sys.modules
import shop, asyncio
from lauren_build.dispatch import TABLE
from lauren_runtime import LaurenFactory
async def main():
    async with LaurenFactory.create(shop.Root, table=TABLE) as app:
        async with app.request() as request:
            return await request.resolve(shop.Count)
print(type(asyncio.run(main())).__name__)
print(sorted(by for by, name in asked if name in ("inspect", "typing", "ast", "re")))
"""


def test_no_reflection_is_loaded(shop: Path) -> None:
    """Neither the generated file nor the container asks for `inspect` or `typing`, and the sources are not loaded by
    loading the wiring. (asyncio asks for `inspect` itself.)"""
    code = WATCH.format(runtime=RUNTIME, folder=str(shop))
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split("\n")[:2] == ["Count", "[]"]
