"""Every difference of calls that `call_divergences.toml` lists is there: with lauren-ai, and under the stand-in."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path

import pytest
from harness import requires

HERE = Path(__file__).parent
ENTRIES = tomllib.loads((HERE / "call_divergences.toml").read_text("utf-8"))["divergence"]
HEAD, MARK, REST = (HERE / "call_program.txt").read_text("utf-8").partition("async def main")


def program(entry: Mapping[str, str], folder: Path) -> Path:
    path = folder / "program.py"
    path.write_text(f"{HEAD}{entry['source']}\n\n{MARK}{REST}", "utf-8")
    return path


def printed(command: list[str], folder: Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def begins(said: str, expected: str) -> bool:
    """Whether it is what is expected, or begins with that, where it ends in an ellipsis."""
    text = expected.strip()
    return said.startswith(text[:-1]) if text.endswith("…") else said == text


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_with_lauren_ai(entry: Mapping[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = os.environ.get("LAUREN_AI_PYTHON") or requires.missing(
        "LAUREN_AI_PYTHON names no Python with lauren-ai==1.6.0"
    )
    monkeypatch.delenv("PYTHONPATH", raising=False)
    found = printed([python, str(program(entry, tmp_path))], tmp_path)
    assert begins(found, entry["there"]), found


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_under_the_stand_in(entry: Mapping[str, str], tmp_path: Path) -> None:
    path = program(entry, tmp_path)
    printed([sys.executable, "-m", "lauren_compiler", "build", str(path)], tmp_path)
    assert printed([sys.executable, "-m", "lauren_runtime.standin", str(path)], tmp_path) == entry["here"].strip()
    assert entry["reason"]
    assert entry["here"] != entry["there"]


def test_names_are_unique() -> None:
    assert len({entry["name"] for entry in ENTRIES}) == len(ENTRIES)
