"""The examples of the pages on the runtime do what stands below them."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import lauren_runtime
import pytest
from harness.compiling import write_build

ROOT = Path(__file__).parents[2]
RUNTIME = str(Path(lauren_runtime.__file__).parent.parent)
PAGES = (
    *("agents", "approval", "agents-at-build-time", "writing-a-model-client", "runtime", "results", "hooks", "caching"),
    *("testing", "dependency-injection", "skills"),
)
TOOLS = "# tools.py\n"


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_print_what_they_say(page: str, tmp_path: Path) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    blocks = re.findall(r"```(python|text)\n(.*?)```", text, flags=re.S)
    ran = 0
    for (kind, code), (_, expected) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if kind == "python" and code.startswith(TOOLS):
            write_build(code, tmp_path, "tools")
        elif kind == "python":
            assert run(code, tmp_path) == expected
            ran += 1
    assert ran >= 1


def run(code: str, folder: Path) -> str:
    setup = f"import logging, sys; logging.disable(); sys.path[:0] = {[str(folder), RUNTIME]!r}\n"
    done = subprocess.run([sys.executable, "-c", setup + code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout
