"""`[tool.lauren-compile]` and the command line, merged."""

from __future__ import annotations

import os
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
target-runtime = "lauren-ai"
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
    assert config.target_runtime == "lauren-ai"
    assert config.python == Path(sys.executable)
    assert config.cache_dir == tmp_path / ".cache"
    assert [each.name for each in config.decorators] == ["my.tool"]
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
    assert config.outputs == (here / "mine", tmp_path / "configured")
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
    monkeypatch.setattr(sys.modules["lauren_compiler.config.load"], "nearest", lambda start, files: None)
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
        ('target-runtime = ["lauren-ai"]\n', "LC002", 2, "`target-runtime` takes the name of a runtime"),
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
        ('roots = ["tools", "nope"]\n', "LC002", 2, "no such folder: nope"),
        ('roots = ["tools/a.py"]\n', "LC002", 2, "no such folder: tools/a.py"),
        ('exclude = [\n"x",\n""]\n', "LC002", 4, "an empty text in `exclude` means nothing"),
        ('out = "a\\u0000/b"\n', "LC002", 2, "`out` takes a folder"),
        ('sources = ["a\\u0000b"]\n', "LC002", 2, "no such file or folder: a\0b"),
        ('roots = ["a\\u0000b"]\n', "LC002", 2, "no such folder: a\0b"),
        ('sources = [""]\n', "LC002", 2, "an empty text in `sources` means nothing"),
        ('decorators = [" "]\n', "LC002", 2, "an empty text in `decorators` means nothing"),
        (
            'per-file-ignores = { "" = ["LC402"] }\n',
            "LC002",
            2,
            "an empty text in `per-file-ignores` means nothing",
        ),
        (
            '[tool.lauren-compile.levels]\nmissing-description = "error"\nLC402 = "off"\n',
            "LC002",
            4,
            "the level of LC402 is set twice, by code and by name",
        ),
        ('formatter = "ruff format"\n', "LC002", 2, None),
        ('types = { "a.B" = "str" }\n', "LC002", 2, None),
        ('[tool.lauren-compile.types]\n"a.B" = { schema = {}, convertor = "a:b" }\n', "LC001", 3, None),
        ("types = { B = { schema = {} } }\n", "LC002", 2, "`B` is no dotted name of a type: a module and a name in it"),
        ('types = { "a.B" = {} }\n', "LC002", 2, "the entry of `a.B` needs a `schema`"),
        (
            'types = { "a.B" = { schema = {}, converter = "a.b" } }\n',
            "LC002",
            2,
            "`converter` takes a function as `module:name`",
        ),
    ],
)
def test_faults_are_found_at_their_line(tmp_path: Path, table: str, code: str, line: int, message: str | None) -> None:
    ((found_code, found_line, found_message),) = problems(tmp_path, table)
    assert (found_code, found_line) == (code, line)
    assert message is None or found_message == message


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("tool = 5\n", 1, "`tool` takes a table"),
        ("\n[tool]\nlauren-compile = 5\n", 3, "`tool.lauren-compile` takes a table"),
        ("[[tool.lauren-compile]]\n", 1, "`tool.lauren-compile` takes a table"),
        (f"x = {'[' * 2000}{']' * 2000}\n", 1, "pyproject.toml is nested too deep to be read"),
        (f"{'x = {' + 'a = {' * 400}{'}' * 401}\n", 1, "pyproject.toml is nested too deep to be read"),
    ],
)
def test_what_is_no_table_or_too_deep(tmp_path: Path, content: str, line: int, message: str) -> None:
    project(tmp_path)
    (tmp_path / "pyproject.toml").write_text(content, encoding="utf-8")
    (found,) = loaded(tmp_path).diagnostics
    assert (found.rule.code, found.span.start.line, found.message) == ("LC002", line, message)


