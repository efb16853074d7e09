"""`lauren-compile watch`: what it tells of each build, and that a process sees edits."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import pytest
from lauren_compiler.commands import watch
from lauren_compiler.commands.main import main
from lauren_compiler.config import Config
from lauren_compiler.syntax.declarations import ParsedModule

SOUND = 'from lauren_runtime import tool\n\n@tool()\ndef buy(sku: str) -> str:\n    """Buy."""\n    return sku\n'
BROKEN = SOUND.replace("sku: str", "sku: Missing")
SILENT = SOUND.replace('    """Buy."""\n', "")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text('[tool.lauren-compile]\ntargets = ["mcp"]\n', encoding="utf-8")
    (tmp_path / "tools.py").write_text(SOUND, encoding="utf-8")
    return tmp_path


Followed = Callable[..., list[tuple[str, str]]]


@pytest.fixture
def followed(project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Followed:
    """Makes edits of tools.py, or of what else they name; gives what each build said on both streams."""

    def run(*edits: str | tuple[str, str]) -> list[tuple[str, str]]:
        said: list[tuple[str, str]] = []

        def changes(_: Callable[[], Config]) -> Iterator[object]:
            said.append(tuple(capsys.readouterr()))
            for edit in edits:
                name, text = ("tools.py", edit) if isinstance(edit, str) else edit
                (project / name).write_text(text, encoding="utf-8")
                yield {(1, name)}
                said.append(tuple(capsys.readouterr()))

        monkeypatch.setattr(watch, "_changes", changes)
        assert main(["watch"], remembers=True) == 0
        return said

    return run


def test_each_build_tells_what_is_new(followed: Followed) -> None:
    first, silent, again, broken, mended = followed(SILENT, SILENT + "\n", BROKEN, SOUND)
    assert (first[1], first[0].partition(":")[0]) == ("", "1 tool")
    assert "written" in first[0]
    assert "LC403" in silent[1] or "missing-description" in silent[1]
    assert "1 new above" in silent[0]
    assert again[1] == ""
    assert "new" not in again[0]
    assert "LC202" in broken[1] or "Missing" in broken[1]
    assert "nothing written: 1 error" in broken[0]
    assert (mended[1], "1 gone" in mended[0]) == ("", True)


def test_an_edit_of_nothing_is_not_told(followed: Followed) -> None:
    assert followed(SOUND)[1] == ("", "")


def test_errors_that_are_still_there_are_not_told_again(followed: Followed) -> None:
    first, second, mended = followed(BROKEN, BROKEN + "\n", SOUND)[1:]
    assert "1 error" in first[0]
    assert second == ("", "")
    assert "1 gone" in mended[0]


def test_what_a_build_made_is_given_back(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left: list[int] = []

    def changes(_: object) -> Iterator[object]:
        for number in range(6):
            (project / "tools.py").write_text(SOUND + f"# {number}\n", encoding="utf-8")
            yield {(1, "tools.py")}
            left.append(sum(isinstance(each, ParsedModule) for each in gc.get_objects()))

    monkeypatch.setattr(watch, "_changes", changes)
    collecting = gc.isenabled()
    gc.disable()  # as the command does
    try:
        assert main(["watch", "-q"], remembers=True) == 0
    finally:
        if collecting:
            gc.enable()
    assert left[-1] <= left[1]


def test_why_there_is_no_run_is_told_once(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []

    def changes(_: object) -> Iterator[object]:
        (project / "pyproject.toml").unlink()
        for _ in range(2):
            yield {(3, "pyproject.toml")}
            said.append(capsys.readouterr().err)

    monkeypatch.setattr(watch, "_changes", changes)
    assert main(["watch", "-q"]) == 0
    assert "no pyproject.toml" in said[0]
    assert said[1] == ""


def test_a_broken_configuration_is_told_and_waited_out(followed: Followed, project: Path) -> None:
    name = "pyproject.toml"
    mended_text = '[tool.lauren-compile]\ntargets = ["openai"]\n'
    _, broken, again, mended = followed((name, "[tool"), (name, "[tool"), (name, mended_text))
    assert "pyproject.toml" in broken[1]
    assert again[1] == ""
    assert "written" in mended[0]
    assert (project / "lauren_build/providers/openai.json").exists()


def test_whole_reports_are_for_builds(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "--format", "json"]) == 2
    assert "watch" in capsys.readouterr().out


def test_without_the_package_it_says_what_to_install(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    assert main(["watch"]) == 2
    assert "lauren-compile[watch]" in capsys.readouterr().err


@pytest.fixture
def watching(project: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that watches the project, once it has built it; interrupted in the end."""
    command = [sys.executable, "-m", "lauren_compiler", "watch", "-v"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, preexec_fn=_heeds_interrupts
    ) as process:
        assert process.stdout is not None
        assert "written" in process.stdout.readline()
        yield process
        process.send_signal(signal.SIGINT)
        try:
            process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert process.returncode == 0


