"""The table of the skills, compiled from their sources."""

from __future__ import annotations

from pathlib import Path

import lauren_runtime
import pytest
from lauren_compiler.config import Config
from lauren_compiler.pipeline import run
from lauren_runtime import load_build
from lauren_runtime.table import Table

PACKAGE = Path(lauren_runtime.__file__).parent


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """What `lauren_runtime.skills.TABLE` is where the project is built."""
    out = tmp_path_factory.mktemp("skills") / "skills_build"
    sources, root = PACKAGE / "skills", PACKAGE.parent
    outcome = run(Config(sources=(sources,), roots=(root,), project=root, out=out, exclude=("_generated",)))
    assert not outcome.diagnostics, outcome.diagnostics
    for artifact in outcome.artifacts:
        path = out / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(artifact.content)
    return load_build(str(out))
