"""Files that can't be read, with bytes that no Markdown case can hold: one finding each, and the others still count."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

WHOLE = b'from lauren_runtime import tool\n\n@tool()\ndef whole() -> str:\n    """Whole."""\n    return ""\n'


def findings(command: Any, folder: Path) -> tuple[int, int, list[tuple[str, str, str, int]]]:
    ended = command("check", str(folder), "--format", "json")
    assert "Traceback" not in ended.err
    document = json.loads(ended.out)
    found = [(d["code"], d["level"], d["path"].rpartition("/")[2], d["start"]["line"]) for d in document["diagnostics"]]
    return ended.status, document["tools"], found


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (b"x = 1\ny = '\xff'\n", "LC102", 2),
        (b"# -*- coding: nonsense -*-\n", "LC102", 1),
        (b"\xef\xbb\xbf# -*- coding: latin-1 -*-\n", "LC102", 1),
        (b"x = 1\ny = (\n", "LC103", 2),
        (b"x = 1\n\0\n", "LC103", 2),
        ("x = 1\n".encode("utf-16"), "LC102", 1),
        (b"if x:\n\ty = 1\n        z = 2\n", "LC103", 3),
        (b"x = " + b"(" * 5000 + b")" * 5000 + b"\n", "LC10", 1),
        (b"x = " + b"-" * 200_000 + b"1\n", "LC104", 1),
    ],
)
def test_one_error_at_its_place(tmp_path: Path, command: Any, content: bytes, code: str, line: int) -> None:
    (tmp_path / "whole.py").write_bytes(WHOLE)
    (tmp_path / "broken.py").write_bytes(content)
    status, tools, found = findings(command, tmp_path)
    ((found_code, level, file, found_line),) = found
    assert (status, tools, level, file) == (1, 1, "error", "broken.py")
    assert found_code.startswith(code)
    assert found_line == line


def test_a_file_that_is_no_file(tmp_path: Path, command: Any) -> None:
    (tmp_path / "whole.py").write_bytes(WHOLE)
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "gone.py").symlink_to(tmp_path / "nowhere.py")
    (tmp_path / "folder.py").mkdir()
    status, tools, found = findings(command, tmp_path)
    assert (status, tools) == (1, 1)
    assert found == [("LC101", "error", name, 1) for name in ("gone.py", "pipe.py")]


def test_what_is_named_and_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Any) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "zero.py").symlink_to("/dev/zero")
    for path in (str(tmp_path / "pipe.py"), str(tmp_path / "zero.py"), "/dev/zero"):
        ended = command("check", path)
        assert ended.status == 2
        assert f"neither a file nor a folder: {path}" in ended.err
    assert command("check", "").status == 2
    (tmp_path / "pyproject.toml").write_text('[tool.lauren-compile]\nsources = ["/dev/zero", "pipe.py"]\n')
    (tmp_path / "inner").mkdir()
    monkeypatch.chdir(tmp_path / "inner")
    document = json.loads(command("check", "--format", "json").out)
    assert [(each["code"], each["path"]) for each in document["diagnostics"]] == [
        ("LC101", "/dev/zero"),
        ("LC101", str(tmp_path / "pipe.py")),
    ]


def test_a_file_larger_than_any_source(tmp_path: Path, command: Any) -> None:
    (tmp_path / "whole.py").write_bytes(WHOLE)
    with (tmp_path / "huge.py").open("wb") as huge:
        huge.truncate(64 * 1024 * 1024 + 1)
    assert findings(command, tmp_path) == (1, 1, [("LC101", "error", "huge.py", 1)])


def test_bad_bytes_in_a_comment_are_a_warning(tmp_path: Path, command: Any) -> None:
    (tmp_path / "tools.py").write_bytes(WHOLE + b"# na\xefve\n")
    assert findings(command, tmp_path) == (0, 1, [("LC105", "warning", "tools.py", 7)])
