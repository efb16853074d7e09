"""From which folder the modules of a file are named."""

from __future__ import annotations

from pathlib import Path

import pytest
from lauren_compiler.config import Config
from lauren_compiler.discover.roots import rooted
from lauren_compiler.source.filesystem import Memory


@pytest.mark.parametrize(
    ("packages", "path", "project", "module"),
    [
        (["a", "a/b"], "/w/a/b/x.py", None, "a.b.x"),
        (["a", "a/b"], "/w/a/b/x.py", "/w", "a.b.x"),
        (["a/b"], "/w/a/b/x.py", "/w", "b.x"),
        ([], "/w/a/b/x.py", "/w", "a.b.x"),
        ([], "/w/src/a/x.py", "/w", "a.x"),
        ([], "/w/a/b/x.py", None, "x"),
        # Folders in a package without an `__init__.py` of their own.
        (["a"], "/w/a/b/c/x.py", None, "a.b.c.x"),
        (["a", "a/b"], "/w/a/b/c/d/x.py", None, "a.b.c.d.x"),
        (["s/a"], "/w/s/a/b/x.py", "/w", "a.b.x"),
        (["src/a"], "/w/src/a/b/x.py", "/w", "a.b.x"),
        # That are no part of it, or lie in the project's folder.
        (["a"], "/w/a/b-c/x.py", None, "x"),
        (["a"], "/w/a/b-c/d/x.py", None, "x"),
        (["."], "/w/a/x.py", "/w", "a.x"),
        (["."], "/w/a/b/x.py", "/w", "a.b.x"),
        (["/"], "/w/a/b/x.py", "/w", "a.b.x"),
    ],
)
def test_the_name_of_a_module(packages: list[str], path: str, project: str | None, module: str) -> None:
    inits = {str(Path("/w", package, "__init__.py")): b"" for package in packages}
    config = Config(sources=(Path(path),), project=None if project is None else Path(project))
    place = rooted(Path(path), config, Memory({**inits, path: b""}))
    assert (place.module, place.root / place.relative) == (module, Path(path))
