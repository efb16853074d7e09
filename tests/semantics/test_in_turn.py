"""Sources are parsed when their turn comes or another names them: once, whoever comes first."""

from __future__ import annotations

from pathlib import Path

import pytest
from lauren_compiler.config import CommandLine, load
from lauren_compiler.diagnostics.model import Sink
from lauren_compiler.semantics.load import Sources, load_sources, open_program
from lauren_compiler.semantics.program import Program
from lauren_compiler.source.file import SourceFile
from lauren_compiler.source.filesystem import Disk
from lauren_compiler.syntax.declarations import ParsedModule
from lauren_compiler.syntax.parse import parse

FILES = {"a.py": "from b import B\n", "b.py": "class B: ...\n", "c.py": "def broken(:\n", "d.py": ""}


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were parsed, in their order."""
    order: list[str] = []

    def noted(file: SourceFile, sink: Sink, *, thorough: bool) -> ParsedModule | None:
        order.append(file.shown)
        return parse(file, sink, thorough=thorough)

    monkeypatch.setattr("lauren_compiler.semantics.in_turn.parse", noted)
    return order


def opened(folder: Path) -> tuple[Sources, Program, Sink]:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    config = load(CommandLine(paths=(str(folder),), roots=(str(folder),), directory=folder)).config
    files, sink = Disk(), Sink()
    paths = [folder / name for name in FILES]
    sources = load_sources(paths, config, files, lambda path: Path(path).name, sink)
    return sources, open_program(sources, config, files, lambda path: Path(path).name, sink), sink


def test_each_is_parsed_in_its_turn(tmp_path: Path, parsed: list[str]) -> None:
    sources, _, sink = opened(tmp_path)
    assert parsed == []
    modules = iter(sources.modules)
    assert next(modules).file.shown == "a.py"
    assert parsed == ["a.py"]
    assert [each.file.shown for each in modules] == ["b.py", "d.py"]
    assert parsed == list(FILES)
    assert [(each.rule.code, each.span.path) for each in sink] == [("LC103", "c.py")]


def test_what_another_names_is_parsed_before_its_turn_and_not_again(tmp_path: Path, parsed: list[str]) -> None:
    sources, program, sink = opened(tmp_path)
    found = program.module("b")
    assert parsed == ["b.py"]
    assert program.module("c") is None
    assert program.source("c") is None
    assert parsed == ["b.py", "c.py"]
    assert [each.file.shown for each in sources.modules] == ["a.py", "b.py", "d.py"]
    assert parsed == ["b.py", "c.py", "a.py", "d.py"]
    assert program.source("b") is found
    assert program.sources == tuple(sources.modules)
    assert len(sink) == 1


def test_whether_there_is_one_is_told_without_parsing_it(tmp_path: Path, parsed: list[str]) -> None:
    _, program, _ = opened(tmp_path)
    assert program.exists("c")
    assert program.is_source_file(str(tmp_path / "d.py"))
    assert not program.exists("e")
    assert parsed == []
