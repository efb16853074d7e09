"""The diff of `--check`: of JSON, by members, in whatever lines it is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.outputs import HEADER, build_of
from lauren_compiler.driver.compare import compare
from lauren_compiler.driver.write import write

PATH = "providers/openai.json"
LISTS = '[\n{"name":"a","strict":true},\n{"name":"b","strict":true}\n]\n'


def changed_lines(out: Path, old: bytes, new: bytes) -> list[str]:
    """The lines that the diff takes away or adds in one file of a build."""
    both = [{"__init__.py": HEADER, "dispatch.py": HEADER, PATH: content} for content in (old, new)]
    write(out, build_of(both[0]))
    diff = compare(out, build_of(both[1]), "out").diff
    lines = diff[diff.index(f"+++ out/{PATH}") :].splitlines()[1:]
    return [line for line in lines if line.startswith(("-", "+")) and not line.startswith(("---", "+++"))]


def test_a_tool_that_is_one_line_is_compared_by_members(tmp_path: Path) -> None:
    new = LISTS.replace('"b","strict":true', '"b","strict":false')
    assert changed_lines(tmp_path, LISTS.encode(), new.encode()) == ['-    "strict": true', '+    "strict": false']


@pytest.mark.parametrize("new", [LISTS.replace("\n", ""), LISTS.replace("]", ""), LISTS.replace(":true", ":")])
def test_what_is_no_json_or_tells_no_difference_is_compared_as_it_stands(tmp_path: Path, new: str) -> None:
    lines = changed_lines(tmp_path, LISTS.encode(), new.encode())
    assert '-{"name":"a","strict":true},' in lines or "-]" in lines
    assert [line for line in lines if line.startswith("+  ")] == []
