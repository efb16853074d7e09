"""CodeExecutionTool as its callers have it: approval, results, what it refuses. Escapes are in test_escapes.py."""

from __future__ import annotations

import asyncio
import json
import os
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import lauren_runtime
import pytest
from harness.sandboxed import processes_with
from lauren_compiler.config import Config
from lauren_compiler.pipeline import run as compile_sources
from lauren_runtime import ToolCall, ToolExecutor, ToolPendingApprovalSignal, load_build
from lauren_runtime.sandbox import bubblewrap, filtering, namespaces
from lauren_runtime.sandbox.removing import remove
from lauren_runtime.skills import CodeExecutionTool, SandboxError, SandboxLimits, SkillSetupError, code_execution
from lauren_runtime.skills.code import choosing, scratch
from lauren_runtime.skills.code.interpreter import Interpreter
from lauren_runtime.skills.code.scratch import Scratch
from lauren_runtime.table import Table

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the sandboxes are Linux's"),
    pytest.mark.xdist_group("sandbox"),
]
TOOL = CodeExecutionTool()


def run(code: str, timeout: float = 20.0, tool: CodeExecutionTool = TOOL) -> code_execution.ExecutedCode:
    return asyncio.run(tool.run(code, timeout))


def test_approval_is_asked_for(table: Table) -> None:
    executor = ToolExecutor(table)
    call = ToolCall("t1", "code_execution_tool", {"code": "print(6 * 7)"})
    with pytest.raises(ToolPendingApprovalSignal) as asked:
        asyncio.run(executor.execute(call))
    assert asked.value.tool_input == {"code": "print(6 * 7)"}
    result = asyncio.run(executor.execute_approved(call, approved_input=asked.value.tool_input))
    assert json.loads(str(result.content))["stdout"] == "42\n"


@pytest.mark.parametrize("seconds", [0, -1, 31, "soon"])
def test_the_schema_bounds_the_time(table: Table, seconds: object) -> None:
    call = ToolCall("t1", "code_execution_tool", {"code": "", "timeout": seconds})
    result = asyncio.run(ToolExecutor(table).execute_approved(call))
    assert result.is_error
    assert "more than 0, at most 30" in str(result.content)


UNATTENDED = '''
from lauren_runtime import tool
from lauren_runtime.skills import CodeExecutionTool

@tool(name="code_execution_tool")
class Unattended(CodeExecutionTool):
    """Run Python code without asking."""
'''


def test_a_subclass_of_ones_own_need_not_ask(tmp_path: Path) -> None:
    (tmp_path / "unattended_skill.py").write_text(UNATTENDED, "utf-8")
    roots = (tmp_path, Path(lauren_runtime.__file__).parent.parent)
    outcome = compile_sources(Config(sources=(tmp_path,), roots=roots, project=tmp_path, out=tmp_path / "lauren_build"))
    assert not outcome.diagnostics, outcome.diagnostics
    for artifact in outcome.artifacts:
        path = tmp_path / "lauren_build" / artifact.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(artifact.content)
    sys.path.insert(0, str(tmp_path))
    try:
        executor = ToolExecutor(load_build(str(tmp_path / "lauren_build")))
        result = asyncio.run(executor.execute(ToolCall("t1", "code_execution_tool", {"code": "print(1)"})))
    finally:
        sys.path.remove(str(tmp_path))
    assert json.loads(str(result.content))["stdout"] == "1\n"


@pytest.mark.parametrize(
    ("code", "status", "stderr"),
    [
        ("", 0, ""),
        ("import sys; sys.exit(3)", 3, ""),
        ("import sys; sys.exit('no')", 1, "no\n"),
        ("1 +", 1, "SyntaxError"),
        ("raise KeyError('x')", 1, "line 1, in <module>\n    raise KeyError('x')\nKeyError: 'x'"),
        ("import os; os.kill(os.getpid(), 11)", -11, "[ended by SIGSEGV]"),
        (
            "import os; print('x', file=__import__('sys').stderr, end='', flush=True); os.abort()",
            -6,
            "x\n[ended by SIGABRT]",
        ),
        ("input()", 1, "EOFError"),
        ("\0", 1, "null bytes"),
    ],
)
def test_how_programs_end(code: str, status: int, stderr: str) -> None:
    result = run(code)
    assert (result["exit_code"], result["stdout"], result["truncated"]) == (status, "", False)
    assert stderr in result["stderr"]


def test_text_that_cannot_be_written() -> None:
    with pytest.raises(SandboxError, match="the code is no text"):
        run("print('\udc80')")


