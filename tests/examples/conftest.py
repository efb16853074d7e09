"""The approvals example, served over the examples' own tools."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import requires
from harness.compiling import write_build
from lauren_runtime import Table, load_build

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """The table of the examples' email tool, under a module name that no other test has."""
    for package in ("starlette", "uvicorn"):
        requires.package(package, package)
    name = "mail_" + tmp_path.name
    write_build((EXAMPLES / "shop" / "mail.py").read_text("utf-8"), tmp_path, name)
    before = list(sys.path)
    sys.path[:0] = [str(tmp_path), str(EXAMPLES)]
    yield load_build(str(tmp_path / "lauren_build"))
    sys.path[:] = before
    sys.modules.pop(name, None)


@pytest.fixture
def outbox(table: Table) -> list[dict[str, str]]:
    """What the tool sent."""
    module = __import__(table["send_email"].module)
    found: list[dict[str, str]] = module.OUTBOX
    return found
