"""What a compile costs, against a process that only parses the same files, and against type checkers."""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from pathlib import Path

from .measuring import Process, ratio
from .rows import Row, Setting
from .trees import write_tree

_PARSE = """
import ast, os, sys
for name in sorted(os.listdir(sys.argv[1])):
    with open(os.path.join(sys.argv[1], name), "rb") as file:
        ast.parse(file.read())
"""
_PROJECT = '[tool.lauren-compile]\nsources = ["{package}"]\ntargets = ["anthropic", "openai", "mcp"]\n'


class Tree:
    """A project with its tools, and the processes that are measured in it."""

    def __init__(self, setting: Setting, tools: int) -> None:
        self.setting = setting
        self.folder = setting.work / f"compiled-{tools}"
        self.package = self.folder / "lauren_tools"
        if not self.folder.exists():
            write_tree(self.folder, tools)
            (self.folder / "pyproject.toml").write_text(_PROJECT.format(package=self.package.name))

    def build(self, *options: str) -> list[str]:
        return [str(self.setting.python), "-m", "lauren_compiler", "build", "-q", *options]

    def cold(self, *options: str) -> Process:
        """A build without anything that an earlier one left."""
        return Process(self.build("--no-cache", *options), self.folder, before=self.clear)

    def clear(self) -> None:
        """Put the output and the cache aside. What was deleted shortly before makes new files dear on some systems."""
        for name in ("lauren_build", ".lauren_cache"):
            if (self.folder / name).exists():
                (self.folder / name).rename(Path(tempfile.mkdtemp(dir=self.setting.work, prefix="aside-")) / name)

    def parse(self) -> Process:
        return Process([str(self.setting.python), "-c", _PARSE, str(self.package)], self.folder)

    def nothing(self) -> Process:
        return Process([str(self.setting.python), "-c", "pass"], self.folder)

    def unchanged(self) -> Process:
        """A build after others; files are older than what a file system's clock can hide."""
        process = Process(self.build(), self.folder)
        process.run()
        time.sleep(3)
        process.run()
        return process

    def edited(self) -> Process:
        """A build after an edit of one docstring."""
        self.unchanged()
        file = self.package / "mod_0000.py"
        texts = [file.read_text(), file.read_text().replace("    Args:", "    More.\n\n    Args:")]

        def edit() -> None:
            texts.reverse()
            file.write_text(texts[0])

        return Process(self.build(), self.folder, before=edit)


def _cold(setting: Setting) -> float:
    tree = Tree(setting, setting.tools)
    return ratio(tree.cold(), tree.parse(), setting.runs)


def _parallel(setting: Setting) -> float:
    tree = Tree(setting, setting.tools)
    return ratio(tree.cold("-j", "2"), tree.parse(), setting.runs, lambda used: used.wall)


def _unchanged(setting: Setting) -> float:
    tree = Tree(setting, setting.tools)
    return ratio(tree.unchanged(), tree.nothing(), setting.runs)


def _edited(setting: Setting) -> float:
    tree = Tree(setting, setting.tools)
    return ratio(tree.edited(), tree.nothing(), setting.runs)


def _memory(setting: Setting) -> float:
    tree = Tree(setting, setting.tools)
    return statistics.median(tree.cold().run().peak for _ in range(3))


def _growth(setting: Setting) -> float:
    more, less = Tree(setting, setting.tools * 10), Tree(setting, setting.tools)
    return ratio(more.cold(), less.cold(), 1)


def _checker(name: str) -> Row:
    goals = {"mypy": 4.8, "pyright": 13.0}

    def measure(setting: Setting) -> float:
        tree = Tree(setting, setting.tools)
        cache = setting.work / "checker-cache"
        options = {"mypy": ["--cache-dir", str(cache)], "pyright": ["--pythonpath", str(setting.python)]}
        command = [str(setting.python), "-m", name, *options[name], str(tree.package)]

        def clear() -> None:
            shutil.rmtree(cache, ignore_errors=True)

        checker = Process(
            ["sh", "-c", 'exec 2>&1; "$@" > /dev/null || true', "sh", *command], tree.folder, before=clear
        )
        return ratio(checker, tree.cold(), 1)

    return Row(f"{name}, cold ÷ ours", goals[name], measure, at_least=True)


ROWS = [
    Row("cold ÷ a process that parses the same files", 3.0, _cold),
    Row("the same with `-j 2`, wall", 1.7, _parallel),
    Row("nothing changed ÷ `python -c pass`", 2.2, _unchanged),
    Row("one file changed ÷ `python -c pass`", 10, _edited),
    Row("peak memory, cold", 64, _memory, unit="MiB"),
    _checker("mypy"),
    _checker("pyright"),
    Row("ten times the tools ÷ as many", 10.5, _growth),
]


def folder_of(setting: Setting, tools: int) -> Path:
    """The folder of a tree that has been built."""
    tree = Tree(setting, tools)
    if not (tree.folder / "lauren_build").exists():
        Process(tree.build(), tree.folder).run()
    return tree.folder