def _heeds_interrupts() -> None:
    """Where tests run in the background of a shell, their processes would ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.one_python
def test_folders_that_come_and_go_are_followed(project: Path, watching: subprocess.Popen[str]) -> None:
    """What the configuration names by now is, wherever it lies; a folder that is made again is another one."""
    assert watching.stdout is not None
    manifest = project / "lauren_build/manifest.json"
    other = project.parent / f"{project.name}-other"
    named = f'[tool.lauren-compile]\ntargets = ["mcp"]\nsources = ["tools.py", "../{other.name}/src"]\n'
    (other / "src").mkdir(parents=True)
    (other / "src/more.py").write_text(SOUND.replace("buy", "sell"), encoding="utf-8")
    (project / "pyproject.toml").write_text(named, encoding="utf-8")
    assert _comes(manifest, '"sell"'), _rest(watching.stdout, watching)
    (other / "src/new.py").write_text(SOUND.replace("buy", "rent"), encoding="utf-8")
    assert _comes(manifest, '"rent"'), _rest(watching.stdout, watching)
    for name in ("lend", "steal"):
        shutil.rmtree(other / "src")
        (other / "src").mkdir()
        (other / "src/again.py").write_text(SOUND.replace("buy", name), encoding="utf-8")
        assert _comes(manifest, f'"{name}"'), _rest(watching.stdout, watching)
        saved = other / "src/.again.py.swp"
        saved.write_text(SOUND.replace("buy", f"{name}_by_rename"), encoding="utf-8")
        saved.replace(other / "src/again.py")
        assert _comes(manifest, f'"{name}_by_rename"'), _rest(watching.stdout, watching)


def test_a_source_that_is_still_to_be_made_is_followed(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """To make it is all that the configuration lacks: no other edit has to follow."""
    (project / "tools").mkdir()

    def changes(current: Callable[[], Config]) -> Iterator[object]:
        assert watch.watched(current()) == [str(project / "tools")]
        for sources in ('"tools", "other/more"', '"tools"'):
            text = f'[tool.lauren-compile]\nroots = ["tools"]\nsources = [{sources}]\n'
            (project / "pyproject.toml").write_text(text, encoding="utf-8")
            yield {}
            folder = project if "more" in sources else project / "tools"
            assert watch.watched(current()) == [str(folder)]

    text = '[tool.lauren-compile]\nroots = ["tools"]\nsources = ["tools"]\n'
    (project / "pyproject.toml").write_text(text, encoding="utf-8")
    monkeypatch.setattr(watch, "_changes", changes)
    assert main(["watch"], remembers=True) == 0
    assert "no such file or folder: other/more" in capsys.readouterr().err


@pytest.mark.one_python
def test_a_watch_goes_on_where_nothing_changed_since_the_last(project: Path) -> None:
    for said in ("7 files written", "nothing changed since the last build"):
        command = [sys.executable, "-m", "lauren_compiler", "watch"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=_heeds_interrupts) as process:
            assert process.stdout is not None
            os.set_blocking(process.stdout.fileno(), True)
            assert said in process.stdout.readline()
            time.sleep(0.5)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
        assert process.returncode == 0


@pytest.mark.one_python
def test_a_process_sees_edits(project: Path, watching: subprocess.Popen[str]) -> None:
    assert watching.stdout is not None
    manifest = project / "lauren_build/manifest.json"
    other = '[tool.lauren-compile]\ntargets = ["gemini"]\n'
    edits = (
        ("tools.py", SOUND.replace("buy", "sell"), '"sell"'),
        ("tools.py", SOUND, '"buy"'),
        ("pyproject.toml", other, '"gemini"'),
    )
    for name, text, expected in edits:
        (project / name).write_text(text, encoding="utf-8")
        assert _comes(manifest, expected), _rest(watching.stdout, watching)


def _comes(file: Path, text: str) -> bool:
    """Whether a file comes to hold a text within a minute."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if text in file.read_text("utf-8"):
            return True
        time.sleep(0.05)
    return False


def _rest(stream: IO[str], process: subprocess.Popen[str]) -> str:
    process.kill()
    return stream.read()
