"""`call` and `show`: results on stdout, everything else on stderr, exit statuses as promised."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = '''
import sys
from lauren_runtime import ToolContext, tool

@tool()
def greet(name: str, times: int = 1) -> str:
    """Greet somebody."""
    print("noise", file=sys.stderr)
    return f"Grüße, {name}! " * times

@tool()
async def table(rows: list[int]) -> dict[str, list[int]]:
    """Rows in a table."""
    return {"rows": rows}

@tool()
def fail(text: str) -> str:
    """Fail."""
    raise ValueError(text)

@tool(requires_confirmation=True)
def remove(path: str) -> str:
    """Remove a file."""
    raise AssertionError("ran without approval")
'''

SEED = '''
from lauren_ai import tool

@tool()
def old(x: int) -> int:
    """Doubles."""
    return 2 * x
'''


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a build of tools below `src/`."""
    folder = tmp_path_factory.mktemp("call")
    (folder / "src").mkdir()
    (folder / "src" / "greetings.py").write_text(SOURCE, encoding="utf-8")
    (folder / "src" / "seeds.py").write_text(SEED, encoding="utf-8")
    ended = run(folder, "build", "src", "-o", "built", "--root", "src")
    assert ended.returncode == 0, ended.stderr
    return folder


def run(folder: Path, *arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "lauren_compiler", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, **environment},
        check=False,
    )


def call(folder: Path, *arguments: str, **rest: str) -> tuple[int, str, str]:
    ended = run(folder, "call", "built", *arguments, **rest)
    return ended.returncode, ended.stdout, ended.stderr


def test_a_result_goes_to_stdout(work: Path) -> None:
    assert call(work, "greet", '{"name": "Ada"}', "--root", "src") == (0, "Grüße, Ada! \n", "noise\n")
    assert call(work, "table", '{"rows": [1, 2]}', "--root=src") == (0, '{"rows": [1, 2]}\n', "")


def test_arguments_from_stdin(work: Path) -> None:
    assert call(work, "table", "-", "--root", "src", stdin='{"rows": []}')[1] == '{"rows": []}\n'


def test_error_results_are_status_1(work: Path) -> None:
    for tool, text, reason in [
        ("greet", '{"nam": "Ada"}', "nam"),
        ("greet", "{", "JSON"),
        ("greet", "[]", "object"),
    ]:
        status, out, err = call(work, tool, text, "--root", "src")
        assert (status, out) == (1, "")
        assert reason in err
        assert "Traceback" not in err


def test_what_a_tool_raises_is_told_with_its_own_lines_only(work: Path) -> None:
    status, out, err = call(work, "fail", '{"text": "too bad"}', "--root", "src")
    assert (status, out) == (1, "")
    assert "ValueError: too bad" in err
    assert "greetings.py" in err
    assert "lauren_runtime" not in err


def test_approval_is_asked_for(work: Path) -> None:
    status, out, err = call(work, "remove", '{"path": "x"}', "--root", "src")
    assert (status, out) == (1, "")
    assert "asks for approval" in err
    status, out, err = call(work, "remove", '{"path": "x"}', "--root", "src", "--approve")
    assert (status, out) == (1, "")
    assert "AssertionError: ran without approval" in err


def test_unknown_tools_and_builds_are_status_2(work: Path) -> None:
    status, out, err = call(work, "gret", "{}")
    assert (status, out) == (2, "")
    assert "did you mean 'greet'" in err
    assert run(work, "call", "src", "greet", "{}").returncode == 2


def test_without_a_root_the_working_directory_is_searched(work: Path) -> None:
    for folder, built in ((work / "src", "../built"), (work, "built")):
        assert run(folder, "call", built, "table", '{"rows": []}').returncode == 0


def test_a_root_without_the_module_is_told(work: Path, tmp_path: Path) -> None:
    status, out, err = call(work, "table", '{"rows": []}', "--root", str(tmp_path))
    assert (status, out) == (1, "")
    assert "No module 'greetings' was found: name the folder it lies in with --root." in err
    assert "Traceback" not in err


