"""What only a process of its own shows: closed pipes, terminals, encodings, what is imported."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "lauren_compiler"]


def run(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *arguments], capture_output=True, cwd=cwd, env={**os.environ, **environment}, check=False
    )


def test_a_closed_pipe_is_no_traceback(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "explain", "LC301"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode in (0, 2)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_terminal_of_another_encoding_gets_escapes(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.lauren-compile]\n"größe\U0001f600" = 1\n', encoding="utf-8")
    ended = run("check", ".", cwd=tmp_path, PYTHONIOENCODING=encoding)
    assert ended.returncode == 1
    assert b"Traceback" not in ended.stderr
    assert b"LC001" in ended.stderr
    assert ended.stderr.decode(encoding)


def on_a_terminal(arguments: list[str], cwd: Path, **environment: str) -> bytes:
    """What a command writes to a terminal that is its stderr."""
    ours, theirs = pty.openpty()
    settings = {**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment}
    process = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.DEVNULL, stderr=theirs, cwd=cwd, env=settings)
    os.close(theirs)
    pieces: list[bytes] = []
    try:
        while piece := os.read(ours, 4096):
            pieces.append(piece)
    except OSError:
        pieces.append(b"")  # Linux's way of saying that the other end is closed
    os.close(ours)
    process.wait()
    return b"".join(pieces)


def test_colour_is_for_terminals_only(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.lauren-compile]\nx = 1\n", encoding="utf-8")
    assert b"\x1b[" in on_a_terminal(["check", "."], tmp_path)
    assert b"\x1b[" not in on_a_terminal(["check", "."], tmp_path, NO_COLOR="1")
    assert b"\x1b[" not in on_a_terminal(["check", "."], tmp_path, TERM="dumb")
    assert b"\x1b[" not in on_a_terminal(["check", ".", "--format", "concise"], tmp_path)
    assert b"\x1b[" not in run("check", ".", cwd=tmp_path).stderr


@pytest.mark.parametrize("arguments", [["explain", "LC301"], ["--help"]])
def test_small_commands_import_little(tmp_path: Path, arguments: list[str]) -> None:
    script = f"""
import json, sys
from lauren_compiler.commands.main import main
main({arguments!r})
print(json.dumps(sorted(sys.modules)))
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=True)
    modules = set(json.loads(ended.stdout.splitlines()[-1]))
    heavy = {"jsonschema", "jinja2", "lauren_runtime", "docstring_parser", "asyncio", "lauren_compiler.pipeline"}
    assert modules & heavy == set()


def test_the_compiler_never_loads_the_runtime(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(
        "from lauren_runtime import tool\n@tool()\ndef f() -> str:\n    'F.'\n    return ''\n"
    )
    script = """
import sys
from lauren_compiler.commands.main import main
assert main(["a.py", "-q", "--python", sys.executable]) == 0
sys.exit("lauren_runtime" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=False).returncode == 0


# What reads a part of the language, or of a library, that these sources have nothing of.
_UNUSED = frozenset(
    f"lauren_compiler.{name}"
    for name in """
    driver.compare emit.wiring.module injection.application injection.bindings injection.checks
    ir.graph ir.pprint ir.stated lower.agents.lowering lower.computed_makers lower.documented_types
    lower.injection.graph lower.lists lower.option_checks lower.passed_on lower.replaced lower.stated_input
    lower.wrappers pipeline.shared semantics.adapting semantics.built semantics.call_sites semantics.classes.attrs_class
    semantics.classes.dataclass_call semantics.classes.enum_calls semantics.classes.named_tuple
    semantics.classes.struct semantics.classes.typed_dict semantics.field_keywords semantics.functions
    semantics.elsewhere semantics.instances semantics.metadata_calls semantics.metadata_items semantics.operations
    semantics.pydantic_forms semantics.pydantic_types semantics.tuples
    syntax.docstrings.package syntax.finders syntax.imports_inside targets.agents units.shares
    """.split()
)
_KINDS = frozenset(f"lauren_compiler.semantics.classes.{kind}" for kind in ("dataclass", "enums", "pydantic_model"))


@pytest.mark.parametrize(("kind", "needed"), [("", set[str]()), ("class", {"enums"}), ("dataclass", {"dataclass"})])
def test_a_compile_imports_what_its_sources_need(tmp_path: Path, kind: str, needed: set[str]) -> None:
    declared = {
        "": "",
        "class": "import enum\n\nclass Kind(enum.Enum):\n    A = 'a'\n",
        "dataclass": "from dataclasses import dataclass\n\n@dataclass\nclass Kind:\n    a: int\n",
    }[kind]
    annotation = "Kind" if kind else "list[int] | None"
    text = '"""F.\n\n    Args:\n        a: One.\n        b: Two.\n    """\n    return f"{a} {b}"\n'
    tool = f"from lauren_runtime import tool\n\n@tool()\nasync def f(a: {annotation}, b: int = 2) -> str:\n    {text}"
    (tmp_path / "a.py").write_text(f"{declared}{tool}")
    script = """
import json, sys
from lauren_compiler.commands.main import main
assert main(["a.py", "-q", "--no-cache"]) == 0
print(json.dumps(sorted(sys.modules)))
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=True)
    modules = set(json.loads(ended.stdout.splitlines()[-1]))
    assert modules & _UNUSED == set()
    assert modules & _KINDS == {f"lauren_compiler.semantics.classes.{name}" for name in needed}


