"""Rules and their pages belong together, one to one."""

from __future__ import annotations

import re
from pathlib import Path

import lauren_compiler.diagnostics
import pytest
from lauren_compiler.config import CommandLine, load
from lauren_compiler.diagnostics.model import Rule
from lauren_compiler.diagnostics.rules import ALL, find
from lauren_compiler.driver.build import check
from lauren_compiler.pipeline import run
from lauren_compiler.resources import page
from lauren_compiler.targets import TARGETS

DOCS = Path(lauren_compiler.diagnostics.__file__).parent / "docs"


def test_codes_and_names_are_unique_and_well_formed() -> None:
    assert len({rule.code for rule in ALL}) == len({rule.name for rule in ALL}) == len(ALL)
    for rule in ALL:
        assert re.fullmatch(r"LC[0-9]{3}", rule.code)
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
        assert find(rule.code) is find(rule.name) is rule


def test_every_page_has_a_rule() -> None:
    assert sorted(path.stem for path in DOCS.glob("*.md")) == [rule.code for rule in ALL]


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.code)
def test_page(rule: Rule) -> None:
    text = page(rule.code)
    assert text.startswith(f"# {rule.code}: {rule.name}\n\n")
    assert "\nFix: " in text


PREAMBLE = """\
import os
from dataclasses import dataclass, field
from enum import Enum
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias
from pydantic import Field
from lauren_runtime import Scope, ToolContext, injectable, module, tool, use_existing, use_value
"""
NEED_OTHER_FILES = {"LC102", "LC104", "LC105", "LC202", "LC203", "LC204", "LC213", "LC214"}
OF_RUNTIMES = {"LC801", "LC802"}
"""Those that are told only where a runtime is named."""


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.code)
def test_the_example_of_a_page_shows_its_rule(rule: Rule, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = re.findall(r"```python\n(.*?)```", page(rule.code), re.DOTALL)
    if rule.code in NEED_OTHER_FILES:
        assert examples
        return
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").touch()
    for example in examples:
        (tmp_path / "tools.py").write_text(PREAMBLE + example, encoding="utf-8")
        runtime = "lauren-ai" if rule.code in OF_RUNTIMES else None
        command = CommandLine(directory=tmp_path, target_runtime=runtime)
        built = check(load(command, known_targets=TARGETS), tmp_path, run)
        assert rule.code in {found.rule.code for found in built.diagnostics}
