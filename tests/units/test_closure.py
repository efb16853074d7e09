"""The imports that a closure sees: all that Python does, however they are written."""

from __future__ import annotations

import ast
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from lauren_compiler.diagnostics.model import Sink
from lauren_compiler.source.file import SourceFile
from lauren_compiler.syntax.decode import decode
from lauren_compiler.units.closure import targets

HOME = "a.b.c.d.e.f.g"
PACKAGES = ("asyncio", "email", "importlib", "multiprocessing", "unittest", "xml")
LIBRARY = [path for name in PACKAGES for path in sorted(Path(sysconfig.get_paths()["stdlib"], name).rglob("*.py"))]


def found(text: str) -> set[str]:
    return {name for name, _ in targets(SourceFile("/m.py", "m.py", "m.py", HOME, False, text))}


def imported(text: str) -> Iterator[str]:
    """What the statements of a text import, by its tree."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = HOME.split(".")[: -node.level] if node.level else []
            source = ".".join([*start, *([node.module] if node.module else [])])
            yield source
            yield from (f"{source}.{alias.name}" for alias in node.names if alias.name != "*")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("# taken from\nimport shop.models\n", id="a comment that ends in from"),
        pytest.param("# what to import\nimport shop\n", id="a comment that ends in import"),
        pytest.param("'''\nfrom x import (y\n'''\nimport shop\nz = ()\n", id="a text that begins a list"),
        pytest.param("from shop import (  # old :)\n    models,  # (\n    other)\n", id="brackets in comments"),
        pytest.param("from shop . models import Item\nimport shop . other as o\n", id="spaces at dots"),
        pytest.param("from . . import models\nfrom.models import(Item)\n", id="no spaces, and too many"),
        pytest.param("import a.b as c, \\\n    d . \\\n e\n", id="continued lines"),
        pytest.param("from \\\n  shop import \\\n  a, \\\n  b\n", id="continued in a list"),
        pytest.param("if x: import a; from b import c; import d\n", id="several on a line"),
        pytest.param("\fimport a\nclass C: from b import *\n", id="form feeds and suites"),
        pytest.param("def f():\n\tfrom . import models as m, other\n", id="in a function"),
        pytest.param("import \ufb01le, हिन्दी.खाता\nfrom \u212bng import \u00e5\n", id="names in other spellings"),
    ],
)
def test_imports_are_seen_however_they_are_written(text: str) -> None:
    assert set(imported(text)) <= found(text)


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_imports_of_the_standard_library_are_seen(path: Path) -> None:
    text = decode(path.read_bytes(), path.name, Sink())
    assert text is not None
    assert set(imported(text)) <= found(text)