def test_standin(work: Path) -> None:
    assert call(work, "old", '{"x": 2}', "--root", "src", "--standin")[:2] == (0, "4\n")
    status, _, err = call(work, "old", '{"x": 2}', "--root", "src")
    assert status == 1
    assert "lauren_ai" in err


def test_a_tool_of_a_package_that_is_not_installed_says_what_to_do(work: Path, tmp_path: Path) -> None:
    status, out, err = call(work, "old", '{"x": 2}', "--root", "src")
    assert (status, out) == (1, "")
    assert err.splitlines()[-1] == (
        "No package 'lauren_ai' is installed: --standin runs sources that are written for it without it."
    )


def test_modules_of_the_working_directory_do_not_hide_the_standard_library(work: Path, tmp_path: Path) -> None:
    (tmp_path / "argparse.py").write_text("raise SystemExit('hidden')\n")
    built, source = str(work / "built"), str(work / "src")
    safely = [sys.executable, "-P", "-m", "lauren_compiler"]  # as the installed script: without the working directory
    command = [*safely, "call", built, "table", '{"rows": []}', "--root", source]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (ended.returncode, ended.stdout) == (0, '{"rows": []}\n')


def test_show(work: Path) -> None:
    manifest = json.loads((work / "built" / "manifest.json").read_bytes())
    schemas = {tool["name"]: tool["input_schema"] for tool in manifest["tools"]}
    everything = run(work, "show", "src", "--root", "src")
    assert (everything.returncode, everything.stderr) == (0, "")
    assert json.loads(everything.stdout) == schemas
    assert json.loads(run(work, "show", "src", "--tool", "greet").stdout) == schemas["greet"]
    for target in manifest["targets"]:
        shown = json.loads(run(work, "show", "src", "--target", target).stdout)
        assert shown == json.loads((work / "built" / "providers" / f"{target}.json").read_bytes())
    entry = json.loads(run(work, "show", "src/greetings.py", "--tool", "greet", "--target", "openai").stdout)
    assert entry["function"]["parameters"] == schemas["greet"]
    entry = json.loads(run(work, "show", "src/greetings.py", "--tool", "greet", "--target", "gemini").stdout)
    assert entry["name"] == "greet"


def test_show_refuses(work: Path, tmp_path: Path) -> None:
    unknown = run(work, "show", "src", "--tool", "gret")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "did you mean `greet`" in unknown.stderr
    (tmp_path / "tools.py").write_text(
        "from lauren_runtime import tool\n@tool(name='2fast')\ndef f() -> str:\n '''F.'''\n"
    )
    assert run(tmp_path, "show", "tools.py", "--tool", "2fast").returncode == 0
    refused = run(tmp_path, "show", "tools.py", "--tool", "2fast", "--target", "gemini")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "LC501" in refused.stderr


def test_output_on_a_terminal_that_holds_only_ascii(work: Path) -> None:
    assert (
        call(work, "greet", '{"name": "Ada"}', "--root", "src", PYTHONIOENCODING="ascii")[1] == "Gr\\xfc\\xdfe, Ada! \n"
    )
    shown = run(work, "show", "src", PYTHONIOENCODING="ascii")
    assert shown.stdout.isascii()
    assert json.loads(shown.stdout)


SHOP = '''
import sys
from collections.abc import AsyncIterator
from typing import Annotated

from lauren_runtime import Inject, LaurenFactory, Scope, injectable, module, post_construct, pre_destruct, tool

@injectable()
class Prices:
    @post_construct
    async def load(self) -> None:
        self.of = {"pen": 2}

    @pre_destruct
    def close(self) -> None:
        print("closed", file=sys.stderr)

@tool()
@injectable(scope=Scope.REQUEST)
class Buy:
    """Buy something."""

    def __init__(self, prices: Prices) -> None:
        self.prices = prices

    def run(self, item: str) -> int:
        return self.prices.of[item]

@tool()
class Sell:
    """Sell something."""

    def __init__(self, prices: Prices) -> None:
        self.prices = prices

    def run(self, item: str) -> int:
        return self.prices.of[item]

@tool()
def count() -> int:
    """Count."""
    return 1

@module(providers=[Prices], exports=[Prices])
class Catalogue: ...
'''
ONE = """
@module(imports=[Catalogue], providers=[Buy])
class Shop: ...
"""
TWO = """
@module(imports=[Catalogue], providers=[Buy])
class Stall: ...

def main() -> None:
    LaurenFactory.create(Shop)
    LaurenFactory.create(Stall)
"""


