"""The user's guide names every key of the configuration, every option of `@tool()` and every provider's file."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from lauren_compiler.config.keys import KEYS
from lauren_compiler.targets import TARGETS
from lauren_runtime import tool


@pytest.fixture(scope="module")
def guide(root: Path) -> str:
    return (root / "docs" / "using.md").read_text("utf-8")


@pytest.mark.parametrize(
    "name", [*KEYS, *(option for option in inspect.signature(tool).parameters if option != "args")]
)
def test_keys_and_options_are_named(guide: str, name: str) -> None:
    assert f"`{name}`" in guide


@pytest.mark.parametrize("target", TARGETS)
def test_files_are_named(guide: str, target: str) -> None:
    assert f"| `providers/{target}.json` |" in guide
