"""What is not for one module alone to say: names of files, what all tools share, and whose a file is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from harness.linked_projects import CONFIGURATION, LinkedProject
from harness.rebuilding import FORMS, built, put, written
from lauren_compiler.pipeline import phases, shared

BOUND = """\
from lauren_runtime import tool

class {cls}:
    @tool()
    def {name}(self, x: int) -> int:
        '''Bound.'''
"""
PAYING = """\
from lauren_runtime import tool
from money import Money

@tool()
def pay(amount: Money) -> None:
    '''Pay.'''
"""


@pytest.mark.one_python
@pytest.mark.parametrize("seed", range(4))
def test_edits_of_linked_modules_come_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], seed: int, read: list[object]
) -> None:
    """Modules that import each other in every way; now and then in several processes too."""
    monkeypatch.setattr(shared, "_FEWEST", 2)
    monkeypatch.chdir(tmp_path)
    settings = f"[tool.lauren-compile]\ntargets = ['openai', 'mcp']\n{CONFIGURATION if seed % 2 else ''}"
    (tmp_path / "pyproject.toml").write_text(settings, encoding="utf-8")
    linked = LinkedProject(tmp_path, seed)
    for step in range(10):
        linked.edit()
        found: list[object] = []
        for options in ((), ("--no-cache",), *([("--no-cache", "-j", "3")] if step % 3 == 0 else [])):
            status, said = built(*options), capsys.readouterr()
            found.append((status, said, {} if status else written(tmp_path)))
        assert all(each == found[0] for each in found[1:]), f"edit {step}"
    assert read, "in none of these runs units were used"


@pytest.mark.parametrize(
    ("first", "second", "edit"),
    [
        pytest.param("tools_x.py", "tools_y.py", BOUND.format(cls="B", name="Same"), id="schemas of bound tools"),
        pytest.param("tools_x_y.py", "tools_x/y.py", BOUND.format(cls="B", name="other"), id="decoders of modules"),
    ],
)
def test_which_of_two_has_a_name_is_for_both_to_say(project: Path, first: str, second: str, edit: str) -> None:
    put(project / first, BOUND.format(cls="A", name="same"))
    put(project / second, "")
    for text in ("", edit, "", edit):
        put(project / second, text)
        assert built() == 0
        assert built("--no-cache", "--check") == 0
    put(project / first, "")
    assert built() == 0
    assert built("--no-cache", "--check") == 0


def test_what_several_processes_warn_of_is_said_once(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shared, "_FEWEST", 2)
    for number in range(6):
        put(project / f"tools_s{number}.py", BOUND.format(cls="S", name="same"))
    assert built("--no-cache") == 0
    said, before = capsys.readouterr(), written(project)
    assert built("--no-cache", "-j", "4") == 0
    assert (capsys.readouterr(), written(project)) == (said, before)


def test_files_of_others_in_the_output_are_not_overwritten(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = project / "lauren_build/schemas/mine.json"
    assert built() == 0
    put(mine, "{}")
    assert built() == 0
    put(project / "tools_e.py", FORMS["tools_e.py"][0].replace("sell", "mine"))
    assert built() == 1
    assert "LC902" in capsys.readouterr().err
    assert mine.read_text("utf-8") == "{}"


def test_python_of_others_in_the_output_is_noticed(project: Path) -> None:
    """An empty file does no harm; one that was empty may."""
    assert built() == 0
    put(project / "lauren_build/mine.py", "")
    assert built() == 0
    put(project / "lauren_build/mine.py", "x = 1\n")
    assert built() == 1
    put(project / "tools_e.py", FORMS["tools_e.py"][1])
    assert built() == 1


def test_names_in_the_configuration_concern_all(project: Path) -> None:
    """`hub` says what the name means, and those that use it need not import `hub`."""
    settings = '[tool.lauren-compile.types."hub.Money"]\nschema = { type = "string" }\n'
    put(project / "pyproject.toml", settings)
    put(project / "money.py", "class Money:\n    def __init__(self, x): ...\nclass Other: ...\n")
    put(project / "hub.py", "from money import Money\n")
    put(project / "tools_m.py", PAYING)
    assert built() == 0
    put(project / "hub.py", "from money import Other as Money\n")
    assert (built(), built("--no-cache")) == (1, 1)


def test_what_several_modules_use_is_told_where_it_is_first_used(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """However many runs have put units and changed modules together before."""
    put(project / "money.py", "Money = int\n")
    for name in ("x", "y", "z"):
        put(project / f"tools_{name}.py", PAYING.replace("pay", f"pay_{name}"))
    assert built() == 0
    put(project / "tools_x.py", PAYING.replace("pay", "pay_first"))
    assert built() == 0
    put(project / "money.py", "class Money: ...\n")
    capsys.readouterr()
    assert built() == 1
    said = capsys.readouterr()
    assert built("--no-cache") == 1
    assert capsys.readouterr() == said


def test_a_source_that_is_changed_and_changed_back_while_it_is_compiled(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is remembered is what was compiled, and not what was there before and after."""
    assert built() == 0
    models, (first, second) = project / "shop/models.py", FORMS["shop/models.py"][:2]
    again: Callable[..., object] = phases.again

    def meanwhile(*given: object) -> object:
        put(models, second)
        outcome = again(*given)
        put(models, first)
        return outcome

    put(project / "tools_a.py", FORMS["tools_a.py"][2])
    with monkeypatch.context() as patch:
        patch.setattr(phases, "again", meanwhile)
        assert built() == 0
    assert built() == 0
    assert built("--no-cache", "--check") == 0


def test_without_another_process_one_does_all(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "_FEWEST", 2)
    fork, made = os.fork, list[int]()

    def limited() -> int:
        if made:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        made.append(fork())
        return made[0]

    monkeypatch.setattr(os, "fork", limited)
    assert built("--no-cache", "-j", "4") == 0
    with pytest.raises(ChildProcessError):
        os.waitpid(made[0], 0)


def test_a_bound_tool_may_have_the_name_of_another(project: Path) -> None:
    """Its forms for targets are its own, though only the other's are in the files of targets."""
    put(project / "tools_x.py", BOUND.format(cls="B", name="other"))
    for name in ("tools_e.py", "tools_f.py", "tools_e.py"):
        assert built() == 0
        put(project / name, FORMS[name][1] if name == "tools_e.py" else "")
    assert built() == 0
    assert built("--no-cache", "--check") == 0
