"""`--target-runtime` of the command: what is told, whether or not something was compiled before, and what it costs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FIRST = '''
from lauren_ai import tool

@tool()
def first(names: set[str]) -> str:
    """Take names."""
    return ""
'''
SECOND = FIRST.replace("first", "second").replace("set[str]", "str")
OPTION = ("--target-runtime", "lauren-ai")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.lauren-compile]\n", "utf-8")
    (tmp_path / "first.py").write_text(FIRST, "utf-8")
    (tmp_path / "second.py").write_text(SECOND, "utf-8")
    return tmp_path


def run(folder: Path, *arguments: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "lauren_compiler", *arguments, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def told(document: dict[str, Any]) -> list[str]:
    return [f"{item['path']} {item['code']} {item['level']}" for item in document["diagnostics"]]


@pytest.mark.parametrize("command", ["build", "check"])
def test_it_is_told_on_both_commands(folder: Path, command: str) -> None:
    assert told(run(folder, command, *OPTION)) == ["first.py LC801 warning"]
    assert told(run(folder, command)) == []
    assert (folder / "lauren_build").exists() is (command == "build")


def test_it_is_told_again_where_another_file_has_changed(folder: Path) -> None:
    assert told(run(folder, "build", *OPTION)) == ["first.py LC801 warning"]
    assert told(run(folder, "build", *OPTION)) == ["first.py LC801 warning"]
    (folder / "second.py").write_text(SECOND.replace("names: str", "names: frozenset[str]"), "utf-8")
    assert told(run(folder, "build", *OPTION)) == ["first.py LC801 warning", "second.py LC801 warning"]
    (folder / "first.py").write_text(FIRST.replace("set[str]", "str"), "utf-8")
    assert told(run(folder, "build", *OPTION)) == ["second.py LC801 warning"]


def test_it_may_be_configured(folder: Path) -> None:
    table = '[tool.lauren-compile]\ntarget-runtime = "lauren-ai"\nlevels = { LC801 = "note" }\n'
    (folder / "pyproject.toml").write_text(table, "utf-8")
    assert told(run(folder, "check")) == ["first.py LC801 note"]


def test_an_unknown_runtime_is_wrong_usage(folder: Path) -> None:
    command = [sys.executable, "-m", "lauren_compiler", "check", "--target-runtime", "lauren"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 2
    assert "invalid choice: 'lauren' (choose from 'lauren-ai')" in done.stderr


@pytest.mark.parametrize("option", [(), OPTION])
def test_nothing_of_it_is_loaded_without_the_option(folder: Path, option: tuple[str, ...]) -> None:
    code = (
        "import sys\nfrom lauren_compiler.commands.main import main\n"
        f"main(['build', *{option!r}])\n"
        "print([name for name in sys.modules if 'lauren_ai' in name or name.endswith(('.peers', '.divergences'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    loaded = done.stdout.splitlines()[-1]
    assert (loaded == "[]") is not bool(option)
