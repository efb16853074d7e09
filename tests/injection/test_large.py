"""Large and odd lists of providers: what would take for ever is left to start-up, and what is merely long is read."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness.applications import compiled
from lauren_compiler.lower.injection.construction import ConstructionReader

HEAD = "from lauren_runtime import injectable, module\n\n@injectable()\nclass A: ...\n"


def doubled(first: str, times: int) -> str:
    lists = "".join(f"P{n} = [*P{n - 1}, *P{n - 1}]\n" for n in range(1, times + 1))
    return f"{HEAD}P0 = {first}\n{lists}@module(providers=[A, *P{times}])\nclass Root: ...\n"


@pytest.mark.parametrize("first", ["[A]", "[]"])
def test_lists_of_lists_that_grow_as_powers_do(first: str, tmp_path: Path) -> None:
    found = compiled(doubled(first, 50), tmp_path)
    assert (found.errors, found.is_dynamic) == (frozenset(), True)
    assert "_wiring.py" not in found.files


def test_such_that_are_small_are_read(tmp_path: Path) -> None:
    found = compiled(doubled("[A]", 5), tmp_path)
    assert (found.errors, found.is_dynamic) == (frozenset(), False)
    assert b"A = Definition" in found.files["_wiring.py"]


def test_a_class_is_read_once_however_often_it_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    once = ConstructionReader._class
    monkeypatch.setattr(ConstructionReader, "_class", lambda self, decl: (read.append(decl), once(self, decl))[1])
    compiled(f"{HEAD}@module(providers=[{'A, ' * 1000}])\nclass Root: ...\n", tmp_path)
    assert len(read) <= 2  # to find the applications, and then to read them


def test_a_long_line_of_classes_that_are_all_providers(tmp_path: Path) -> None:
    classes = "".join(f"@injectable()\nclass C{n}({'A' if not n else f'C{n - 1}'}): ...\n" for n in range(150))
    names = ", ".join(f"C{n}" for n in range(150))
    found = compiled(f"{HEAD}{classes}@module(providers=[{names}])\nclass Root: ...\n", tmp_path)
    assert (found.errors, found.is_dynamic) == (frozenset(), False)
