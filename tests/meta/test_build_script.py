"""`python3 build.py` on a copy of the checkout with a bare interpreter and an empty home; what it says if it can't."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("installed")
BARE = getattr(sys, "_base_executable", None) or sys.executable
ENSUREPIP_MISSING = """
import importlib.util, runpy, sys
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name in {missing!r} else real(name, *more)
sys.argv = ["build.py"]
runpy.run_path("build.py", run_name="__main__")
"""


@pytest.fixture(scope="module")
def clone(texts: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a fresh clone holds."""
    folder = tmp_path_factory.mktemp("a clone")
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def script(clone: Path, *arguments: str, code: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Run build.py, or `code` in its place, with the base interpreter, an empty home and no other tools on PATH."""
    home = clone.parent / "home"
    home.mkdir(exist_ok=True)
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "LAUREN_", "XDG_"))}
    alone = {"HOME": str(home), "PATH": os.defpath}
    command = [BARE, "-c", code] if code else [BARE, "build.py", *arguments]
    done = subprocess.run(command, cwd=clone, env=kept | alone | variables, capture_output=True, text=True)
    assert "Traceback" not in done.stderr
    assert list(home.iterdir()) == [], "something was written outside the checkout"
    return done


def test_build(clone: Path) -> None:
    assert script(clone, "--check").returncode == 1, "there is no build yet"
    first = script(clone)
    assert first.returncode == 0, first.stdout + first.stderr
    for expected in ("get_weather", "async function", "shop.catalogue:SearchTool", "providers/", "manifest.json"):
        assert expected in first.stdout
    assert first.stdout.rstrip().splitlines()[-1].find("Paris") > 0
    second = script(clone, PYTHONDONTWRITEBYTECODE="1", PYTHONPATH="nowhere", PIP_USER="1")
    assert second.returncode == 0
    assert "installing" not in second.stdout
    assert script(clone, "--check").returncode == 0
    source = clone / "examples" / "shop" / "weather.py"
    source.write_text(source.read_text("utf-8").replace("Return current weather", "Return the weather"), "utf-8")
    stale = script(clone, "--check")
    assert stale.returncode == 1
    assert "run python3 build.py" in stale.stdout


def test_wrong_usage(clone: Path) -> None:
    done = script(clone, "tests")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("usage: python3 build.py")


@pytest.mark.parametrize(
    ("missing", "says"),
    [(("venv",), "no `venv` module"), (("ensurepip", "pip"), "neither pip nor ensurepip")],
)
def test_missing_parts_of_python_are_named(clone: Path, missing: tuple[str, ...], says: str) -> None:
    folder = clone.parent / "unused"
    folder.mkdir(exist_ok=True)
    for name in ("build.py", "pyproject.toml"):
        (folder / name).write_bytes((clone / name).read_bytes())
    done = script(folder, code=ENSUREPIP_MISSING.format(missing=missing))
    assert done.returncode == 1
    assert done.stderr.startswith("build.py: error: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


OLD = """
import runpy, sys
sys.version_info = (3, 10, 1)
sys.argv = ["build.py"]
runpy.run_path("build.py", run_name="__main__")
"""


def test_an_old_python_gets_one_line(clone: Path) -> None:
    done = script(clone, code=OLD)
    assert done.returncode == 1
    assert done.stderr.startswith("build.py: error: Python 3.11 or later is needed")
    assert done.stderr.count("\n") == 1


def test_an_old_python_can_read_the_script(root: Path) -> None:
    """It parses as Python 3.7, and what is evaluated when it is read holds no `X | Y` and no `list[X]`."""
    tree = ast.parse((root / "build.py").read_text("utf-8"), feature_version=(3, 7))
    for function in [node for node in tree.body if isinstance(node, ast.FunctionDef)]:
        arguments = [argument.annotation for argument in function.args.args]
        for annotation in filter(None, [*arguments, function.returns]):
            assert isinstance(annotation, ast.Constant | ast.Name | ast.Attribute), ast.unparse(annotation)


def test_without_network_pip_is_quoted(clone: Path, tmp_path: Path) -> None:
    for name in ("build.py", "pyproject.toml", "README.md", "LICENSE"):
        (tmp_path / name).write_bytes((clone / name).read_bytes())
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0"}
    done = script(tmp_path, **nowhere, PIP_FIND_LINKS="", PIP_EXTRA_INDEX_URL="", PIP_CACHE_DIR=str(tmp_path / "cache"))
    assert done.returncode == 1
    assert "hatchling" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("build.py: error: pip could not install")
    assert not (tmp_path / ".venv" / "build-stamp.json").exists()


def test_an_environment_without_ensurepip_is_filled_by_the_pip_outside(clone: Path, tmp_path: Path) -> None:
    (tmp_path / "build.py").write_bytes((clone / "build.py").read_bytes())
    code = ENSUREPIP_MISSING.format(missing=("ensurepip",)).replace(
        'runpy.run_path("build.py", run_name="__main__")',
        "import pathlib\nmodule = runpy.run_path('build.py')\n"
        "print(*module['make_venv'](sys.executable, pathlib.Path('made').absolute()), sep='|')",
    )
    done = script(tmp_path, code=code)
    assert done.returncode == 0, done.stderr
    command = done.stdout.strip().split("|")
    assert command[:4] == [BARE, "-m", "pip", "--python"]
    assert subprocess.run([*command, "--version"], capture_output=True).returncode == 0
