"""Where the checkout and other Pythons are, for tests of the project itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def root() -> Path:
    """The top folder of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def sources() -> list[Path]:
    """Every Python file of ours that is shipped or builds what is shipped."""
    folders = [ROOT / "compiler", ROOT / "runtime", ROOT / "benchmarks"]
    return [ROOT / "build.py", *(path for folder in folders for path in sorted(folder.rglob("*.py")))]


@pytest.fixture(scope="session")
def texts() -> dict[str, str]:
    """POSIX path → text of every file that git tracks, or that the source distribution holds where there is no git."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    names = listed.stdout.split("\0") if listed.returncode == 0 else [str(path.relative_to(ROOT)) for path in walk()]
    found: dict[str, str] = {}
    for name in filter(None, names):
        path = ROOT / name
        if path.is_file() and b"\0" not in (content := path.read_bytes()):
            found[Path(name).as_posix()] = content.decode("utf-8", errors="replace")
    return found


def walk() -> Iterator[Path]:
    for folder in ("compiler", "runtime", "templates", "tests", "examples", "docs"):
        yield from (path for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts)
    yield from ROOT.glob("*.*")


@pytest.fixture(scope="session")
def pythons() -> dict[str, str]:
    """Version → a Python that has the project installed. `build.py test` finds and prepares the others."""
    running = "{}.{}".format(*sys.version_info[:2])
    others = {f"3.{minor}": os.environ.get(f"LAUREN_PYTHON_3{minor}") for minor in (11, 12, 13)}
    return {version: python for version, python in others.items() if python} | {running: sys.executable}
