"""The README holds: its files, commands and output are replayed, in order, in a project away from the checkout.

A named block is a file of that project (`tools/weather.py`: above it) and is written; a `json` block shows a file that
a command has written; a `console` block is run and shows what it prints; the commands of a `yaml` block are run. An
`sh` block holds commands that other tests run. `pytest --update` writes the README's output anew.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .conftest import Place

pytestmark = pytest.mark.xdist_group("installed")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"`([\w./-]+\.(?:py|toml|json|yaml|yml))`")
COMMAND = re.compile(r"^\s*(?:- )?(?:run|entry): (.+)$", re.MULTILINE)

#: Commands of `sh` blocks → the test that runs them.
ELSEWHERE = {
    "python3 build.py": "test_build_script.py::test_build",
    "python3 build.py test": "the suite itself: .ci/run",
    "pip install lauren-compile": "test_packaging.py::test_the_wheel_works_away_from_the_checkout",
    "pip install --no-deps lauren-compile": "test_packaging.py::test_a_build_runs_with_the_runtime_alone",
}


def shown(value: object, indent: str = "") -> str:
    """JSON for readers: what fits on a line stays on it."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent + line) <= 100 or not isinstance(value, dict | list):
        return line
    deeper = indent + "  "
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {shown(item, deeper)}" for key, item in value.items()]
    else:
        items = [shown(item, deeper) for item in value]
    opened, closed = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return f"{opened}\n{deeper}" + f",\n{deeper}".join(items) + f"\n{indent}{closed}"


@dataclass(frozen=True)
class Replay:
    """The project that the README is about, and the environment it is worked on in."""

    folder: Path
    python: Path
    wheel: Path

    def run(self, command: str) -> str:
        """What a shell command prints. It has to succeed, unless it reports errors in the sources."""
        path = os.pathsep.join([str(self.python.parent), os.environ["PATH"]])
        variables = {name: text for name, text in os.environ.items() if not name.startswith(("PYTHON", "LAUREN_"))}
        variables |= {"PATH": path, "NO_COLOR": "1", "PIP_FIND_LINKS": str(self.wheel.parent)}
        done = subprocess.run(
            command,
            shell=True,
            cwd=self.folder,
            env=variables,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == (1 if "error[" in done.stdout else 0), done.stdout
        return done.stdout

    def console(self, _: str, text: str) -> str:
        commands = [line for line in text.splitlines() if line.startswith("$ ")]
        return "".join(f"{line}\n{self.run(line[2:])}" for line in commands)

    def source(self, name: str, text: str) -> str:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return text

    def output(self, name: str, _: str) -> str:
        return shown(json.loads((self.folder / name).read_text("utf-8"))) + "\n"

    def workflow(self, name: str, text: str) -> str:
        self.source(name, text)
        commands = COMMAND.findall(text)
        assert commands
        for command in commands:
            if command not in ELSEWHERE:
                self.run(command)
        return text

    def set_up(self, _: str, text: str) -> str:
        assert set(text.splitlines()) <= set(ELSEWHERE)
        return text


HANDLERS = {
    "console": Replay.console,
    "python": Replay.source,
    "toml": Replay.source,
    "json": Replay.output,
    "yaml": Replay.workflow,
    "sh": Replay.set_up,
}


def name_above(text: str, start: int) -> str:
    """The file that the paragraph above a block names first."""
    paragraph = text[:start].rstrip().rpartition("\n\n")[2]
    names = FILE.findall(paragraph)
    return names[0] if names and paragraph.endswith(":") else ""


def test_readme(root: Path, installed: Place, wheel: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    readme = root / "README.md"
    text = readme.read_text("utf-8")
    replay = Replay(tmp_path, installed.python, wheel)

    def again(block: re.Match[str]) -> str:
        language, content = block.groups()
        name = name_above(text, block.start())
        assert name or language in ("console", "sh"), f"which file is this?\n{content}"
        return f"```{language}\n{HANDLERS[language](replay, name, content)}```"

    now = FENCE.sub(again, text)
    if request.config.getoption("--update", default=False):
        readme.write_text(now, "utf-8")
    else:
        assert now == text


def test_ci_runs_the_command_that_the_readme_gives(root: Path) -> None:
    assert "build.py test" in (root / ".ci" / "run").read_text("utf-8")
    assert "python3 build.py test\n" in (root / "README.md").read_text("utf-8")


def test_a_change_of_output_would_be_found(tmp_path: Path) -> None:
    """The replay itself: it shows what a command prints now, not what the page says it printed."""
    replay = Replay(tmp_path, Path(sys.executable), tmp_path / "none.whl")
    command = f"$ {shlex.quote(sys.executable)} -c 'print(6 * 7)'"
    assert replay.console("", f"{command}\n41\n") == f"{command}\n42\n"
