"""Programs written for lauren-ai run unchanged: without it, under the stand-in, and with it. Both say the same."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from harness import requires

ROOT = Path(__file__).parents[2]
PROGRAMS = sorted((ROOT / "examples" / "beside").glob("*.py"))
EXPECTED = Path(__file__).parent / "beside"
ABOVE_THE_CALL = "boss: this account is private False\n"
DIFFERENT = {
    "hooks": (
        "calls pre_hook before the other hooks, and so of a call that one of them aborts",
        lambda told: told.replace(ABOVE_THE_CALL, f"before balance\n{ABOVE_THE_CALL}"),
    ),
    "skills": ("has no `lauren_ai.skills`, which it documents", None),
}
"""Where lauren-ai 1.6.0 does otherwise: what, and what it prints then; None where the program does not run with it."""


def expected(program: Path) -> str:
    return (EXPECTED / f"{program.stem}.txt").read_text("utf-8")


def test_there_are_ten_and_each_has_an_expectation() -> None:
    assert len(PROGRAMS) >= 10
    assert {path.stem for path in PROGRAMS} == {path.stem for path in EXPECTED.glob("*.txt")}
    assert {path.stem for path in PROGRAMS} >= DIFFERENT.keys()


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_without_lauren_ai(program: Path, tmp_path: Path) -> None:
    build = [sys.executable, "-m", "lauren_compiler", "build", str(program), "--root", str(program.parent)]
    done = subprocess.run([*build, "-o", str(tmp_path / "build")], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "warning[" not in done.stdout + done.stderr
    command = [sys.executable, "-m", "lauren_runtime.standin", "--build", str(tmp_path / "build"), str(program)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == expected(program)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_with_lauren_ai(program: Path, tmp_path: Path) -> None:
    python = os.environ.get("LAUREN_AI_PYTHON") or requires.missing(
        "LAUREN_AI_PYTHON names no Python with lauren-ai==1.6.0"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, str(program)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**environment, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    _, otherwise = DIFFERENT.get(program.stem, ("", lambda told: told))
    if otherwise is None:
        assert done.returncode == 1
        assert "No module named 'lauren_ai.skills'" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    assert done.stdout == otherwise(expected(program))
    assert (otherwise(expected(program)) != expected(program)) is (program.stem in DIFFERENT)
