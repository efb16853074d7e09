"""A folder to work in, and the command line run in this process with phases that a test makes up."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from lauren_compiler.commands.main import main
from lauren_compiler.config import Config
from lauren_compiler.diagnostics.model import Diagnostic
from lauren_compiler.emit.artifact import Artifact
from lauren_compiler.lower.program import Counts


@dataclass(frozen=True)
class Source:
    lines: tuple[str, ...] = ()


@dataclass
class Phases:
    """Stands in for the phases: gives what a test put in, and keeps the configuration it was run with."""

    artifacts: tuple[Artifact, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    sources: dict[str, Source] = field(default_factory=dict)
    tools: Counts = field(default_factory=lambda: Counts(1, 1, 0))
    agents: Counts = field(default_factory=lambda: Counts(0, 0, 0))
    modules: tuple[str, ...] = ("tools",)
    bound: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    config: Config | None = None
    failure: Callable[[], None] = lambda: None

    kept: dict[str, str] = field(default_factory=dict)
    places: tuple[object, ...] = ()

    def run(
        self, config: Config, files: object = None, *, earlier: object = None, keeps: bool = False, jobs: int = 1
    ) -> Phases:
        self.config = config
        self.failure()
        return self


@dataclass(frozen=True)
class Ended:
    """How a command line ended."""

    status: int
    out: str
    err: str


Command = Callable[..., Ended]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with `tools.py` and an empty configuration."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tools.py").write_text("def f(): ...\n", encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text("[tool.lauren-compile]\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def phases(monkeypatch: pytest.MonkeyPatch) -> Phases:
    made = Phases()
    module = types.ModuleType("lauren_compiler.pipeline")
    module.run = made.run  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "lauren_compiler.pipeline", module)
    return made


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    def run(*arguments: str) -> Ended:
        status = main(arguments)
        out, err = capsys.readouterr()
        return Ended(status, out, err)

    return run
