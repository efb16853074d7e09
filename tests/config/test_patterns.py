"""Path patterns of the configuration."""

from __future__ import annotations

import pytest
from lauren_compiler.diagnostics.patterns import matches


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("tools/*.py", "tools/a.py", True),
        ("tools/*.py", "tools/deep/a.py", False),
        ("tools/**/*.py", "tools/a.py", True),
        ("tools/**/*.py", "tools/deep/er/a.py", True),
        ("tools", "tools/deep/a.py", True),
        ("tools/", "tools/a.py", True),
        ("tools", "src/tools/a.py", True),
        ("src/tools", "x/src/tools/a.py", False),
        ("*_test.py", "deep/a_test.py", True),
        ("a.py", "aXpy", False),
        ("./a?.py", "ab.py", True),
        ("**/gen", "x/y/gen/a.py", True),
        ("tool", "tools/a.py", False),
    ],
)
def test_matches(pattern: str, path: str, expected: bool) -> None:
    assert matches(pattern, path) is expected
