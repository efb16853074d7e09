"""`[tool.lauren-compile]` and the command line, merged."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from lauren_compiler.config import CommandLine, Loaded, UsageError, load
from lauren_compiler.diagnostics.model import Level

TARGETS = ("anthropic", "openai", "mcp")


def project(folder: Path, table: str = "", *, files: tuple[str, ...] = ("tools/a.py",)) -> Path:
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    (folder / "pyproject.toml").write_text(f"[tool.lauren-compile]\n{table}", encoding="utf-8")
    return folder


def loaded(folder: Path, *paths: str, **rest: object) -> Loaded:
    command = CommandLine(paths=paths, directory=folder, **rest)  # type: ignore[arg-type]
    return load(command, known_targets=TARGETS)


def problems(folder: Path, table: str) -> list[tuple[str, int, str]]:
    found = loaded(project(folder, table)).diagnostics
    return [(d.rule.code, d.span.start.line, d.message) for d in found]


def test_everything_at_once(tmp_path: Path) -> None:
    table = f"""
sources = ["tools"]
exclude = ["tests/**"]
out = "build/lauren_out"
roots = ["tools"]
targets = ["openai", "mcp"]
python = "{sys.executable}"
cache-dir = ".cache"
decorators = ["my.tool"]
warnings-as-errors = true
levels = {{ LC402 = "off", other-runtime-name = "warning" }}
[tool.lauren-compile.target.openai]
[tool.lauren-compile.per-file-ignores]
"tools/*.py" = ["missing-description"]
"""
    found = loaded(project(tmp_path, table))
    assert found.diagnostics == ()
    config = found.config
    assert config.sources == (tmp_path / "tools",)
    assert config.named == frozenset()
    assert config.project == tmp_path
    assert config.exclude == ("tests/**",)
    assert config.out == tmp_path / "build" / "lauren_out"
    assert config.roots == (tmp_path / "tools",)
    assert (config.targets, config.targets_named) == (("openai", "mcp"), True)
    assert config.python == Path(sys.executable)
    assert config.cache_dir == tmp_path / ".cache"
    assert config.decorators == ("my.tool",)
    assert config.warnings_as_errors
    assert config.levels == {"LC402": None, "LC419": Level.WARNING}
    assert config.target_options == {"openai": {}}
    assert config.per_file_ignores == {"tools/*.py": ("LC402",)}


def test_the_command_line_wins_and_counts_from_the_working_directory(tmp_path: Path) -> None:
    project(tmp_path, 'out = "configured"\nroots = ["tools"]\ntargets = ["mcp"]\nsources = ["nowhere"]\n')
    here = tmp_path / "tools"
    config = loaded(here, "a.py", out="mine", roots=("..",), targets=("openai", "openai")).config
    assert config.sources == (here / "a.py",)
    assert config.named == frozenset(config.sources)
    assert config.out == here / "mine"
    assert config.roots == (tmp_path,)
    assert (config.targets, config.targets_named) == (("openai",), True)


def test_the_pyproject_nearest_to_the_first_path_counts(tmp_path: Path) -> None:
    outer, inner = project(tmp_path), project(tmp_path / "inner", 'out = "inner_out"\n')
    assert loaded(outer, "inner/tools").config.out == inner / "inner_out"
    assert loaded(outer, "tools", "inner/tools").config.out == outer / "lauren_build"
    assert loaded(inner, str(outer / "tools")).config.project == outer


def test_without_paths_the_working_directory_counts(tmp_path: Path) -> None:
    project(tmp_path)
    assert loaded(tmp_path / "tools").config.sources == (tmp_path,)


def test_without_any_pyproject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["lauren_compiler.config.load"], "nearest", lambda start: None)
    (tmp_path / "a.py").touch()
    config = loaded(tmp_path, "a.py").config
    assert (config.project, config.out, config.targets_named) == (None, tmp_path / "lauren_build", False)
    with pytest.raises(UsageError, match="no PATH given"):
        loaded(tmp_path)


@pytest.mark.parametrize(
    ("table", "code", "line", "message"),
    [
        ('source = ["tools"]\n', "LC001", 2, "`source` is no setting of lauren-compile"),
        ('targets = "openai"\n', "LC002", 2, "`targets` takes a list of targets"),
        ('# a comment\n\ntargets = [\n  "openai",\n  "opnai"]\n', "LC002", 6, "`opnai` is no known target"),
        ("warnings-as-errors = 1\n", "LC002", 2, "`warnings-as-errors` takes true or false"),
        ("sources = [1]\n", "LC002", 2, "`sources` takes a list of files and folders"),
        ('sources = ["nowhere"]\n', "LC002", 2, "no such file or folder: nowhere"),
        ('python = "./no-such-python"\n', "LC002", 2, "no such interpreter: ./no-such-python"),
        ('[tool.lauren-compile.levels]\nLC402 = "of"\n', "LC002", 3, "`of` is no level: error, warning, note or off"),
        ('levels = { LC999 = "off" }\n', "LC002", 2, "`LC999` is no rule"),
        (
            'levels.unsupported-type = "off"\n',
            "LC002",
            2,
            "LC301 (unsupported-type) is an error that can't be silenced or re-levelled",
        ),
        ("[tool.lauren-compile.target.opnai]\nstrict = true\n", "LC002", 2, "`opnai` is no known target"),
        ("target.mcp.strict = true\n", "LC001", 2, "`strict` is no option of the target `mcp`"),
        ('per-file-ignores = { "a.py" = "LC402" }\n', "LC002", 2, None),
        ('formatter = "ruff format"\n', "LC002", 2, None),
        ('types = { "a.B" = "str" }\n', "LC002", 2, None),
    ],
)
def test_faults_are_found_at_their_line(tmp_path: Path, table: str, code: str, line: int, message: str | None) -> None:
    ((found_code, found_line, found_message),) = problems(tmp_path, table)
    assert (found_code, found_line) == (code, line)
    assert message is None or found_message == message


def test_did_you_mean(tmp_path: Path) -> None:
    (found,) = loaded(project(tmp_path, "warnings_as_errors = true\n")).diagnostics
    assert found.help == "did you mean `warnings-as-errors`?"


@pytest.mark.parametrize(
    ("content", "line"), [(b"[tool.lauren-compile]\nout = \n", 2), (b"[tool\n", 1), (b"x = '\xff'\n", 1), (b"x = [", 1)]
)
def test_what_is_no_toml_is_a_diagnostic(tmp_path: Path, content: bytes, line: int) -> None:
    project(tmp_path)
    (tmp_path / "pyproject.toml").write_bytes(content)
    (found,) = loaded(tmp_path).diagnostics
    assert (found.rule.code, found.span.path, found.span.start.line) == ("LC002", "pyproject.toml", line)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"targets": ("opnai",)}, "did you mean `openai`"),
        ({"python": "./no-such-python"}, "no such interpreter"),
        ({"roots": ("nowhere",)}, "no such file or folder: nowhere"),
    ],
)
def test_wrong_command_lines(tmp_path: Path, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        loaded(project(tmp_path), **arguments)
    with pytest.raises(UsageError, match=r"no such file or folder: gone\.py"):
        loaded(tmp_path, "gone.py")
