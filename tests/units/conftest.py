"""A project to edit, and what was read of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.rebuilding import FORMS, put
from lauren_compiler.pipeline import Earlier, phases


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.lauren-compile]\ntargets = ["openai", "mcp"]\n', encoding="utf-8")
    for name, forms in FORMS.items():
        put(tmp_path / name, forms[0])
    return tmp_path


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The names of the files that each run in which units were used has read as sources."""
    runs: list[list[str]] = []
    again: Callable[..., object] = phases.again

    def spy(config: object, files: object, directory: object, earlier: Earlier) -> object:
        outcome = again(config, files, directory, earlier)
        if outcome is not None:
            runs.append([os.path.basename(place.path) for place in earlier.changed])
        return outcome

    monkeypatch.setattr(phases, "again", spy)
    return runs
