"""Where modules are looked for: folders in Python's order, `.pth` files, editable installs, stubs, environments."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Mapping
from pathlib import Path

import pytest
from lauren_compiler.config import CommandLine, load
from lauren_compiler.config.model import GivenEnvironment
from lauren_compiler.diagnostics.model import Diagnostic, Level
from lauren_compiler.pipeline import Outcome, run
from lauren_compiler.semantics.environment import Environment, ask, given, running
from lauren_compiler.semantics.modules import ModuleFinder
from lauren_compiler.source.filesystem import Disk

TOOL = """
from lauren_runtime import tool
{imports}

@tool()
def use(x: {type}) -> str:
    "Use."
    return ""
"""


def write(folder: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def built(project: Path, imports: str, type: str = "Thing", settings: str = "") -> Outcome:
    """A build of one tool in a project whose table has these settings."""
    write(project, {"tools.py": TOOL.format(imports=imports, type=type)})
    write(project, {"pyproject.toml": f"[tool.lauren-compile]\nsources = ['tools.py']\n{settings}\n"})
    loaded = load(CommandLine(directory=project))
    assert loaded.diagnostics == ()
    return run(loaded.config, directory=project)


def searching(*paths: Path, **more: str) -> str:
    """The settings of a given environment."""
    extra = "".join(f", {key} = {value!r}" for key, value in more.items())
    return f"environment = {{ search-path = {[str(path) for path in paths]!r}{extra} }}"


def only(outcome: Outcome) -> Diagnostic:
    (found,) = (each for each in outcome.diagnostics if each.level is Level.ERROR)
    return found


def kind(outcome: Outcome) -> str:
    assert outcome.diagnostics == ()
    return repr(outcome.toolset.tools[0].parameters[0].type)


def packages(environment: Path) -> Path:
    """The package folder of a virtual environment (`lib64` may be a link to `lib`)."""
    (site,) = (environment / "lib").glob("python3*/site-packages")
    return site


SITE = "site-packages"


def test_a_regular_package_wins_over_parts_of_a_namespace_before_it(tmp_path: Path) -> None:
    write(tmp_path / "a", {"ns/one.py": "Thing = int"})
    write(tmp_path / "b", {"ns/two.py": "Thing = str"})
    write(tmp_path / "c", {"ns/__init__.py": "Thing = bool"})
    parts = searching(tmp_path / "a", tmp_path / "b")
    assert "INTEGER" in kind(built(tmp_path / "p", "from ns.one import Thing", settings=parts))
    assert "STRING" in kind(built(tmp_path / "p", "from ns.two import Thing", settings=parts))
    assert "STRING" in kind(built(tmp_path / "p", "import ns.two", "ns.two.Thing", parts))
    whole = searching(tmp_path / "a", tmp_path / "b", tmp_path / "c")
    assert "BOOLEAN" in kind(built(tmp_path / "p", "from ns import Thing", settings=whole))
    assert only(built(tmp_path / "p", "from ns.one import Thing", settings=whole)).rule.code == "LC202"


def test_a_namespace_goes_on_in_the_sources(tmp_path: Path) -> None:
    write(tmp_path / "a", {"ns/one.py": "Thing = int"})
    write(tmp_path / "p", {"ns/two.py": "from ns.one import Thing"})
    assert "INTEGER" in kind(built(tmp_path / "p", "from ns.two import Thing", settings=searching(tmp_path / "a")))


def test_source_roots_come_first_and_in_order(tmp_path: Path) -> None:
    write(tmp_path / "a", {"thing.py": "Thing = int"})
    write(tmp_path / "p", {"one/thing.py": "Thing = str", "two/thing.py": "Thing = bool"})
    settings = searching(tmp_path / "a") + "\nroots = ['two', 'one', '.']"
    assert "BOOLEAN" in kind(built(tmp_path / "p", "from thing import Thing", settings=settings))


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"m.py": "Thing = int", "m.pyi": "Thing = str"}, "INTEGER"),
        ({"m.pyi": "Thing = str"}, "STRING"),
        ({"m.cpython-311.so": "", "m.pyi": "Thing = str"}, "STRING"),
        ({"m.so": "", "m-stubs/__init__.pyi": "Thing = str"}, "STRING"),
        ({"m-stubs/__init__.pyi": "Thing = str"}, "STRING"),
        ({"m/__init__.py": "Thing = int", "m-stubs/__init__.pyi": "Thing = str"}, "INTEGER"),
        ({"m/__init__.py": "vars()['Thing'] = int", "m-stubs/__init__.pyi": "Thing = str"}, "STRING"),
        ({"m/__init__.py": "def __getattr__(name): ...", "m/__init__.pyi": "Thing = str"}, "STRING"),
        ({"m/__init__.py": "from m._c import Thing", "m/_c.so": "", "m-stubs/_c.pyi": "Thing = str"}, "STRING"),
        ({"m/__init__.py": "from m._c import *", "m/_c.so": "", "m-stubs/_c.pyi": "Thing = str"}, "STRING"),
        ({"m/__init__.so": "", "m/__init__.pyi": "from .sub import Thing", "m/sub.py": "Thing = int"}, "INTEGER"),
        ({"m/py.typed": "", "m/__init__.py": "Thing = int"}, "INTEGER"),
        (
            {
                "m/__init__.py": "from .a import Thing",
                "m/a.py": "from .b import Thing",
                "m/b.py": "Thing = int",
                "m-stubs/py.typed": "partial\n",
                "m-stubs/a.pyi": "Thing = str",
            },
            "INTEGER",
        ),
    ],
)
def test_source_before_stub_before_what_is_compiled(tmp_path: Path, files: dict[str, str], expected: str) -> None:
    write(tmp_path / "a", files)
    settings = searching(tmp_path / "a")
    assert expected in kind(built(tmp_path / "p", "from m import Thing", settings=settings))
    assert expected in kind(built(tmp_path / "p", "import m as n", "n.Thing", settings))


def test_what_is_only_compiled_is_an_error_with_the_ways_out(tmp_path: Path) -> None:
    write(tmp_path / "a", {"m.so": ""})
    found = only(built(tmp_path / "p", "from m import Thing", settings=searching(tmp_path / "a")))
    assert found.rule.code == "LC204"
    assert found.help is not None
    assert "stub" in found.help
    assert "[tool.lauren-compile.types]" in found.help


def test_lines_of_path_files_are_folders(tmp_path: Path) -> None:
    write(tmp_path / "far", {"thing.py": "Thing = int"})
    write(tmp_path / "a" / SITE, {"near/other.py": "Other = str"})
    lines = f"# a remark\n\n{tmp_path / 'far'}\nnear\nno/such/folder\n"
    write(tmp_path / "a" / SITE, {"x.pth": lines, ".hidden.pth": "hidden", "hidden/unseen.py": "Unseen = int"})
    settings = searching(tmp_path / "a" / SITE)
    assert "INTEGER" in kind(built(tmp_path / "p", "from thing import Thing", settings=settings))
    assert "STRING" in kind(built(tmp_path / "p", "from other import Other", "Other", settings))
    assert only(built(tmp_path / "p", "from unseen import Unseen", "Unseen", settings)).rule.code == "LC202"


SETUPTOOLS = """
from __future__ import annotations
import sys
MAPPING: dict[str, str] = {mapping!r}
NAMESPACES: dict[str, list[str]] = {namespaces!r}
PATH_PLACEHOLDER = '__editable__.pkg-1.0.finder' + ".__path_hook__"
def install(): raise RuntimeError("nothing may be run")
"""


def test_finders_of_setuptools_are_read(tmp_path: Path) -> None:
    src = write(tmp_path / "src", {"pkg/__init__.py": "", "pkg/deep/m.py": "Thing = int", "single.py": "One = str"})
    write(tmp_path / "src", {"space/part.py": "Part = bool"})
    mapping = {"pkg": str(src / "pkg"), "single": str(src / "single")}
    finder = SETUPTOOLS.format(mapping=mapping, namespaces={"space": [str(src / "space")]})
    line = "import __editable___pkg_1_0_finder; __editable___pkg_1_0_finder.install()"
    site = write(tmp_path / "a" / SITE, {"__editable__.pkg-1.0.pth": line, "__editable___pkg_1_0_finder.py": finder})
    settings = searching(site)
    assert "INTEGER" in kind(built(tmp_path / "p", "from pkg.deep.m import Thing", settings=settings))
    assert "STRING" in kind(built(tmp_path / "p", "from single import One", "One", settings))
    assert "BOOLEAN" in kind(built(tmp_path / "p", "import space.part", "space.part.Part", settings))
    assert only(built(tmp_path / "p", "from pkg.gone import X", "X", settings)).notes == ()


def test_redirections_of_editables_are_read(tmp_path: Path) -> None:
    src = write(tmp_path / "src", {"pkg/__init__.py": "Thing = int", "one.py": "One = str"})
    module = "from editables.redirector import RedirectingFinder as F\nF.install()\n"
    module += (
        f"F.map_module('pkg', {str(src / 'pkg' / '__init__.py')!r})\nF.map_module('one', {str(src / 'one.py')!r})\n"
    )
    site = write(tmp_path / "a" / SITE, {"_pkg.pth": "import _editable_impl_pkg", "_editable_impl_pkg.py": module})
    assert "INTEGER" in kind(built(tmp_path / "p", "from pkg import Thing", settings=searching(site)))
    assert "STRING" in kind(built(tmp_path / "p", "from one import One", "One", searching(site)))


def test_what_can_not_be_looked_into_is_said_where_a_module_is_missing(tmp_path: Path) -> None:
    files = {"hook.pth": "import hook; hook.go()", "distutils-precedence.pth": "import os; os.environ", "lib.zip": ""}
    site = write(tmp_path / "a" / SITE, {**files, "egg.pth": "lib.zip"})
    found = only(built(tmp_path / "p", "from gone import Thing", settings=searching(site)))
    assert found.rule.code == "LC202"
    assert found.notes == (
        "the archive `lib.zip` on the search path is not looked into",
        "`hook.pth` runs code, which may add modules",
    )


@pytest.mark.parametrize("text", ["MAPPING = make()", "MAPPING = [1]", "MAPPING = {", "x = 1"])
def test_a_finder_that_can_not_be_understood_is_said(tmp_path: Path, text: str) -> None:
    site = write(tmp_path / "a" / SITE, {"x.pth": "import __editable___x_finder", "__editable___x_finder.py": text})
    found = only(built(tmp_path / "p", "from gone import Thing", settings=searching(site)))
    assert found.notes == ("`x.pth` runs code, which may add modules",)


def test_version_and_platform_may_be_given(tmp_path: Path) -> None:
    write(
        tmp_path / "a",
        {
            "m.py": "import sys\nif sys.version_info >= (3, 14):\n    Thing = int\nelse:\n    Thing = str\n"
            "if sys.platform == 'win32':\n    Other = int\nelse:\n    Other = bool\n"
        },
    )
    new = searching(tmp_path / "a", version="3.14", platform="win32")
    old = searching(tmp_path / "a", version="3.11.9", platform="linux")
    assert "INTEGER" in kind(built(tmp_path / "p", "from m import Thing", settings=new))
    assert "STRING" in kind(built(tmp_path / "p", "from m import Thing", settings=old))
    assert "INTEGER" in kind(built(tmp_path / "p", "from m import Other", "Other", new))
    assert "BOOLEAN" in kind(built(tmp_path / "p", "from m import Other", "Other", old))


def test_nothing_is_run_where_the_environment_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something is run")

    monkeypatch.setattr(subprocess, "run", refuse)
    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(os, "system", refuse)
    write(tmp_path / "a", {"m.py": "Thing = int"})
    assert "INTEGER" in kind(built(tmp_path / "p", "from m import Thing", settings=searching(tmp_path / "a")))
    assert "DATE" in kind(built(tmp_path / "p", "from datetime import date", "date", searching(tmp_path / "a")))


def test_a_given_path_with_a_standard_library_has_no_other(tmp_path: Path) -> None:
    write(tmp_path / "lib", {"os.py": "", "thing.py": "Thing = int"})
    found = given(GivenEnvironment((tmp_path / "lib", tmp_path)), Disk())
    assert found.stdlib == (str(tmp_path / "lib"),)
    assert found.packages == (str(tmp_path),)
    assert given(GivenEnvironment(), Disk()).packages == running(Disk()).packages


def test_an_environment_beside_the_project_is_read_and_not_run(tmp_path: Path) -> None:
    project = tmp_path / "p"
    venv.create(project / ".venv", with_pip=False, symlinks=True)
    site = packages(project / ".venv")
    write(site, {"m.py": "Thing = int"})
    for name in ("python", "python3"):
        (project / ".venv" / "bin" / name).unlink()
        write(project / ".venv" / "bin", {name: "#!/bin/sh\ntouch ran\n"})
        (project / ".venv" / "bin" / name).chmod(0o755)
    assert "INTEGER" in kind(built(project, "from m import Thing"))
    assert not list(project.rglob("ran"))


def test_the_version_of_an_environment_beside_the_project_counts(tmp_path: Path) -> None:
    text = "home = /no/such/bin\nimplementation = CPython\nversion_info = 3.19.1.final.0\n"
    write(tmp_path / ".venv", {"pyvenv.cfg": text, "lib/python3.19/site-packages/m.py": "Thing = int"})
    test = "import sys\nfrom m import Thing as Found\nThing = Found if sys.version_info >= (3, 19) else str"
    assert "INTEGER" in kind(built(tmp_path, test))


def test_an_interpreter_is_asked_and_its_path_files_are_not_run(tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    site = packages(tmp_path / "env")
    write(tmp_path / "far", {"m.py": "Thing = int"})
    ran = tmp_path / "ran"
    write(site, {"x.pth": f"import pathlib; pathlib.Path({str(ran)!r}).touch()\n{tmp_path / 'far'}\n"})
    found = ask(tmp_path / "env" / "bin" / "python", Disk())
    assert found.packages == (str(site), str(tmp_path / "far"))
    assert found.version == sys.version_info[:2]
    assert found.unread == ("`x.pth` runs code, which may add modules",)
    assert not ran.exists()


def test_an_environment_that_uses_its_base_has_its_packages_too(tmp_path: Path) -> None:
    base = write(
        tmp_path / "base", {"lib/python3.12/site-packages/m.py": "", "bin/python": "", "lib/python3.12/os.py": ""}
    )
    settings = f"home = {base / 'bin'}\nversion = 3.12.1\ninclude-system-site-packages = true\n"
    write(tmp_path / "p/.venv", {"pyvenv.cfg": settings, "lib/python3.12/site-packages/n.py": "Thing = str"})
    assert "STRING" in kind(built(tmp_path / "p", "import m\nfrom n import Thing"))


def test_modules_of_the_interpreter_are_found_without_a_file() -> None:
    finder = ModuleFinder(Disk(), (), Environment((3, 11), "linux", (), (), frozenset({"_thread"})))
    found = finder.find("_thread")
    assert found is not None
    assert found.compiled == "_thread"
    assert finder.find("_threads") is None


@pytest.mark.parametrize(
    ("table", "code", "line"),
    [
        ("environment = { serch-path = [] }", "LC001", 2),
        ("environment = { version = 3.12 }", "LC002", 2),
        ("environment = { version = '2.7' }", "LC002", 2),
        ("environment = { version = 'new' }", "LC002", 2),
        ("environment = { platform = '' }", "LC002", 2),
        ("environment = 'linux'", "LC002", 2),
        ("[tool.lauren-compile.environment]\nsearch-path = ['gone']", "LC002", 3),
        (f"python = {sys.executable!r}\nenvironment = {{}}", "LC002", 3),
    ],
)
def test_faults_of_the_table_are_found(tmp_path: Path, table: str, code: str, line: int) -> None:
    write(tmp_path, {"pyproject.toml": f"[tool.lauren-compile]\n{table}\n", "tools.py": ""})
    (found,) = load(CommandLine(directory=tmp_path)).diagnostics
    assert (found.rule.code, found.span.start.line) == (code, line)
