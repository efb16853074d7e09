"""Every rule is shown by a Markdown case, or by a test that is named here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lauren_compiler.diagnostics.model import Rule
from lauren_compiler.diagnostics.rules import ALL

TESTS = Path(__file__).parent.parent

ELSEWHERE = {
    "LC101": "commands/test_unreadable.py",
    "LC102": "commands/test_unreadable.py",
    "LC104": "commands/test_unreadable.py",
    "LC105": "commands/test_unreadable.py",
    "LC503": "targets/test_limits.py",
    "LC505": "targets/test_limits.py",
    "LC901": "commands/test_command_line.py",
    "LC902": "commands/test_command_line.py",
    "LC903": "commands/test_validate.py",
    "LC904": "runs/test_again.py",
    "LC905": "commands/test_validate.py",
}
"""Rules whose cases Markdown can't hold well: odd bytes, hundreds of tools, what lies on disk."""


def shown_by_cases() -> set[str]:
    found: set[str] = set()
    for file in (TESTS / "mdtest").rglob("*.md"):
        for block in re.findall(r"^```diagnostics\n(.*?)^```", file.read_text(encoding="utf-8"), re.DOTALL | re.M):
            found.update(re.findall(r"(?:error|warning|note)\[(LC[0-9]{3})\]", block))
    return found


@pytest.mark.parametrize("rule", ALL, ids=lambda rule: rule.code)
def test_every_rule_has_a_case(rule: Rule) -> None:
    if rule.code in ELSEWHERE:
        assert rule.code in (TESTS / ELSEWHERE[rule.code]).read_text(encoding="utf-8")
    else:
        assert rule.code in shown_by_cases()
