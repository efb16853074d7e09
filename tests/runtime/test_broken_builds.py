"""Builds that were cut off, overwritten or mixed are told in one line, whatever their files do when they are loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from harness.compiling import write_build
from harness.hand_build import run
from lauren_runtime import BuildMismatchError, ToolExecutor, load_build
from lauren_runtime.table import ABI

SOURCE = """
from lauren_runtime import tool

@tool()
def double(x: int) -> int:
    '''Doubles.'''
    return 2 * x
"""
BROKEN = {
    "empty": b"",
    "cut off": b"from lauren_runtime.table import Entry, Table\n\nTABLE = Table(\n    abi=%d," % ABI,
    "zeros": bytes(4096),
    "no text": b"\xff\xfe\x00",
    "no table": b"TABLE = 5\n",
    "wrong table": b"from lauren_runtime.table import Table\nTABLE = Table(abi=%d)\n" % ABI,
    "ends the process": b"raise SystemExit(0)\n",
    "raises": b"raise ValueError('first\\nsecond')\n",
    "other names": b"from lauren_runtime import nothing_like_it\n",
}


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "shop", raising=False)
    write_build(SOURCE, tmp_path)
    return tmp_path / "lauren_build"


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_table(built: Path, content: bytes) -> None:
    (built / "dispatch.py").write_bytes(content)
    with pytest.raises(BuildMismatchError, match=r"dispatch\.py is not a whole build.*: rebuild$") as caught:
        load_build(str(built))
    assert "\n" not in str(caught.value)


def test_a_package_without_its_first_file(built: Path) -> None:
    (built / "__init__.py").unlink()
    with pytest.raises(BuildMismatchError, match="is not a whole build"):
        load_build(str(built))


def test_a_table_that_was_mended_is_loaded(built: Path) -> None:
    whole = (built / "dispatch.py").read_bytes()
    (built / "dispatch.py").write_bytes(b"raise SystemExit(0)")
    with pytest.raises(BuildMismatchError):
        load_build(str(built))
    (built / "dispatch.py").write_bytes(whole)
    assert load_build(str(built)).names == ("double",)


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_broken_decoders_fail_the_call(built: Path, content: bytes) -> None:
    (built / "_tools" / "shop.py").write_bytes(content)
    result = run(ToolExecutor(load_build(str(built))), "double", {"x": 1})
    assert result.is_error
    assert isinstance(result.exception.__cause__, BuildMismatchError)  # type: ignore[union-attr]
    assert isinstance(result.content, str)
    assert result.content.endswith(": rebuild")


def test_decoders_without_their_function(built: Path) -> None:
    path = built / "_tools" / "shop.py"
    path.write_text(path.read_text("utf-8").replace("def check_double(", "def check_treble("), encoding="utf-8")
    result = run(ToolExecutor(load_build(str(built))), "double", {"x": 1})
    assert "belongs to another build" in str(result.content)


@pytest.mark.parametrize("file", ["dispatch.py", "_tools/shop.py"])
@pytest.mark.parametrize("what", ["empty", "zeros", "ends the process"])
def test_the_command_says_so_in_one_line(built: Path, file: str, what: str) -> None:
    (built / file).write_bytes(BROKEN[what])
    command = [sys.executable, "-m", "lauren_runtime.command", str(built), "double", '{"x": 1}']
    ended = subprocess.run(command, capture_output=True, text=True, cwd=built.parent, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    (line,) = ended.stderr.splitlines()
    assert line.endswith(": rebuild")
