"""Rules and their pages belong together, one to one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import lauren_compiler.diagnostics
import pytest
from lauren_compiler.diagnostics.model import Rule
from lauren_compiler.diagnostics.rules import ALL, find
from lauren_compiler.resources import page

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
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        if rule.code not in ("LC102", "LC103", "LC104", "LC105"):
            ast.parse(code)
