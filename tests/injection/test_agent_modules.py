"""What the compiler says of modules of agents is what the container says of them."""

from __future__ import annotations

import asyncio
import importlib
import re
import sys
from pathlib import Path
from types import ModuleType

import black
import pytest
from harness.applications import compiled, loaded
from lauren_runtime import AgentRunner, LaurenApp, LaurenFactory, StartupError, Table
from lauren_runtime.container import reflected
from lauren_runtime.table import ABI

CASES = Path(__file__).parents[1] / "mdtest" / "injection" / "agent_modules.md"
TABLE = Table(abi=ABI, package=None, file="dispatch.py", digest="", modules={}, entries=())
SOURCES = re.findall(r"^## ([^\n]+)\n.*?```python\n(.*?)```", CASES.read_text("utf-8"), flags=re.S | re.M)


def refused(folder: Path, name: str) -> set[str]:
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        LaurenFactory.create(importlib.import_module(name).Shop, table=TABLE)
    except StartupError as error:
        return {type(each).__name__ for each in error.errors}
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop(name, None)
    return set()


@pytest.mark.parametrize("source", [text for _, text in SOURCES], ids=[title for title, _ in SOURCES])
def test_the_container_agrees(source: str, tmp_path: Path) -> None:
    found = compiled(source, tmp_path, "agents_of_the_shop")
    expected = refused(tmp_path, "agents_of_the_shop")
    assert set(found.errors) == expected
    assert not found.is_dynamic
    assert bool(found.wiring) == (not expected)


SOUND = [
    (title, text)
    for title, text in SOURCES
    if title in ("Declared by the module of the agent", "A tool that another module owns", "Skills")
]


@pytest.mark.parametrize("source", [text for _, text in SOUND], ids=[title for title, _ in SOUND])
def test_the_runner_and_its_tools_are_the_same(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By wiring and by reading, each asked for as what the agent, its tool and its runner go by."""
    source = "from lauren_runtime.testing import ScriptedModel\n" + source.replace(
        "value=object()", "value=ScriptedModel()"
    )
    found = compiled(source, tmp_path)
    assert black.format_str(found.wiring, mode=black.Mode()) == found.wiring
    with loaded(tmp_path) as (module, table):
        by_reading = asyncio.run(kinds(LaurenFactory.create(module.Shop, table=TABLE), module))
        monkeypatch.setattr(reflected, "reflected", None)
        by_wiring = asyncio.run(kinds(LaurenFactory.create(module.Shop, table=table), module))
    assert by_wiring == by_reading


async def kinds(app: LaurenApp, module: ModuleType) -> list[str]:
    """The kinds of what the application gives, and whether the runner is one object under both its names."""
    async with app:
        clerk = await app.resolve(module.Clerk, owning_module=None)
        runner = await app.resolve(AgentRunner[module.Clerk])
        return [type(each).__qualname__ for each in (clerk, runner)] + [str(runner is await app.resolve(AgentRunner))]


OWN_TABLE = """
from lauren_runtime import Table, injectable, module, use_value


@injectable()
class Menu:
    def __init__(self, table: Table) -> None:
        self.table = table


OWN = object()


@module(providers=[Menu, use_value(provide=Table, value=OWN)])
class Shop: ...
"""


def test_a_table_of_the_application_is_wired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that `create(...)` is given only finds the wiring then."""
    compiled(OWN_TABLE, tmp_path)
    monkeypatch.setattr(reflected, "reflected", None)
    with loaded(tmp_path) as (module, table):
        app = LaurenFactory.create(module.Shop, table=table)
        assert asyncio.run(app.resolve(module.Menu)).table is module.OWN
