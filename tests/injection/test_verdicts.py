"""The compiler refuses the applications that the container refuses, with the same kinds of error, and no others."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

from harness.applications import MODULES, compiled
from harness.container_graphs import Graph, graphs
from hypothesis import HealthCheck, Phase, given, settings
from lauren_runtime import LaurenFactory, StartupError

NAMED = "\nfrom lauren_runtime import LaurenFactory\ndef main():\n    LaurenFactory.create(Root)\n"
"""Says which module is the application: without it each that no other imports is one."""


def ours(text: str) -> str:
    return text.replace("from lauren import", "from lauren_runtime import")


def refused(folder: Path, name: str) -> frozenset[str]:
    """The kinds of error that the container raises for the module's `Root`."""
    sys.path.insert(0, str(folder))
    try:
        importlib.invalidate_caches()
        LaurenFactory.create(importlib.import_module(name).Root)
    except StartupError as error:
        return frozenset(type(each).__name__ for each in error.errors)
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop(name, None)
    return frozenset()


@settings(
    max_examples=250,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(graph=graphs)
def test_drawn_applications_are_refused_alike(graph: Graph, tmp_path: Path) -> None:
    number = len(list(tmp_path.iterdir()))
    folder = tmp_path / str(number)
    folder.mkdir()
    name = f"drawn_{number}"
    found = compiled(ours(graph.text) + NAMED, folder, name)
    expected = refused(folder, name)
    if found.is_dynamic:
        return  # an import by a name that no file has: only start-up can tell
    if expected & MODULES:
        # Where modules do not go together the container stops; the compiler goes on with what each of them says.
        assert expected & MODULES <= found.errors, graph.text
        return
    assert found.errors == expected, graph.text
    assert bool(found.files) == (not expected)