def test_output_is_cut_at_whole_characters() -> None:
    result = run("print('é' * 5000, end=''); import sys; sys.stdout.buffer.write(b'\\xff')")
    assert (result["stdout"], result["truncated"]) == ("é" * 4096, True)
    result = run("print('𝄞' * 4096, end='')")
    assert (result["stdout"], result["truncated"]) == ("𝄞" * 4096, False)


def test_output_before_the_time_is_over_is_kept() -> None:
    result = run("import time; print('early', flush=True); time.sleep(60)", 0.7)
    assert (result["stdout"], result["exit_code"], result["stderr"]) == ("early\n", -1, "[stopped after 0.7 seconds]")


def test_the_limits_of_the_tool_are_the_longest() -> None:
    tool = CodeExecutionTool(limits=SandboxLimits(seconds=0.5, stdout=3, memory=300 * 2**20))
    result = run("import time; print('abcdef', flush=True); time.sleep(60)", 30, tool)
    assert (result["stdout"], result["stderr"]) == ("abc", "[stopped after 0.5 seconds]")
    tight = CodeExecutionTool(limits=SandboxLimits(memory=300 * 2**20))
    assert "MemoryError" in run("bytearray(400 * 2**20)", 5, tight)["stderr"]


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"memory": -1}, {"stdout": 0}])
def test_wrong_limits_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="positive"):
        SandboxLimits(**wrong)  # type: ignore[arg-type]


def test_many_at_once() -> None:
    async def many() -> list[code_execution.ExecutedCode]:
        return await asyncio.gather(*(TOOL.run(f"print({number})", 20.0) for number in range(8)))

    assert [result["stdout"] for result in asyncio.run(many())] == [f"{number}\n" for number in range(8)]


def test_in_a_thread_of_its_own() -> None:
    found: list[str] = []
    thread = threading.Thread(target=lambda: found.append(run("print('here')")["stdout"]))
    thread.start()
    thread.join()
    assert found == ["here\n"]


def test_cancelling_ends_it() -> None:
    mark = f"mark-{time.monotonic_ns()}"
    code = f"""
import subprocess, sys
subprocess.run([sys.executable, "-c", "import time; time.sleep(60)", "{mark}"])
"""

    async def cancelled() -> None:
        task = asyncio.ensure_future(TOOL.run(code, 30.0))
        while not processes_with(mark):
            await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(asyncio.wait_for(cancelled(), 30))
    assert processes_with(mark) == []


def without_sandboxes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "supported", lambda: False)
    monkeypatch.setattr(namespaces, "supported", lambda: False)


def test_required_refuses_what_is_not_isolated(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    without_sandboxes(monkeypatch)
    mark = tmp_path / "mark"
    with pytest.raises(SandboxError, match=r"offers no isolated sandbox.*install bubblewrap, or allow user namespaces"):
        run(f"open({str(mark)!r}, 'w')", tool=CodeExecutionTool(sandbox="required"))
    assert not mark.exists()


def test_a_kind_of_sandbox_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    without_sandboxes(monkeypatch)
    with pytest.raises(SandboxError, match=r"offers no sandbox \(bubblewrap\)"):
        run("print(1)", tool=CodeExecutionTool(sandbox="bubblewrap"))


def test_an_interpreter_that_does_not_start_is_an_error(tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\nexit 3\n")
    program.chmod(0o755)
    for python, says in ((str(tmp_path / "missing"), "cannot be started"), (str(program), "is no Python that works")):
        with pytest.raises(SandboxError, match=says):
            run("print(1)", tool=CodeExecutionTool(python=python))


def test_another_interpreter_with_packages_of_its_own(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / "venv")], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    [packages] = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    (packages / "only_there.py").write_text("HERE = 'yes'\n")
    link = tmp_path / "link"
    link.symlink_to(python)
    tool = CodeExecutionTool(python=str(python))
    assert run("import only_there, sys; print(only_there.HERE)", tool=tool)["stdout"] == "yes\n"
    assert run("print(1)", tool=CodeExecutionTool(python=str(link)))["stdout"] == "1\n"


def test_on_windows_it_says_where_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_execution, "os", SimpleNamespace(name="nt"))
    with pytest.raises(SkillSetupError, match="runs on Linux and macOS, not on"):
        run("print(1)")


def test_elsewhere_there_are_limits_but_no_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing.sys, "platform", "darwin")
    monkeypatch.setattr(namespaces.platform, "system", lambda: "Darwin")
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda _: None)
    [only] = choosing.candidates()
    assert (only.kind, only.not_isolated) == ("none", ["network", "files", "processes"])
    spec = choosing.specification(only, Scratch("/folder", None), 5, SandboxLimits(), Interpreter(sys.executable, ()))
    assert set(spec["limits"]) == {"cpu", "file_size", "open_files"}


