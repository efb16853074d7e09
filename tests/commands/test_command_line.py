"""Exit statuses, streams and formats of the command line, with phases that give what each test needs."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from lauren_compiler.diagnostics.rules import ALL, tools, types
from lauren_compiler.emit.artifact import Artifact
from lauren_compiler.ir.verify import InvariantError
from lauren_compiler.lower.program import Counts
from lauren_compiler.source.span import Position, Span

HERE = Span("tools.py", Position(1, 5), Position(1, 6))
ERROR = types.UNSUPPORTED_TYPE.at(HERE, "no JSON form")
WARNING = tools.MISSING_DESCRIPTION.at(HERE, "no description")


def artifacts(**files: str) -> tuple[Artifact, ...]:
    contents = {f"schemas/{name}.json": text.encode() for name, text in files.items()}
    listed = {path: hashlib.sha256(text).hexdigest() for path, text in contents.items()}
    manifest = json.dumps({"format": 1, "files": listed}).encode()
    return (*(Artifact(path, text) for path, text in contents.items()), Artifact("manifest.json", manifest))


@pytest.fixture
def clean(phases: Any) -> Any:
    phases.artifacts = artifacts(f="{}\n")
    return phases


@pytest.mark.parametrize("arguments", [("build", "tools.py"), ("tools.py",), (), ("-q", "tools.py")])
def test_a_build_is_the_default(project: Path, clean: Any, command: Any, arguments: tuple[str, ...]) -> None:
    ended = command(*arguments)
    assert (ended.status, ended.err) == (0, "")
    assert (project / "lauren_build" / "schemas" / "f.json").read_bytes() == b"{}\n"
    assert ("written to lauren_build" in ended.out) == ("-q" not in arguments)


def test_summary(project: Path, clean: Any, command: Any) -> None:
    clean.tools = Counts(4, 1, 1)
    assert command("tools.py").out == (
        "4 tools found: 1 compiled, 2 refused, 1 not decidable\nmodules: tools\n2 files written to lauren_build, "
        "0 unchanged\n"
    )


def test_the_summary_of_a_large_project_names_a_few_modules(project: Path, clean: Any, command: Any) -> None:
    clean.modules = tuple(f"m{number}" for number in range(20))
    assert "m18, m19\n" in command("tools.py").out
    clean.modules = tuple(f"m{number}" for number in range(300))
    assert "m18, m19, and 280 more (all with -v)\n" in command("tools.py").out
    assert "m298, m299\n" in command("tools.py", "-v").out


def test_the_summary_names_what_has_to_be_bound(project: Path, clean: Any, command: Any) -> None:
    clean.bound = ("save", "send")
    assert "\nin no provider's file, for TABLE.bind: save, send\n" in command("tools.py").out


def test_errors_write_nothing_and_leave_the_old_output(project: Path, clean: Any, command: Any) -> None:
    command("tools.py")
    clean.artifacts, clean.diagnostics = artifacts(g="{}\n"), (ERROR, WARNING)
    ended = command("tools.py")
    assert ended.status == 1
    assert "error[LC301]" in ended.err
    assert "warning[LC402]" in ended.err
    assert "nothing was written" in ended.out
    assert [path.name for path in (project / "lauren_build" / "schemas").iterdir()] == ["f.json"]


def test_warnings_as_errors_write_nothing(project: Path, clean: Any, command: Any) -> None:
    (project / "pyproject.toml").write_text("[tool.lauren-compile]\nwarnings-as-errors = true\n")
    clean.diagnostics = (WARNING,)
    assert command("tools.py").status == 1
    assert not (project / "lauren_build").exists()


def test_errors_of_the_configuration_are_reported_with_the_others(project: Path, clean: Any, command: Any) -> None:
    (project / "pyproject.toml").write_text('[tool.lauren-compile]\nsource = ["x"]\n')
    clean.diagnostics = (ERROR,)
    ended = command("tools.py", "--format", "concise")
    assert ended.status == 1
    assert ended.err == (
        "pyproject.toml:2:1: error[LC001] `source` is no setting of lauren-compile\n"
        "tools.py:1:5: error[LC301] no JSON form\n"
    )


def test_no_tools_is_a_warning(project: Path, phases: Any, command: Any) -> None:
    phases.tools = Counts(0, 0, 0)
    phases.artifacts = artifacts()
    ended = command("tools.py", "--format=concise")
    assert ended.status == 0
    assert "warning[LC003] no tools were found in tools.py" in ended.err


@pytest.mark.parametrize("format", ["json", "sarif"])
@pytest.mark.parametrize(
    ("arguments", "status"),
    [(("tools.py",), 1), (("check", "tools.py"), 1), (("gone.py",), 2), (("--nonsense",), 2), (("--target=x", "."), 2)],
)
def test_documents_whatever_the_status(
    project: Path, clean: Any, command: Any, format: str, arguments: tuple[str, ...], status: int
) -> None:
    clean.diagnostics = (ERROR,)
    ended = command(*arguments, "--format", format)
    assert ended.status == status
    document = json.loads(ended.out)
    assert document["version"] == {"json": 1, "sarif": "2.1.0"}[format]
    if format == "json":
        assert document["tools"] == (1 if status == 1 else 0)
        assert [found["code"] for found in document["diagnostics"]] == (["LC301"] if status == 1 else [])
        assert ("error" in document) == (status == 2)


def test_check_shows_the_difference_and_writes_nothing(project: Path, clean: Any, command: Any) -> None:
    command("tools.py")
    assert command("--check", "tools.py").status == 0
    clean.artifacts = artifacts(f='{"a": 1}\n', g="{}\n")
    ended = command("--check", "tools.py", "--format", "concise")
    assert ended.status == 1
    changed = "--- lauren_build/schemas/f.json\n+++ lauren_build/schemas/f.json\n@@ -1 +1,3 @@\n"
    assert f'{changed}-{{}}\n+{{\n+  "a": 1\n+}}\n' in ended.out
    assert "--- /dev/null\n+++ lauren_build/schemas/g.json\n" in ended.out
    assert ended.err == "lauren_build:1:1: error[LC901] 3 files are not what a build would write to `lauren_build`\n"
    assert (project / "lauren_build" / "schemas" / "f.json").read_bytes() == b"{}\n"


def test_check_reports_two_builds_in_one_folder(project: Path, clean: Any, command: Any) -> None:
    command("tools.py")
    (project / "lauren_build" / "schemas" / "f.json").write_text("[]\n")
    ended = command("--check", "tools.py", "--format", "concise")
    assert ended.status == 1
    assert "LC901" in ended.err
    assert "LC903" in ended.err


def test_check_names_the_files_that_validate_names(project: Path, command: Any) -> None:
    (project / "tools.py").write_text(
        'from lauren_runtime import tool\n\n@tool()\ndef f() -> str:\n    """F."""\n    return ""\n'
    )
    assert command("tools.py").status == 0
    (project / "lauren_build" / "schemas" / "left.json").write_text("{}\n")
    for arguments in (("--check", "tools.py"), ("validate", "lauren_build")):
        ended = command(*arguments)
        assert ended.status == 1
        assert "error[LC903]" in ended.err
        assert "schemas/left.json" in ended.err
    assert "lauren_build is up to date, but for 1 file of no build" in command("--check", "tools.py").out
    assert command("tools.py").status == 0
    assert (project / "lauren_build" / "schemas" / "left.json").exists()


def test_the_sources_of_a_package_are_not_built_over(project: Path, command: Any) -> None:
    (project / "pkg").mkdir()
    (project / "pkg" / "__init__.py").touch()
    (project / "pkg" / "tools.py").write_text("x = 1\n")
    (project / "link").symlink_to("nowhere")
    for out, place in (("pkg", "pkg/tools.py"), ("link", "link")):
        ended = command(".", "-o", out, "--format", "concise")
        assert ended.status == 1
        assert f"{place}:1:1: error[LC902]" in ended.err
    assert (project / "pkg" / "__init__.py").read_bytes() == b""


def test_check_of_nothing_built(project: Path, clean: Any, command: Any) -> None:
    assert command("--check", "tools.py").status == 1
    assert not (project / "lauren_build").exists()


@pytest.mark.parametrize(
    ("out", "code"), [("lauren-build", "LC006"), ("class", "LC006"), ("tools.py", "LC006"), ("taken", "LC902")]
)
def test_impossible_outputs(project: Path, clean: Any, command: Any, out: str, code: str) -> None:
    (project / "taken").touch()
    ended = command("tools.py", "-o", out, "--format", "concise")
    assert ended.status == 1
    assert f"error[{code}]" in ended.err


def test_an_internal_error_names_the_source_and_asks_for_a_report(project: Path, phases: Any, command: Any) -> None:
    def fail() -> None:
        place = HERE
        raise ZeroDivisionError(f"oh \x1b[2J {place.path}")

    phases.failure = fail
    ended = command("tools.py")
    assert ended.status == 2
    assert "internal error while compiling tools.py:1: ZeroDivisionError: oh \\x1b[2J" in ended.err
    assert "report it" in ended.err
    assert "Traceback" not in ended.err
    assert "Traceback" in command("tools.py", "-v").err


def test_a_broken_invariant_names_the_source(project: Path, phases: Any, command: Any) -> None:
    def fail() -> None:
        raise InvariantError("a union that is not flat", HERE)

    phases.failure = fail
    ended = command("tools.py", "--format", "json")
    assert ended.status == 2
    text = "internal error while compiling tools.py:1: InvariantError: a union that is not flat"
    assert json.loads(ended.out)["error"] == text
    assert text in ended.err


def test_an_interrupt_is_no_traceback(project: Path, phases: Any, command: Any) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    phases.failure = interrupt
    ended = command("tools.py")
    assert (ended.status, ended.err) == (130, "lauren-compile: interrupted\n")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("gone.py",), "no such file or folder: gone.py"),
        (("build", "--target", "antropic", "."), "did you mean `anthropic`?"),
        (("build", "--format", "xml", "."), "invalid choice: 'xml'"),
        (("explain", "LC999"), "no rule has the code or name `LC999`"),
        (("explain", "unresolved-nam"), "did you mean `unresolved-name`?"),
        (("validate", "gone"), "no such folder: gone"),
        (("validate",), "no such folder: lauren_build"),
        (("validate", "tools.py"), "tools.py is a file: give the folder of a build"),
        (("call", "tools.py", "f", "{}"), "no build in tools.py: it is a file, no folder"),
        (("call", "gone", "f", "{}"), "no build in gone: there is no such folder"),
        (("call", ".", "f", "{}"), "no build in .: it has no dispatch.py"),
        (("-j", "many", "."), "no number of processes"),
        (("-j", "0", "."), "no number of processes"),
    ],
)
def test_wrong_usage(project: Path, phases: Any, command: Any, arguments: tuple[str, ...], text: str) -> None:
    ended = command(*arguments)
    assert ended.status == 2
    assert text in ended.err
    assert ended.out == ""


def test_options_reach_the_phases(project: Path, clean: Any, command: Any) -> None:
    (project / "src").mkdir()
    options = (
        "--root",
        "src",
        "--target",
        "mcp",
        "--python",
        sys.executable,
        "--strict-discovery",
        "-j4",
        "--no-cache",
    )
    assert command("tools.py", *options).status == 0
    assert clean.config.roots == (project / "src",)
    assert clean.config.targets == ("mcp",)
    assert clean.config.python == Path(sys.executable)
    assert clean.config.strict_discovery


def test_explain_without_a_code_lists_all_of_them(command: Any) -> None:
    lines = command("explain").out.splitlines()
    assert len(lines) == len(ALL)
    assert "LC301  error    unsupported-type: a type has no JSON form" in [line[:58] for line in lines]


def test_a_misspelt_command_is_recognised(command: Any) -> None:
    assert command("bild").err.endswith("no such file or folder: bild\nas a command, did you mean `build`?\n")
    assert "as a command" not in command("nowhere/near").err


def test_explain_by_code_and_name(command: Any) -> None:
    by_code, by_name = command("explain", "lc301"), command("explain", "unsupported-type")
    assert by_code == by_name
    assert (by_code.status, by_code.err) == (0, "")
    assert by_code.out.startswith("# LC301: unsupported-type\n")


def test_help_and_version(command: Any) -> None:
    assert command("--help").status == 0
    ended = command("--version")
    assert ended.status == 0
    assert ended.out.startswith("lauren-compile ")
    for name in ("build", "check", "show", "validate", "call", "explain"):
        assert name in command("--help").out
        assert command(name, "--help").status == 0