def test_a_pyproject_that_is_no_file(tmp_path: Path) -> None:
    file = tmp_path / "inner" / "pyproject.toml"
    project(tmp_path)
    file.parent.mkdir()
    os.mkfifo(file)
    for _ in range(2):
        (found,) = loaded(file.parent).diagnostics
        assert (found.rule.code, found.message) == ("LC002", "pyproject.toml can't be read: it is no regular file")
        file.unlink()
        file.symlink_to("/dev/zero")
    file.unlink()
    file.symlink_to("nowhere")
    (found,) = loaded(file.parent).diagnostics
    assert found.message == "pyproject.toml can't be read: No such file or directory"


def test_a_device_among_the_sources_is_left_to_the_reader(tmp_path: Path) -> None:
    found = loaded(project(tmp_path, 'sources = ["/dev/zero"]\n'))
    assert (found.diagnostics, found.config.sources) == ((), (Path("/dev/zero"),))


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
        ({"roots": ("tools/a.py",)}, r"no folder: tools/a\.py"),
        ({"out": ""}, "-o takes a folder"),
        ({"paths": ("",)}, "no such file or folder: ''"),
        ({"paths": ("a\0b",)}, "no such file or folder: a"),
        ({"paths": ("/dev/zero",)}, "neither a file nor a folder: /dev/zero"),
        ({"paths": ("x" * 5000,)}, r"can't be reached \(File name too long\)"),
    ],
)
def test_wrong_command_lines(tmp_path: Path, arguments: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        load(CommandLine(directory=project(tmp_path), **arguments), known_targets=TARGETS)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"no such file or folder: gone\.py"):
        loaded(tmp_path, "gone.py")


@pytest.mark.parametrize(
    ("lines", "code", "help"),
    [
        ('sources = "tools"', "LC002", 'write a list: `sources = ["tools"]`'),
        ('target = ["mcp"]', "LC002", "did you mean `targets`?"),
        ('levels = {LC999 = "off"}', "LC002", "`lauren-compile explain` lists all rules"),
        ('levels = {missing-descriptio = "off"}', "LC002", "did you mean `missing-description`?"),
        ('per-file-ignores = {"*" = ["LC4"]}', "LC002", "`lauren-compile explain` lists all rules"),
        ('out = ["a"]', "LC002", None),
    ],
)
def test_what_was_meant(tmp_path: Path, lines: str, code: str, help: str | None) -> None:
    (found,) = loaded(project(tmp_path, f"{lines}\n")).diagnostics
    assert (found.rule.code, found.help) == (code, help)


@pytest.mark.parametrize("name", ["lauren_compile", "Lauren-Compile", "laurencompile", "lauren_compiler"])
def test_a_table_under_a_similar_name_is_not_passed_over(tmp_path: Path, name: str) -> None:
    project(tmp_path)
    (tmp_path / "pyproject.toml").write_text(f'[project]\nname = "x"\n\n[tool.{name}]\nsources = ["tools"]\n')
    (found,) = loaded(tmp_path).diagnostics
    assert (found.rule.code, found.message) == ("LC001", f"`[tool.{name}]` is not read")
    assert found.span.start.line == 4


def test_tables_of_others_are_left_alone(tmp_path: Path) -> None:
    project(tmp_path)
    (tmp_path / "pyproject.toml").write_text("[tool.lauren]\nx = 1\n\n[tool.lauren-lint]\ny = 1\n")
    assert loaded(tmp_path).diagnostics == ()


def test_no_targets_at_all(tmp_path: Path) -> None:
    assert problems(tmp_path, "targets = []") == [("LC002", 2, "`targets` names no target")]


def test_sources_above_all_projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    folder = home / "work" / "shop"
    folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    assert problems(folder, 'sources = [".."]') == []
    for above in ("../..", "../../..", "/"):
        message = f"this is a folder that everything of a user lies in: {above}"
        assert problems(folder, f'sources = ["{above}"]') == [("LC002", 2, message)]
    monkeypatch.setenv("HOME", str(folder))
    assert problems(folder, 'sources = ["."]') == []
