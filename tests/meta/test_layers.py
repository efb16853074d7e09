"""Imports point one way: the contracts in pyproject.toml hold, and would be broken by the edges they are there for."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on the packages in `folder`, with the contracts of the pyproject.toml there."""
    code = f"import sys; sys.path[:0] = [{str(folder / 'compiler')!r}, {str(folder / 'runtime')!r}]\n"
    code += "from importlinter.cli import lint_imports_command as run\nrun(['--no-cache'])"
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)


@pytest.fixture(scope="module")
def copy(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    shutil.copy(root / "pyproject.toml", folder)
    for name in ("compiler", "runtime"):
        shutil.copytree(root / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def test_contracts_hold(root: Path) -> None:
    done = lint_imports(root)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("compiler/lauren_compiler/emit/wrong.py", "import lauren_compiler.syntax", "back ends see only the IR"),
        ("compiler/lauren_compiler/ir/wrong.py", "import ast", "the IR knows no source expressions"),
        ("compiler/lauren_compiler/source/wrong.py", "import lauren_compiler.ir", "phases point downwards"),
        ("compiler/lauren_compiler/unplaced.py", "", "phases point downwards"),
        ("compiler/lauren_compiler/lower/wrong.py", "import lauren_runtime", "compiler and runtime never import"),
        ("compiler/lauren_compiler/schema/wrong.py", "import black", "black only where output is rendered"),
    ],
)
def test_wrong_edge_is_found(copy: Path, file: str, line: str, contract: str) -> None:
    wrong = copy / file
    wrong.write_text(line + "\n", "utf-8")
    try:
        done = lint_imports(copy)
    finally:
        wrong.unlink()
    assert done.returncode == 1
    report = done.stdout + done.stderr
    assert contract in report
    assert "BROKEN" in report or "unplaced" in report
