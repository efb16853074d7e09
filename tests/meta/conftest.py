"""Where the checkout and other Pythons are, for tests of the project itself."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
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


def run_command(*command: str | Path, cwd: Path) -> str:
    """Run a command without what would lead it back to the checkout; return its output."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LAUREN_"))}
    done = subprocess.run([*map(str, command)], cwd=cwd, env=variables, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@dataclass(frozen=True)
class Place:
    """A virtual environment and a folder outside the checkout."""

    folder: Path
    python: Path

    @property
    def command(self) -> Path:
        return self.python.with_name("lauren-compile")


def new_place(folder: Path) -> Place:
    run_command(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    return Place(folder, folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python")


@pytest.fixture(scope="session")
def distributions(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from the sdist's content."""
    folder = tmp_path_factory.mktemp("dist")
    run_command(sys.executable, "-P", "-m", "hatchling", "build", "-t", "sdist", "-d", folder, cwd=root)
    [sdist] = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "source", filter="data")
    [source] = (folder / "source").iterdir()
    run_command(sys.executable, "-P", "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=source)
    return folder


@pytest.fixture(scope="session")
def wheel(distributions: Path) -> Path:
    [path] = distributions.glob("*.whl")
    return path


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A new environment with the wheel and its dependencies."""
    place = new_place(tmp_path_factory.mktemp("installed"))
    run_command(place.python, "-m", "pip", "install", "--quiet", wheel, cwd=place.folder)
    return place


@pytest.fixture(scope="session")
def runtime_alone(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A new environment with the wheel and nothing else."""
    place = new_place(tmp_path_factory.mktemp("alone"))
    run_command(place.python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=place.folder)
    return place


@pytest.fixture(scope="session")
def run() -> Callable[..., str]:
    """`run(*command, cwd=folder)`: the output of a command that has to succeed."""
    return run_command