def test_an_interrupt_before_anything_is_loaded_is_no_traceback(tmp_path: Path) -> None:
    script = """
import sys
from lauren_compiler import entry

def before(_):
    raise KeyboardInterrupt

entry.before = before
sys.exit(entry.entry())
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (ended.returncode, ended.stderr) == (130, "lauren-compile: interrupted\n")


def modules_of_a_build(folder: Path) -> set[str]:
    """What a process that builds in a folder has loaded when it ends."""
    script = """
import os, sys
os._exit = lambda status: print(status, *sorted(sys.modules), flush=True)
from lauren_compiler.entry import entry
sys.argv[1:] = ["build", "-q"]
entry()
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=folder, check=True)
    status, *modules = ended.stdout.split()
    assert status == "0"
    return set(modules)


def test_a_build_with_nothing_to_do_imports_nothing_that_others_wrote(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.lauren-compile]\ntargets = ["mcp"]\n')
    (tmp_path / "a.py").write_text("from lauren_runtime import tool\n\n@tool()\ndef f(a: int) -> str:\n    'F.'\n")
    modules_of_a_build(tmp_path)
    ended = subprocess.run([sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, check=True)
    new = modules_of_a_build(tmp_path) - set(ended.stdout.decode().split())
    ours = {name for name in new if name.startswith("lauren_compiler")}
    digesting = {"hashlib", "_hashlib", "_blake2"}  # files as young as these are read again
    assert new - ours - digesting <= {"__future__", "gc", "zlib"}
    assert {name.split(".")[1] for name in ours if "." in name} == {"entry", "runs", "source"}


_EDITED = """from lauren_runtime import tool


@tool()
def f(a: int) -> str:
    'F.'
    return ''
"""


def test_a_build_after_an_edit_imports_little(tmp_path: Path) -> None:
    """Nothing that reads a command line, renders templates, or finds near words; and no second `typing`."""
    (tmp_path / "pyproject.toml").write_text('[tool.lauren-compile]\ntargets = ["mcp"]\n')
    (tmp_path / "a.py").write_text(_EDITED)
    modules_of_a_build(tmp_path)
    for old, new in (
        ("'F.'", "'G.'"),
        ("return ''", "return 'a'"),
        ("def f", "\n# f\ndef f"),
        ("tool()", "tool(timeout=2)"),
    ):
        (tmp_path / "a.py").write_text(_EDITED.replace(old, new))
        modules = modules_of_a_build(tmp_path)
        assert {"argparse", "difflib", "jinja2", "typing_extensions", "jsonschema", "tomllib"}.isdisjoint(modules)
        assert_built_as_anew(tmp_path)


@pytest.mark.parametrize(
    "text",
    [_EDITED.replace("int", "str"), _EDITED.replace("f(", "g("), f"{_EDITED}\n{_EDITED.replace('f(', 'g(')}"],
    ids=["type", "name", "another"],
)
def test_a_build_after_an_edit_renders_what_is_new(tmp_path: Path, text: str) -> None:
    (tmp_path / "pyproject.toml").write_text('[tool.lauren-compile]\ntargets = ["mcp"]\n')
    (tmp_path / "b.py").write_text(_EDITED.replace("f(", "b("))
    (tmp_path / "a.py").write_text(_EDITED)
    modules_of_a_build(tmp_path)
    (tmp_path / "a.py").write_text(text)
    assert "jinja2" in modules_of_a_build(tmp_path)
    assert_built_as_anew(tmp_path)
    (tmp_path / "a.py").write_text(text.replace("'F.'", "'G.'"))  # what was rendered last is known too
    assert "jinja2" not in modules_of_a_build(tmp_path)
    assert_built_as_anew(tmp_path)


def assert_built_as_anew(folder: Path) -> None:
    """The output is what a build of everything makes."""
    built = {path: path.read_bytes() for path in (folder / "lauren_build").rglob("*") if path.is_file()}
    assert run("--no-cache", "-q", cwd=folder).returncode == 0
    assert {path: path.read_bytes() for path in (folder / "lauren_build").rglob("*") if path.is_file()} == built


_TOOL = 'from lauren_runtime import tool\n\n\n@tool()\ndef f(x: complex) -> str:\n    """F."""\n    return ""\n'
_ALL = [
    ["check", "a.py"],
    ["check", "a.py", "--format", "json"],
    ["explain"],
    ["show", "a.py"],
    ["--help"],
    ["nowhere"],
]


def in_a_shell(arguments: list[str], redirections: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    line = f'exec "$@" {redirections}'
    return subprocess.run(
        ["sh", "-c", line, "sh", *COMMAND, *arguments], capture_output=True, text=True, cwd=cwd, check=False
    )


@pytest.mark.parametrize("arguments", _ALL, ids=" ".join)
@pytest.mark.parametrize("redirections", ["1>&-", "2>&-", "1>&- 2>&-", "0<&- 1>&- 2>&-"])
def test_a_process_without_streams_ends_as_with_them(tmp_path: Path, arguments: list[str], redirections: str) -> None:
    (tmp_path / "a.py").write_text(_TOOL)
    with_them, without = (in_a_shell(arguments, text, tmp_path) for text in ("", redirections))
    assert without.returncode == with_them.returncode
    assert without.stdout == ("" if "1>" in redirections else with_them.stdout)
    assert without.stderr == ("" if "2>" in redirections else with_them.stderr)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has it; CI runs there")
@pytest.mark.parametrize("arguments", _ALL, ids=" ".join)
@pytest.mark.parametrize("buffered", ["", "1"])
def test_a_full_disk_behind_a_stream_is_no_fault_of_ours(tmp_path: Path, arguments: list[str], buffered: str) -> None:
    (tmp_path / "a.py").write_text(_TOOL)
    line = f"PYTHONUNBUFFERED={buffered}; export PYTHONUNBUFFERED; "
    usual = in_a_shell(arguments, "", tmp_path)
    full = subprocess.run(
        ["sh", "-c", line + 'exec "$@" >/dev/full', "sh", *COMMAND, *arguments],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    said = "lauren-compile: standard output can't be written: No space left on device\n"
    assert full.stderr == usual.stderr + (said if usual.stdout else "")
    assert full.returncode == (2 if usual.stdout else usual.returncode)
    both = in_a_shell(arguments, ">/dev/full 2>&1", tmp_path)
    assert both.returncode == 2
    assert both.stdout == both.stderr == ""


def test_a_run_that_is_told_again_needs_its_streams_too(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(_TOOL.replace("complex", "int"))
    assert run("build", "a.py", cwd=tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache")).returncode == 0
    line = 'exec "$@" >/dev/full'
    again = subprocess.run(
        ["sh", "-c", line, "sh", *COMMAND, "build", "a.py"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        check=False,
    )
    assert again.returncode == 2
    assert again.stderr == "lauren-compile: standard output can't be written: No space left on device\n"


@pytest.mark.parametrize("command", ["build", "check", "show", "watch", "validate", "call"])
def test_a_working_directory_that_is_gone_is_said(tmp_path: Path, command: str) -> None:
    (tmp_path / "gone").mkdir()
    rest = {"validate": [str(tmp_path)], "call": [str(tmp_path), "f", "{}"]}.get(command, [])
    line = f'cd {tmp_path}/gone && rmdir {tmp_path}/gone && exec "$@"'
    ended = subprocess.run(
        ["sh", "-c", line, "sh", *COMMAND, command, *rest], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr == "lauren-compile: the working directory can't be read: No such file or directory\n"
