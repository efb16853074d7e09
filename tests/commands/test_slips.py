"""Slips of who uses the command: what is said names the slip, and the way out."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

TOOL = 'from lauren_runtime import tool\n{imports}\n\n@tool()\ndef f(x: {type}) -> str:\n    """F."""\n    return ""\n'


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.lauren-compile]\nsources = ["tools"]\n')
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "__init__.py").write_text("")
    write(tmp_path, "int")
    return tmp_path


def write(work: Path, type: str, imports: str = "") -> None:
    (work / "tools" / "a.py").write_text(TOOL.format(type=type, imports=imports))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["build", "--chek"], "unrecognized arguments: --chek: did you mean `--check`?\nusage: lauren-compile build "),
        (["watch", "--targt=mcp"], "unrecognized arguments: --targt=mcp: did you mean `--target`?\nusage: "),
        (["show", "tools", "f"], "unrecognized arguments: f\nusage: lauren-compile show "),
        (["explain", "LC301", "--zzz"], "unrecognized arguments: --zzz\nusage: lauren-compile explain "),
    ],
)
def test_what_a_command_does_not_take(work: Path, command: Any, arguments: list[str], said: str) -> None:
    ended = command(*arguments)
    assert ended.status == 2
    assert ended.err.startswith(f"lauren-compile: {said}")


@pytest.mark.parametrize("name", ["pyproject.toml", "tools/notes.md"])
def test_a_file_that_is_no_source_does_not_empty_a_build(work: Path, command: Any, name: str) -> None:
    (work / "tools" / "notes.md").write_text("# Notes\n")
    assert command("build").status == 0
    before = {path: path.read_bytes() for path in (work / "lauren_build").rglob("*") if path.is_file()}
    ended = command("build", name)
    assert (ended.status, ended.err) == (2, f"lauren-compile: no Python file, nor a folder: {name}\n")
    (work / "pyproject.toml").write_text(f'[tool.lauren-compile]\nsources = ["{name}"]\n')
    ended = command("build")
    assert (ended.status, "no Python file, nor a folder" in ended.err) == (1, True)
    assert before == {path: path.read_bytes() for path in (work / "lauren_build").rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["show", "check"])
def test_a_build_is_no_source(work: Path, command: Any, name: str) -> None:
    assert command("build").status == 0
    assert "help: this folder is what a build wrote: name the sources" in command(name, "lauren_build").err
    assert "help: `@tool()` of `lauren_runtime`" in command(name, "tools/__init__.py").err


@pytest.mark.parametrize(
    ("type", "imports", "remedy"),
    [
        ("Callable[[], int]", "", "import it: `from collections.abc import Callable`"),
        ("Dict[str, int]", "", "did you mean `dict`?"),
        ("X", "from .nope import X", "correct the import, or write `nope`: package `tools` is one of the sources"),
        ("X", "from tools.nope import X", "correct the import, or write `nope`: package `tools` is one of the sources"),
        ("X", "from .aa import X", "did you mean `tools.a`?"),
        ("X", "from nowhere.nope import X", "install it where `--python` looks, or name the folder that it lies in"),
    ],
)
def test_names_that_lead_nowhere(work: Path, command: Any, type: str, imports: str, remedy: str) -> None:
    write(work, type, imports)
    ended = command("check")
    assert ended.status == 1
    assert f"= help: {remedy}" in ended.err


def test_options_that_are_called_otherwise(work: Path, command: Any) -> None:
    source = TOOL.format(type="int", imports="").replace("@tool()", "@tool(cache_ttl=1, cache_key_fn=lambda: 1)")
    (work / "tools" / "a.py").write_text(source)
    assert "= help: make it take `(arguments)` or `(arguments, ctx)`\n" in command("check").err


def test_an_interpreter_that_is_none(work: Path, command: Any) -> None:
    (work / "python").write_text("#!/bin/sh\nexit 3\n")
    (work / "python").chmod(0o755)
    ended = command("build", "--python", "./python")
    assert ended.status == 1
    assert "did not say where its library is: it ended with status 3\n" in ended.err


def test_the_root_of_all_folders_is_no_output(work: Path, command: Any) -> None:
    assert "`/` can't be the name of a Python package" in command("build", "-o", "/").err


def test_a_build_that_can_not_be_read(work: Path, command: Any) -> None:
    out = work / "lauren_build"
    out.mkdir()
    (out / "dispatch.py").symlink_to("dispatch.py")
    ended = command("call", "lauren_build", "f", "{}")
    reason = os.strerror(errno.ELOOP)
    assert (ended.status, ended.err) == (2, f"lauren-compile: the build in lauren_build can't be read: {reason}\n")
    (out / "manifest.json").mkdir()
    ended = command("validate", "lauren_build")
    assert (ended.status, ended.out) == (1, "lauren_build: 0 tools, 0 files, 0 targets: 1 fault\n")
    assert "there is no manifest.json" not in ended.err


def test_a_file_that_can_not_be_made_is_told_by_its_name(
    work: Path, command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def refuse(path: Any, *rest: Any, **more: Any) -> int:
        if ".tmp" in str(path):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return opened(path, *rest, **more)

    monkeypatch.setattr(os, "open", refuse)
    ended = command("build", "--format", "concise")
    assert ended.status == 1
    assert "lauren_build/manifest.json:1:1: error[LC902] can't be written: Permission denied" in ended.err


def test_bytes_of_another_encoding_in_the_first_lines(work: Path, command: Any) -> None:
    (work / "tools" / "a.py").write_bytes(b"x = 1\ny = 'caf\xe9'\n")
    ended = command("check")
    assert "LC102" in ended.err
    assert " --> tools/a.py:2:9\n" in ended.err
    assert "byte 0xe9" in ended.err
    assert "= help: save it as UTF-8, or declare the encoding that it has" in ended.err


def test_watch_says_at_once_that_it_can_not(work: Path, command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lauren_compiler.commands.watch.find_spec", lambda name: None)
    ended = command("watch")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err.endswith("pip install 'lauren-compile[watch]'\n")
    assert not (work / "lauren_build").exists()
