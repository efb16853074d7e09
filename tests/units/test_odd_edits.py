"""Edits that are none of a source's text alone: links, stubs, clocks, the configuration, the cache, the output."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.rebuilding import FORMS, built, put, written
from lauren_compiler.pipeline import shared

LINKED = "from lauren_runtime import tool\n\n@tool()\ndef {name}(a: {type}) -> str:\n    '''Linked.'''\n"
STUB = "from dataclasses import dataclass\n\n@dataclass\nclass Item:\n    sku: {type}\n"


class Oddities:
    """Makes them in a project, at random."""

    def __init__(self, project: Path, chosen: random.Random) -> None:
        self._project = project
        self._chosen = chosen
        self._elsewhere = project.with_name(f"{project.name}-elsewhere")
        self.all: list[Callable[[], None]] = [
            self.source, self.stub, self.linked_file, self.linked_folder, self.clock, self.configuration, self.cache,
            self.output,
        ]  # fmt: skip

    def source(self) -> None:
        for name in self._chosen.sample(sorted(FORMS), 2):
            put(self._project / name, self._chosen.choice((FORMS[name][0], self._chosen.choice(FORMS[name]))))

    def stub(self) -> None:
        put(self._project / "shop/models.pyi", self._chosen.choice(("absent", STUB.format(type=self._type()))))

    def linked_file(self) -> None:
        put(self._elsewhere / "linked.py", LINKED.format(name="linked", type=self._type()))
        self._link("linked.py", "linked.py")

    def linked_folder(self) -> None:
        put(self._elsewhere / "package/__init__.py", "")
        put(self._elsewhere / "package/deep.py", LINKED.format(name="deep", type=self._type()))
        self._link("package", "linked_package")

    def clock(self) -> None:
        """A file gets a time in the past or the future, and other content of the same size with the time of before."""
        sources = [each for each in self._project.rglob("*.py") if "lauren_build" not in each.parts]
        file = self._chosen.choice(sorted(sources))
        moment = time.time() + self._chosen.choice((-(10**8), -3, 3, 10**7))
        os.utime(file, (moment, moment))
        text, before = file.read_text("utf-8"), file.stat()
        file.write_text(text.replace("str", "int") if "str" in text else text.replace("int", "str"), "utf-8")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    def configuration(self) -> None:
        lines = ['targets = ["openai", "mcp"]', 'targets = ["mcp", "gemini"]']
        more = [
            "strict-discovery = true",
            "warnings-as-errors = true",
            'cache-dir = "kept"',
            'exclude = ["tools_e.py"]',
        ]
        settings = [self._chosen.choice(lines), *self._chosen.sample(more, self._chosen.choice((0, 1, 1, 2)))]
        put(self._project / "pyproject.toml", "\n".join(("[tool.lauren-compile]", *settings, "")))

    def cache(self) -> None:
        for file in [*self._project.glob(".lauren_cache/*/*"), *self._project.glob("kept/*/*")]:
            file.write_bytes(file.read_bytes()[: self._chosen.choice((0, 40, 400, -1))])

    def output(self) -> None:
        files = sorted(each for each in self._project.glob("lauren_build/**/*") if each.is_file())
        if files:
            file = self._chosen.choice(files)
            file.write_bytes(file.read_bytes()[: self._chosen.choice((0, -1))])

    def _type(self) -> str:
        return self._chosen.choice(("int", "str"))

    def _link(self, target: str, name: str) -> None:
        link = self._project / name
        if not link.is_symlink():
            link.symlink_to(self._elsewhere / target)
        elif self._chosen.random() < 0.3:
            link.unlink()


@pytest.mark.one_python
@pytest.mark.parametrize("seed", range(4))
def test_odd_edits_come_to_what_a_build_of_everything_does(
    project: Path, capsys: pytest.CaptureFixture[str], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "_FEWEST", 2)
    chosen = random.Random(seed)
    odd = Oddities(project, chosen)
    for step in range(30):
        chosen.choice((odd.source, *odd.all))()
        options = ("-j", "2") if chosen.random() < 0.2 else ()
        status, said = built(*options), capsys.readouterr()
        found = written(project) if not status else {}
        assert (built("--no-cache"), capsys.readouterr()) == (status, said), f"edit {step}"
        assert status or written(project) == found, f"edit {step}"
