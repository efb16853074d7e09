"""Building on units of earlier runs: the same files and the same report as a build of everything, and less work."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from harness.rebuilding import FORMS, built, put, written
from lauren_compiler.pipeline import phases, shared

SETTINGS = '[tool.lauren-compile]\ntargets = ["openai", "mcp"]\n'
MORE = ("", "strict-discovery = true\n", "warnings-as-errors = true\n")


@pytest.mark.one_python
@pytest.mark.parametrize("seed", range(6))
def test_edits_come_to_what_a_build_of_everything_does(
    project: Path, capsys: pytest.CaptureFixture[str], seed: int, read: list[list[str]]
) -> None:
    put(project / "pyproject.toml", SETTINGS + MORE[seed % len(MORE)])
    chosen = random.Random(seed)
    for step in range(25):
        if step % 5 == 0:
            for name, forms in FORMS.items():
                put(project / name, forms[0])
        for name in chosen.sample(sorted(FORMS), chosen.choice((1, 1, 1, 2))):
            put(project / name, chosen.choice((FORMS[name][0], chosen.choice(FORMS[name]))))
        status, said = built(), capsys.readouterr()
        before = written(project)
        assert (built("--no-cache"), capsys.readouterr()) == (status, said)
        if not status:
            assert written(project) == before
    # Where what can't be decided is an error, there is one in most of these projects.
    assert read or "strict" in MORE[seed % len(MORE)], "in none of these runs units were used"


@pytest.mark.parametrize("seed", range(3))
def test_several_processes_come_to_the_same(
    project: Path, capsys: pytest.CaptureFixture[str], seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "_FEWEST", 2)
    chosen = random.Random(seed)
    told_apart = 0
    for _ in range(12):
        for name, forms in FORMS.items():
            put(project / name, chosen.choice((forms[0], forms[0], forms[0], chosen.choice(forms))))
        status, said = built("--no-cache", "-j", "3"), capsys.readouterr()
        before = {path: path.read_bytes() for path in (project / "lauren_build").rglob("*") if path.is_file()}
        assert (built("--no-cache"), capsys.readouterr()) == (status, said)
        if not status:
            assert {
                path: path.read_bytes() for path in (project / "lauren_build").rglob("*") if path.is_file()
            } == before
            told_apart += 1
    assert told_apart


def test_units_of_several_processes_are_built_on(
    project: Path, read: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared, "_FEWEST", 2)
    assert built("-j", "2") == 0
    put(project / "tools_e.py", FORMS["tools_e.py"][1])
    assert built("-j", "2") == 0
    assert read == [["tools_e.py"]]
    assert built("--no-cache", "--check") == 0


@pytest.mark.parametrize("fault", [KeyboardInterrupt, MemoryError, lambda: os._exit(3)])
def test_a_process_that_fails_costs_time_only(
    project: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[[], object]
) -> None:
    monkeypatch.setattr(shared, "_FEWEST", 2)
    work, here = shared._share, os.getpid()

    def failing(*given: Any) -> object:
        if os.getpid() != here:
            made = fault()
            raise made if isinstance(made, BaseException) else AssertionError
        return work(*given)

    monkeypatch.setattr(shared, "_share", failing)
    assert built("--no-cache", "-j", "2") == 0
    assert built("--no-cache", "--check") == 0


def test_only_what_depends_on_an_edit_is_read(project: Path, read: list[list[str]]) -> None:
    assert built() == 0
    put(project / "tools_e.py", FORMS["tools_e.py"][1])
    assert built() == 0
    put(project / "shop/models.py", FORMS["shop/models.py"][1])
    assert built() == 0
    assert read[0] == ["tools_e.py"]
    assert sorted(read[1]) == ["models.py", "tools_a.py"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("shop/new.py", "", id="a new file"),
        pytest.param("pyproject.toml", '[tool.lauren-compile]\ntargets = ["mcp"]\n', id="the configuration"),
        pytest.param("lauren_build/schemas/buy.json", "{}", id="a file of the output"),
        pytest.param("lauren_build/_tools/mine.py", "", id="a file in the output"),
    ],
)
def test_whatever_else_changed_concerns_all(project: Path, read: list[list[str]], name: str, text: str) -> None:
    assert built() == 0
    put(project / name, text)
    built()
    assert not read


def test_files_of_units_that_would_be_called_otherwise(project: Path, read: list[list[str]]) -> None:
    """Of two modules whose generated ones want the same name, the first in order has it."""
    put(project / "shop_things.py", FORMS["shop_things.py"][1])
    put(project / "shop/things.py", FORMS["shop_things.py"][0])
    assert built() == 0
    put(project / "shop/things.py", FORMS["shop/things.py"][2])
    assert built() == 0
    assert built("--no-cache", "--check") == 0
    assert not read


def test_a_bound_tool_that_is_called_as_another(project: Path, read: list[list[str]]) -> None:
    put(project / "shop/things.py", FORMS["shop/things.py"][0])
    for text in FORMS["tools_e.py"][:2]:
        put(project / "tools_e.py", text)
        assert built() == 0
        assert built("--no-cache", "--check") == 0
    assert read


def test_units_may_be_lost_cut_or_garbled(project: Path, read: list[list[str]]) -> None:
    assert built() == 0
    (file,) = (project / ".lauren_cache/units").iterdir()
    whole = file.read_bytes()
    for number, text in enumerate((b"", whole[:-1], whole[:60] + b"\xff" + whole[61:], b"lauren-compile units 2\n")):
        file.write_bytes(text)
        put(project / "tools_e.py", FORMS["tools_e.py"][number % 2])
        assert built() == 0
        file.write_bytes(text)
    file.unlink()
    put(project / "tools_e.py", FORMS["tools_e.py"][1])
    assert built() == 0
    assert not read


def test_another_build_in_between_is_noticed(
    project: Path, read: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that were there when the run began, and are not what they were when it comes to write."""
    assert built() == 0
    put(project / "tools_e.py", FORMS["tools_e.py"][1])
    again: Callable[..., object] = phases.again

    def overtaken(*given: object) -> object:
        outcome = again(*given)
        (project / "lauren_build/schemas/buy.json").write_text("{}", encoding="utf-8")
        return outcome

    monkeypatch.setattr(phases, "again", overtaken)
    assert built() == 0
    assert "Item" in (project / "lauren_build/schemas/buy.json").read_text("utf-8")
