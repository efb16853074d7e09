"""Whatever makes a tool is counted: every spelling is compiled, refused or not decidable, and none goes missing."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from lauren_compiler.config import CommandLine, load
from lauren_compiler.pipeline import run

HEAD = '''
import functools
import os
from typing import TYPE_CHECKING, overload

import lauren_runtime
from lauren_runtime import tool


def one(a: int) -> str:
    """One."""
    return ""


def two(a: int) -> str:
    """Two."""
    return ""


def traced(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner

'''

CASES = tomllib.loads(Path(__file__).with_name("spellings.toml").read_text("utf-8"))
SEVERAL = dict.fromkeys(
    ("in a list", "a comprehension", "a set comprehension", "a dict comprehension", "a generator expression", "a map"),
    2,
)


def counts(folder: Path, text: str) -> tuple[int, int, int, int]:
    (folder / "tools.py").write_text(HEAD + text + "\n", "utf-8")
    (folder / "pyproject.toml").write_text("[tool.lauren-compile]\n", "utf-8")
    outcome = run(load(CommandLine(paths=("tools.py",), directory=folder)).config, directory=folder)
    counted = outcome.tools
    return counted.found, counted.compiled, counted.refused, counted.undecidable


@pytest.mark.parametrize("what", CASES["compiled"])
def test_compiled(what: str, tmp_path: Path) -> None:
    number = SEVERAL.get(what, 1)
    assert counts(tmp_path, CASES["compiled"][what]) == (number, number, 0, 0)


@pytest.mark.parametrize("what", CASES["undecidable"])
def test_not_decidable(what: str, tmp_path: Path) -> None:
    assert counts(tmp_path, CASES["undecidable"][what]) == (1, 0, 0, 1)


@pytest.mark.parametrize("what", CASES["refused"])
def test_refused(what: str, tmp_path: Path) -> None:
    assert counts(tmp_path, CASES["refused"][what]) == (1, 0, 1, 0)