@pytest.mark.parametrize(
    ("release", "machine", "offered"),
    [
        ("5.14.0-70.el9", "x86_64", True),
        ("5.13.9", "x86_64", False),
        ("6.1", "aarch64", True),
        ("4.18.0-513.el8", "x86_64", False),
        ("6.1.0", "mips64", False),
        ("10.0-rc1", "riscv64", True),
    ],
)
def test_which_kernels_offer_namespaces(
    release: str, machine: str, offered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(namespaces.platform, "release", lambda: release)
    monkeypatch.setattr(namespaces.platform, "machine", lambda: machine)
    assert namespaces.supported() is offered


def test_a_deep_folder_is_removed(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    kept = tmp_path / "kept"
    kept.write_text("kept")
    code = f"""
import os
os.chdir({str(top)!r})
for number in range(1500):
    os.mkdir("deeper" * 10)
    os.symlink({str(kept)!r}, "link")
    os.symlink({str(tmp_path)!r}, "folder")
    os.chdir("deeper" * 10)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    remove(str(top))
    assert sorted(os.listdir(tmp_path)) == ["kept"]


def test_what_is_no_folder_but_leads_to_one_is_not_emptied(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir(mode=0o755)
    (kept / "file").touch()
    link = tmp_path / "link"
    link.symlink_to(kept)
    remove(str(link))
    assert (os.listdir(tmp_path), os.listdir(kept), kept.stat().st_mode & 0o777) == (["kept"], ["file"], 0o755)


def test_a_link_that_takes_the_place_of_a_folder_meanwhile_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, top = tmp_path / "kept", tmp_path / "top"
    kept.mkdir()
    (kept / "file").touch()
    (top / "inside").mkdir(parents=True)
    rename = os.rename

    def swaps(source: str, target: str, **more: int) -> None:
        (top / "inside").rmdir()
        (top / "inside").symlink_to(kept)
        rename(source, target, **more)

    monkeypatch.setattr(os, "rename", swaps)
    with pytest.raises(OSError, match="Not a directory"):
        remove(str(top))
    assert os.listdir(kept) == ["file"]


def test_runs_of_a_program_of_roots_are_different_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch, "_PASSING_USERS", range(100, 102))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    for _ in range(5):
        with scratch._passing_user() as one, scratch._passing_user() as other:
            assert {one, other} == {100, 101}


def test_a_folder_that_cannot_be_removed_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuses(_folder: str) -> None:
        raise PermissionError("no")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "remove", refuses)
    assert run("print(1)")["stdout"] == "1\n"
    assert "could not be removed" in caplog.text


def test_cancelling_again_and_again_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    mark = f"mark-{time.monotonic_ns()}"

    async def cancelled() -> None:
        code = (
            f"import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)', {mark!r}])"
        )
        task = asyncio.ensure_future(TOOL.run(code, 30.0))
        while not processes_with(mark):
            await asyncio.sleep(0.02)
        while not task.done():
            task.cancel()
            await asyncio.sleep(0.001)
        assert task.cancelled()
        assert processes_with(mark) == []

    asyncio.run(asyncio.wait_for(cancelled(), 30))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("machine", ["x86_64", "aarch64", "riscv64", "s390x"])
def test_filters_are_whole(machine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No jump leads out of a filter, which the kernel would refuse; it ends by allowing what it does not name."""
    monkeypatch.setattr(filtering.platform, "machine", lambda: machine)
    made = [struct.unpack("=HBBI", filtering.program()[at : at + 8]) for at in range(0, len(filtering.program()), 8)]
    assert bool(made) is (machine != "s390x")
    for at, (code, if_true, if_false, _) in enumerate(made):
        assert code in (0x20, 0x06) or at + 1 + max(if_true, if_false) < len(made)
    assert made[-1:] in ([], [(0x06, 0, 0, 0x7FFF0000)])


def test_the_launcher_loads_little() -> None:
    """It is loaded for each run, so it must not bring in the skills, nor asyncio."""
    root = str(Path(lauren_runtime.__file__).parent.parent)
    code = f"import sys; sys.path.append({root!r}); import lauren_runtime.sandbox.supervising; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True).stdout.split()
    assert "lauren_runtime.sandbox.supervising" in loaded
    assert not [name for name in loaded if name.startswith(("lauren_runtime.skills", "asyncio", "inspect"))]
