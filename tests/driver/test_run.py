"""What a run leaves as it was in its process."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest
from lauren_compiler.config import CommandLine, load
from lauren_compiler.pipeline import run


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_and_the_recursion_limit(tmp_path: Path, enabled: bool) -> None:
    (tmp_path / "tools.py").write_text("x = 1\n", "utf-8")
    limit = sys.getrecursionlimit()
    try:
        if not enabled:
            gc.disable()
        run(load(CommandLine(paths=("tools.py",), directory=tmp_path)).config, directory=tmp_path)
        assert gc.isenabled() is enabled
        assert sys.getrecursionlimit() == limit
    finally:
        gc.enable()
