"""Schemas of what only a newer Python reads equal pydantic's there: `type` statements, `typing.TypedDict`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from harness import requires


def test_types_that_only_a_newer_python_reads() -> None:
    newer = sys.executable if sys.version_info >= (3, 13) else os.environ.get("LAUREN_PYTHON_313")
    if not newer:
        requires.missing("LAUREN_PYTHON_313 names no Python 3.13 with the project and its test tools")
    script = Path(__file__).with_name("new_syntax.py")
    root = script.parents[2]
    places = os.pathsep.join(str(root / folder) for folder in ("tests", "compiler", "runtime"))
    variables = os.environ | {"PYTHONPATH": places}
    done = subprocess.run([newer, str(script)], capture_output=True, text=True, env=variables)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"compared": 30}
