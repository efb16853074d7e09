"""Options, fixtures and collectors of the whole suite."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

# The harness is a package beside the tests; the root itself must stay off the path (it holds `build.py`).
sys.path.append(str(Path(__file__).parent))

from harness.golden import Goldens
from harness.markdown import REWRITER, MarkdownFile, Rewriter

pytest_plugins = ["pytester"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite expectations to what the code does now")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[REWRITER] = Rewriter()
    if not config.getoption("--update"):
        return
    if os.environ.get("CI"):
        raise pytest.UsageError("--update is refused where CI is set")
    if getattr(config.option, "numprocesses", None) or hasattr(config, "workerinput"):
        raise pytest.UsageError("--update is refused under xdist: run it in one process")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> MarkdownFile | None:
    inside = "mdtest" in file_path.parts and file_path.name != "README.md"
    if inside and file_path.suffix == ".md":
        return MarkdownFile.from_parent(parent, path=file_path)
    return None


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Expectations are rewritten when no test runs any more: line numbers would move under the others."""
    session.config.stash[REWRITER].write()


@pytest.fixture
def goldens(request: pytest.FixtureRequest) -> Goldens:
    """Compares texts with files; rewrites the files under `--update`."""
    return Goldens(bool(request.config.getoption("--update")))
