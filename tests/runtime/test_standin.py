"""Stand-ins for lauren_ai and lauren: what they offer, and when they refuse."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import lauren_runtime
import pytest
from lauren_runtime import standin
from lauren_runtime.standin.names import ELSEWHERE

RUNTIME = str(Path(lauren_runtime.__file__).parent.parent)
NAMES = ("lauren_ai", "lauren_ai._tools", "lauren_ai.skills", "lauren_ai._skills", "lauren", "lauren.exceptions")


@pytest.fixture
def _installed() -> Iterator[None]:
    standin.install()
    yield
    standin.uninstall()


@pytest.mark.usefixtures("_installed")
def test_the_names_are_the_runtimes_own_objects() -> None:
    standin.install()  # again: nothing happens
    for name in NAMES:
        module = importlib.import_module(name)
        for each in module.__all__:
            home, own = ELSEWHERE.get(each, ("lauren_runtime", each))
            assert getattr(module, each) is getattr(importlib.import_module(home), own)
            assert each in dir(module)
    assert importlib.import_module("lauren_ai")._tools is sys.modules["lauren_ai._tools"]
    assert importlib.util.find_spec("lauren_ai") is not None


@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    ("code", "error", "text"),
    [
        (
            "from lauren_ai import no_such_thing",
            ImportError,
            "cannot import name 'no_such_thing' from 'lauren_ai' .*standin",
        ),
        (
            "import lauren_ai; lauren_ai.no_such_thing",
            AttributeError,
            "stand-in for lauren_ai does not offer 'no_such_thing'",
        ),
        ("import lauren_ai.no_such_module", ImportError, "No module named 'lauren_ai.no_such_module'"),
    ],
)
def test_what_is_not_offered_says_so(code: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        exec(code, {})


def test_they_can_be_taken_away() -> None:
    standin.install()
    assert standin.installed()
    standin.uninstall()
    assert not standin.installed()
    assert not set(NAMES) & set(sys.modules)
    standin.uninstall()


@pytest.mark.parametrize("name", ["lauren_ai", "lauren"])
@pytest.mark.parametrize("load", [True, False])
def test_they_refuse_where_a_real_package_is(tmp_path: Path, name: str, load: bool) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "__init__.py").write_text("REAL = True", encoding="utf-8")
    code = "\n".join(
        [
            f"import sys; sys.path[:0] = {[RUNTIME, str(tmp_path)]!r}",
            f"import {name}" if load else "",
            "import lauren_runtime.standin as s",
            "try: s.install()",
            "except s.StandinError as e: print(e)",
            f"import {name}; print({name}.REAL)",
        ]
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert f"the real {name} is installed or loaded" in done.stdout
    assert done.stdout.endswith("True\n")
