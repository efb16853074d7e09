"""The example of docs/wiring.md is what the compiler writes; `pytest --update` writes it anew."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from harness.applications import compiled, life_of, loaded
from lauren_runtime import LaurenFactory

PAGE = Path(__file__).parents[2] / "docs" / "wiring.md"
BLOCK = re.compile(r"(becomes\n\n```python\n)(.*?)(```)", re.DOTALL)
SOURCE = re.compile(r"```python\n(# shop\.py\n.*?)```", re.DOTALL)


def test_the_generated_code_is_what_is_generated(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    text = PAGE.read_text("utf-8")
    source, block = SOURCE.search(text), BLOCK.search(text)
    assert source is not None
    assert block is not None
    found = compiled(source[1], tmp_path)
    shown = re.sub(r'^DIGEST = ".*"$', 'DIGEST = "…"', found.wiring, flags=re.M)
    if pytestconfig.getoption("--update"):
        PAGE.write_text(text.replace(block[0], block[1] + shown + block[3]), "utf-8")
        return
    assert block[2] == shown


def test_the_example_lives(tmp_path: Path) -> None:
    source = SOURCE.search(PAGE.read_text("utf-8"))
    assert source is not None
    compiled(source[1] + "\nLOG = []\nASK = [(Buy, None)]\n", tmp_path)
    with loaded(tmp_path) as (module, table):
        prepared = life_of(LaurenFactory.create(module.Shop, table=table), module)
        assert prepared == life_of(LaurenFactory.create(module.Shop), module)
    assert prepared["objects"][0][2]["rate"] == 1.5