def shop(folder: Path, source: str) -> Path:
    (folder / "shop.py").write_text(source, encoding="utf-8")
    ended = run(folder, "build", "shop.py", "-o", "built")
    assert ended.returncode == 0, ended.stderr
    return folder


def test_a_class_is_made_by_the_application_that_has_it(tmp_path: Path) -> None:
    folder = shop(tmp_path, SHOP + ONE)
    assert call(folder, "buy", '{"item": "pen"}') == (0, "2\n", "closed\n")
    assert call(folder, "count", "{}") == (0, "1\n", "")  # a function needs no application
    status, out, err = call(folder, "buy", '{"item": "ink"}')
    assert (status, out) == (1, "")
    assert "KeyError: 'ink'" in err
    assert "lauren_runtime" not in err


def test_a_class_that_no_application_has_says_what_to_do(tmp_path: Path) -> None:
    folder = shop(tmp_path, SHOP + ONE)
    status, out, err = call(folder, "sell", '{"item": "pen"}')
    assert (status, out) == (1, "")
    assert "its constructor needs `prices`" in err
    assert "--app MODULE:CLASS" in err
    assert "Traceback" not in err


def test_of_several_applications_one_has_to_be_named(tmp_path: Path) -> None:
    folder = shop(tmp_path, SHOP + ONE + TWO)
    status, out, err = call(folder, "buy", '{"item": "pen"}')
    assert (status, out) == (1, "")
    assert err == "several applications have Buy: name one, --app shop:Shop or --app shop:Stall\n"
    assert call(folder, "buy", '{"item": "pen"}', "--app", "shop:Stall")[:2] == (0, "2\n")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("shop", "there is no class 'shop'"),
        ("shop:Nothing", "there is no class 'shop:Nothing'"),
        ("nowhere:Shop", "module 'nowhere', named by --app or the wiring, can't be imported"),
        ("shop:Prices", "Prices"),
    ],
)
def test_an_application_that_is_none(name: str, reason: str, tmp_path: Path) -> None:
    folder = shop(tmp_path, SHOP + ONE)
    status, out, err = call(folder, "buy", '{"item": "pen"}', "--app", name)
    assert (status, out) == (1, "")
    assert reason in err
    assert "lauren_runtime/" not in err


def test_an_application_that_does_not_start(tmp_path: Path) -> None:
    folder = shop(tmp_path, SHOP.replace('self.of = {"pen": 2}', 'raise OSError("no prices")') + ONE)
    status, out, err = call(folder, "buy", '{"item": "pen"}')
    assert (status, out) == (1, "")
    assert "the application Shop could not be started" in err
    assert "OSError: no prices" in err
    assert "lauren_runtime/" not in err


def test_show_takes_the_configured_sources(work: Path, tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text((work / "src" / "seeds.py").read_text("utf-8"), encoding="utf-8")
    refused = run(tmp_path, "show")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "no PATH given" in refused.stderr
    (tmp_path / "pyproject.toml").write_text('[tool.lauren-compile]\nsources = ["tools.py"]\n')
    assert run(tmp_path, "show").stdout == run(tmp_path, "show", "tools.py").stdout
    assert json.loads(run(tmp_path, "show", "--tool", "old").stdout)["required"] == ["x"]
    unknown = run(tmp_path, "show", "--tool", "odl")
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert "no tool `odl` in the sources of the configuration: did you mean `old`?" in unknown.stderr


def test_what_a_tool_left_to_the_end_of_the_process_is_done(tmp_path: Path) -> None:
    source = (
        "import atexit\nfrom lauren_runtime import tool\n\n@tool()\ndef later() -> str:\n    '''Later.'''\n"
        "    atexit.register(print, 'at exit')\n    return 'now'\n"
    )
    (tmp_path / "later.py").write_text(source, encoding="utf-8")
    assert run(tmp_path, "build", "later.py", "-o", "built").returncode == 0
    assert call(tmp_path, "later", "{}", "--root", ".")[1] == "now\nat exit\n"
