"""What the compiler says of modules of agents is what the container says of them."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import pytest
from harness.applications import compiled
from lauren_runtime import LaurenFactory, StartupError, Table
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
    assert found.is_dynamic
    assert not found.wiring
    assert set(found.errors) == refused(tmp_path, "agents_of_the_shop")
