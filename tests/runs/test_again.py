"""A run that would do again what it did before only says so; anything that it saw, and that changed, makes it run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lauren_compiler.commands import read_again, remembered
from lauren_compiler.commands.main import main
from lauren_compiler.commands.options import parser
from lauren_compiler.driver import write as write_files
from lauren_compiler.runs import folder, record
from lauren_compiler.runs import key as keys
from lauren_compiler.runs.again import again, before
from lauren_compiler.source import seen

TOOLS = """\
from lauren_runtime import tool
from shop.models import Item


@tool()
def buy(item: Item) -> str:
    \"\"\"Buy something.\"\"\"
    return item.name
"""
MODELS = """\
from dataclasses import dataclass


@dataclass
class Item:
    name: str
"""
PROJECT = '[tool.lauren-compile]\nsources = ["src"]\nroots = ["src", "lib"]\ntargets = ["mcp"]\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a tool and a model that it imports."""
    folder = tmp_path / "project"
    write(folder, {"pyproject.toml": PROJECT, "lib/shop/__init__.py": "", "lib/shop/models.py": MODELS})
    write(folder, {"src/tools.py": TOOLS})
    monkeypatch.chdir(folder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    return folder


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Trusts the times of files that are older than some milliseconds, of seconds otherwise; waits until they are."""
    monkeypatch.setattr(seen, "_COARSEST", 5_000_000)
    return lambda: time.sleep(0.02)


def ran(*arguments: str) -> bool:
    """Run a command line as a process would; gives whether it had to compile."""
    if again(list(arguments)):
        return False
    assert main(list(arguments), remembers=True) == 0
    return True


def test_nothing_is_done_twice(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ran("build")
    first = capsys.readouterr()
    assert "4 files" not in first.out
    before = {path: path.stat().st_mtime_ns for path in Path("lauren_build").rglob("*")}
    assert not ran("build")
    second = capsys.readouterr()
    assert "0 files written to lauren_build" in second.out
    assert "1 tool found: 1 compiled" in second.out
    assert {path: path.stat().st_mtime_ns for path in Path("lauren_build").rglob("*")} == before


def test_warnings_are_told_again(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, {"src/tools.py": TOOLS.replace('    """Buy something."""\n', "")})
    assert ran("build")
    assert "LC402" in capsys.readouterr().err
    assert not ran("build")
    assert "LC402" in capsys.readouterr().err


def test_a_run_with_errors_is_not_remembered(project: Path) -> None:
    write(project, {"src/tools.py": TOOLS.replace("item: Item", "item: Missing")})
    for _ in range(2):
        assert not again(["build"])
        assert main(["build"], remembers=True) == 1


CHANGES: dict[str, Callable[[Path], object]] = {
    "a source": lambda project: write(project, {"src/tools.py": TOOLS.replace("Buy", "Get")}),
    "an imported model": lambda project: write(project, {"lib/shop/models.py": MODELS.replace("str", "int")}),
    "a new source": lambda project: write(project, {"src/more.py": TOOLS.replace("buy", "sell")}),
    "a source less": lambda project: (project / "lib" / "shop" / "__init__.py").unlink(),
    "a module that now shadows another": lambda project: write(
        project, {"src/shop/__init__.py": "", "src/shop/models.py": MODELS.replace("str", "int")}
    ),
    "the configuration": lambda project: write(project, {"pyproject.toml": PROJECT.replace("mcp", "openai")}),
    "an edited output": lambda project: write(project, {"lauren_build/schemas/buy.json": "{}"}),
    "a missing output": lambda project: (project / "lauren_build" / "schemas" / "buy.json").unlink(),
    "another file in the output": lambda project: write(project, {"lauren_build/schemas/own.json": "{}"}),
    "a virtual environment beside it": lambda project: write(project, {".venv/pyvenv.cfg": "version = 3.11.7"}),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_of_what_was_seen_is_noticed(project: Path, what: str) -> None:
    assert ran("build")
    assert not ran("build")
    CHANGES[what](project)
    assert ran("build")
    assert not ran("build")


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_noticed_where_times_are_trusted(project: Path, what: str, quick: Callable[[], None]) -> None:
    quick()
    assert ran("build")
    quick()
    assert not ran("build")
    assert not ran("build")
    CHANGES[what](project)
    assert ran("build")


def test_what_is_older_than_its_run_is_not_read_again(project: Path, quick: Callable[[], None]) -> None:
    quick()
    assert ran("build")
    quick()
    assert not ran("build")
    [run] = (project / ".lauren_cache" / "runs").iterdir()
    found = record.read(run.read_bytes())
    assert found is not None
    looked_at: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seen.Seen, "holds", lambda each, now: looked_at.append(each.question) or True)
        found.look_again(time.time_ns())
    assert set(looked_at) <= {seen.KIND}


def looked_into(arguments: list[str]) -> set[str]:
    """The files of the output that the next run of a command line has to read, to tell that they are as they were."""
    names: set[str] = set()

    def holds(each: seen.Seen, now: int) -> bool:
        names.add(Path(each.path).name if each.question == seen.OUTPUT else "")
        return True

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seen.Seen, "holds", holds)
        assert before(arguments) is not None
    return names - {""}


WRITTEN = {"manifest.json", "dispatch.py", "__init__.py", "mcp.json", "buy.json", "tools.py"}


class Still(seen.Moment):
    """A moment of a file system whose clock stands still."""

    def __init__(self, found: os.stat_result) -> None:
        super().__init__(found)
        self.time = 0


def after_a_while(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, called when the clock of any file system that counts in milliseconds has gone on."""

    def later(*arguments: object) -> object:
        time.sleep(0.02)
        return function(*arguments)

    return later


def test_what_a_build_wrote_need_not_be_read_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(write_files, "_keep_journal", after_a_while(write_files._keep_journal))
    monkeypatch.setattr(remembered, "now", after_a_while(remembered.now))
    assert ran("build")
    assert looked_into(["build"]) == set()
    write(project, {"src/tools.py": TOOLS.replace("Buy", "Get")})
    assert ran("build")
    assert looked_into(["build"]) == set()


@pytest.mark.parametrize(("module", "name"), [(write_files, "_keep_journal"), (remembered, "now")])
def test_what_was_written_right_before_is_read_again(
    project: Path, monkeypatch: pytest.MonkeyPatch, module: Any, name: str
) -> None:
    """Before it was put in its place, or before its marks were looked at: here all happens in one step of the clock."""
    monkeypatch.setattr(module, name, after_a_while(getattr(module, name)))
    stands_still = folder if module is write_files else write_files
    monkeypatch.setattr(stands_still, "Moment", Still)
    assert ran("build")
    assert looked_into(["build"]) == WRITTEN


@pytest.mark.skipif(sys.platform == "win32", reason="Windows locks no folders")
def test_where_builds_can_write_at_once_all_is_read_again(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def unlocked(folder: Path) -> Generator[bool]:
        yield False

    monkeypatch.setattr(write_files, "exclusive", unlocked)
    monkeypatch.setattr(write_files, "_keep_journal", after_a_while(write_files._keep_journal))
    monkeypatch.setattr(remembered, "now", after_a_while(remembered.now))
    assert ran("build")
    assert looked_into(["build"]) == WRITTEN


@pytest.mark.parametrize("how", ["moved there", "written over"])
def test_a_change_before_a_run_is_remembered_is_noticed(
    project: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """However old the file is that takes a place of the build's: what was written is told by its inode."""
    monkeypatch.setattr(write_files, "_keep_journal", after_a_while(write_files._keep_journal))
    file, other = project / "lauren_build" / "schemas" / "buy.json", project / "other.json"
    other.write_text("{}")
    real = remembered.now

    def changed(folder: str) -> seen.Moment:
        if how == "moved there":
            other.rename(file)
        else:
            file.write_text("{}")
        time.sleep(0.02)
        return real(folder)

    monkeypatch.setattr(remembered, "now", changed)
    assert ran("build")
    assert file.read_text() == "{}"
    monkeypatch.setattr(remembered, "now", real)
    assert ran("build")
    assert file.read_text() != "{}"


@pytest.mark.parametrize("name", ["manifest.json", "_tools/tools.py", "providers/mcp.json"])
def test_a_change_right_after_a_build_is_noticed(project: Path, name: str) -> None:
    """However fast, with the same size, and with the time put back."""
    file = project / "lauren_build" / name
    for number in range(12):
        write(project, {"src/tools.py": TOOLS.replace("Buy", f"Buy {number}")})
        assert ran("build")
        whole, found = file.read_bytes(), file.stat()
        file.write_bytes(whole.swapcase())
        os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))
        assert ran("build")
        assert file.read_bytes() == whole


def test_an_edit_that_keeps_size_and_time_is_noticed(project: Path, quick: Callable[[], None]) -> None:
    quick()
    assert ran("build")
    file = project / "lib" / "shop" / "models.py"
    before = file.stat()
    file.write_text(MODELS.replace("str", "int"), "utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert ran("build")


def test_a_copy_with_other_times_is_the_same(project: Path) -> None:
    assert ran("build")
    for path in (project / "src").rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
    assert not ran("build")


def test_an_output_that_became_a_link_is_no_output(project: Path) -> None:
    assert ran("build")
    schema = project / "lauren_build" / "schemas" / "buy.json"
    schema.rename(project / "elsewhere.json")
    schema.symlink_to(project / "elsewhere.json")
    assert ran("build")
    assert not schema.is_symlink()


def test_other_command_lines_and_processes_are_other_runs(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ran("build")
    assert ran("build", "--target", "openai", "-o", "other")
    assert ran("check")
    assert not ran("check")
    monkeypatch.setenv("NO_COLOR", "1")
    assert ran("build")


def test_the_cache_may_be_deleted_cut_or_garbled(project: Path) -> None:
    assert ran("build")
    [run] = (project / ".lauren_cache" / "runs").iterdir()
    whole = run.read_bytes()
    for text in (b"", whole[:100], whole[:-1], whole.replace(b"buy", b"bye"), b"\0" * 1000, whole[::-1]):
        run.write_bytes(text)
        assert ran("build")
        assert not ran("build")
    shutil.rmtree(project / ".lauren_cache")
    assert ran("build")
    assert (project / ".lauren_cache" / ".gitignore").read_text().endswith("*\n")
    # https://bford.info/cachedir/
    tag = (project / ".lauren_cache" / "CACHEDIR.TAG").read_bytes()
    assert tag.startswith(b"Signature: 8a477f597d28d172789f06886806bc55")


def test_without_a_cache_nothing_is_kept(project: Path) -> None:
    assert ran("build", "--no-cache")
    assert ran("build", "--no-cache")
    assert not (project / ".lauren_cache").exists()


def test_the_cache_may_lie_elsewhere(project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, {"pyproject.toml": PROJECT + 'cache-dir = "../kept"\n'})
    assert ran("build")
    assert (tmp_path / "kept" / "runs").is_dir()
    assert not (project / ".lauren_cache").exists()
    capsys.readouterr()
    assert main(["build"], remembers=True) == 0
    assert "0 files written" in capsys.readouterr().out
    # Without a project, it is among the user's.
    loose = tmp_path / "loose.py"
    loose.write_text(TOOLS.replace("from shop.models import Item", "Item = str"), "utf-8")
    assert ran("build", str(loose), "-o", str(tmp_path / "out"))
    assert (tmp_path / "caches" / "lauren-compile" / "runs").is_dir()


def test_a_cache_that_cannot_be_written_is_a_note(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".lauren_cache").write_text("no folder")
    assert ran("build")
    assert "note[LC904] cache-unwritable" in capsys.readouterr().err
    assert ran("build")


def test_two_builds_at_once_leave_one_whole_run(project: Path) -> None:
    command = [sys.executable, "-m", "lauren_compiler", "build"]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    assert [each.communicate()[0].startswith("1 tool found") for each in started] == [True] * 4
    last = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "0 files written" in last.stdout
    assert not list((project / ".lauren_cache").rglob("*.tmp"))


def test_only_so_many_runs_are_kept(project: Path) -> None:
    for number in range(35):
        assert ran("check", "--target", "mcp", *["-q"] * number)
    assert len(list((project / ".lauren_cache" / "runs").iterdir())) == 32


def test_options_with_values_are_known_without_the_parser() -> None:
    [commands] = [action for action in parser()._actions if action.dest == "command"]  # pyright: ignore[reportPrivateUsage]
    taking: set[str] = set()
    for name in ("build", "check"):
        actions = commands.choices[name]._actions  # type: ignore[index, union-attr]
        taking |= {option for action in actions for option in action.option_strings if action.nargs != 0}
    assert taking == keys.VALUED


NAMES = st.sampled_from(["src/tools.py", "lib/shop/models.py", "lib/shop/__init__.py", "src/more.py", "pyproject.toml"])
TEXTS = st.sampled_from([TOOLS, MODELS, PROJECT, "", MODELS.replace("str", "int"), TOOLS.replace("buy", "sell")])


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(edits=st.lists(st.tuples(NAMES, TEXTS | st.none()), max_size=4))
def test_what_is_remembered_is_what_a_build_would_do(
    project: Path, quick: Callable[[], None], edits: list[tuple[str, str | None]]
) -> None:
    for name, text in edits:
        if text is None:
            (project / name).unlink(missing_ok=True)
        else:
            write(project, {name: text})
        quick()
        if not again(["build"]):
            main(["build"], remembers=True)
        if again(["build"]):
            assert main(["build", "--check", "--no-cache"]) == 0


def test_what_an_interpreter_answers_is_asked_each_time(project: Path) -> None:
    python = project / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    for _ in range(2):
        assert ran("build", "--python", "./python")
    write(project, {"pyproject.toml": PROJECT + 'python = "./python"\n'})
    for _ in range(2):
        assert ran("build")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes in folders")
@pytest.mark.parametrize("what", ["lib/shop/models.py", "lauren_build/schemas/buy.json", "the run"])
def test_a_file_that_became_a_pipe_is_not_waited_for(project: Path, what: str) -> None:
    assert ran("build")
    [run] = (project / ".lauren_cache" / "runs").iterdir()
    path = run if what == "the run" else project / what
    path.unlink()
    os.mkfifo(path)
    assert not again(["build"])


def test_options_are_those_that_were_read(project: Path) -> None:
    """A command line is not read again, unless another compiler may read it otherwise."""
    line = ["build", "--target", "mcp", "-o", "made", "--strict-discovery", "src"]
    assert ran(*line)
    write(project, {"src/tools.py": TOOLS.replace("Buy", "Get")})
    run = before(line)
    assert run is not None
    assert [path for _, path in run.changed] == [str(project / "src" / "tools.py")]
    read = parser().parse_args(line)
    assert {**vars(read), "arguments": line, "before": run} == vars(read_again.options_of(line, line, run))
    run.options = {}
    run.changed.append((seen.CONTENT, read_again.__file__))
    assert vars(read_again.options_of(line, line, run)).keys() > {"paths", "target"}
