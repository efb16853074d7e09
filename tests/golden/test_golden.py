"""Whole command runs. A case is a folder:

    cmd.toml      args = ["build", "tools.py"], and if they are not the defaults: status = 0, env = { NAME = "value" }
    input/        what is in the working directory before
    expected/     what the run adds to it or changes in it
    stdout.txt, stderr.txt

`pytest tests/golden --update` rewrites what is expected. The working directory's path is `<here>` in the texts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from harness.golden import Goldens

FOLDER = Path(__file__).parent
CASES = sorted(path.parent for path in FOLDER.glob("*/cmd.toml"))


def tree(folder: Path) -> dict[str, bytes]:
    files = (
        path for path in folder.rglob("*") if path.is_file() and not {"__pycache__", ".lauren_cache"} & {*path.parts}
    )
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_run(case: Path, tmp_path: Path, goldens: Goldens) -> None:
    work = tmp_path / "work"
    shutil.copytree(case / "input", work)
    before = tree(work)
    settings = tomllib.loads((case / "cmd.toml").read_text(encoding="utf-8"))
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8", **settings.get("env", {})}
    command = [sys.executable, "-m", "lauren_compiler", *settings["args"]]
    ended = subprocess.run(command, capture_output=True, cwd=work, env=environment, check=False)
    for name, output in (("stdout.txt", ended.stdout), ("stderr.txt", ended.stderr)):
        text = output.decode().replace("\r\n", "\n").replace(str(work.resolve()), "<here>")
        goldens.check_text(case / name, text)
    assert ended.returncode == settings.get("status", 0)
    after = tree(work)
    assert {name for name in before if name not in after} == set()
    goldens.check_tree(case / "expected", {name: text for name, text in after.items() if before.get(name) != text})


def test_every_folder_is_a_case() -> None:
    folders = [path for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert sorted(folders) == CASES
    assert CASES
    allowed = {"cmd.toml", "input", "expected", "stdout.txt", "stderr.txt"}
    for case in CASES:
        assert {path.name for path in case.iterdir()} <= allowed
