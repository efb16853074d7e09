"""Rules of the house that a program can check: sizes, who may read Python, what the runtime imports."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import lauren_runtime
import pytest
from lauren_compiler.semantics import known

LONGEST_FILE = 500
LONGEST_FUNCTION = 60


def imported(path: Path) -> set[str]:
    """The top names of all that a file imports absolutely, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return names


def functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def test_files_and_functions_are_short(sources: list[Path]) -> None:
    assert [(path.name, n) for path in sources if (n := path.read_text("utf-8").count("\n")) > LONGEST_FILE] == []
    long = [(path.name, name, n) for path in sources for name, n in functions(path) if n > LONGEST_FUNCTION]
    assert long == []


def test_only_the_front_end_reads_python(root: Path) -> None:
    package = root / "compiler" / "lauren_compiler"
    readers = {path.relative_to(package).parts[0] for path in package.rglob("*.py") if "ast" in imported(path)}
    assert readers <= {"source", "syntax"}


def test_nothing_in_the_compiler_can_run_a_source(root: Path) -> None:
    """No exec, eval, __import__ or runpy but in commands/, where `call` and `validate` load builds.

    `compile` only makes a code object, for the errors that only compiling finds; nothing is there that could run it.
    """
    package = root / "compiler" / "lauren_compiler"
    found: list[str] = []
    for path in sorted(package.rglob("*.py")):
        if path.relative_to(package).parts[0] == "commands":
            continue
        tree = ast.parse(path.read_bytes())
        calls = [
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        ]
        wrong = {"exec", "eval", "__import__"} & set(calls) | {"runpy"} & imported(path)
        found += [f"{path.relative_to(package)}: {name}" for name in sorted(wrong)]
    assert found == []


def test_the_runtime_imports_the_standard_library_only(root: Path) -> None:
    package = root / "runtime" / "lauren_runtime"
    own = sys.stdlib_module_names | {"lauren_runtime", "annotationlib"}  # that one came with Python 3.14
    outside = {(path.name, name) for path in package.rglob("*.py") for name in imported(path) if name not in own}
    # What an extra is for is imported where it is used: see the next test.
    skills = {("code_execution.py", "annotated_types"), ("http_fetch.py", "annotated_types")}
    skills |= {("web_search.py", "annotated_types"), ("ddgs.py", "ddgs"), ("http.py", "httpx")}
    skills |= {("bodies.py", "httpx"), ("hosts.py", "idna")}
    skills |= {
        ("request.py", "httpx"),
        ("request.py", "httpcore"),
        ("transport.py", "httpx"),
        ("transport.py", "httpcore"),
    }
    clients = {("anthropic.py", "anthropic"), ("gemini.py", "google")}
    clients |= {("openai.py", "openai"), ("openai_responses.py", "openai")}
    clients |= {
        ("models.py", "anthropic"),
        ("models.py", "openai"),
    }  # of the stand-in: with the configuration's options
    # annotated_types and typing_extensions are for the compiler and for checkers alone
    stores = {("redis_cache.py", "redis"), ("redis_store.py", "redis")}
    assert outside == {("runner.py", "typing_extensions")} | stores | skills | clients


def modules_loaded_by(root: Path, statement: str) -> set[str]:
    """The names in `sys.modules` after a statement, in a Python without site-packages that sees the runtime alone."""
    code = f"import sys; sys.path.append({str(root / 'runtime')!r}); before = set(sys.modules)\n{statement}\n"
    code += "print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(ast.literal_eval(done.stdout))


def test_every_module_of_the_runtime_loads_without_site_packages(root: Path) -> None:
    package = root / "runtime"
    paths = [path for path in package.rglob("*.py") if path.name != "__main__.py"]
    names = {".".join(path.relative_to(package).with_suffix("").parts).removesuffix(".__init__") for path in paths}
    names -= {
        f"lauren_runtime.skills.fetching.{name}" for name in ("request", "transport")
    }  # loaded by the first fetch
    loaded = modules_loaded_by(root, "\n".join(f"import {name}" for name in sorted(names)))
    assert names <= loaded
    assert {name.partition(".")[0] for name in loaded} <= sys.stdlib_module_names | {"lauren_runtime"}


@pytest.mark.parametrize("heavy", ["asyncio", "dataclasses", "inspect", "json", "pathlib", "re", "typing"])
def test_importing_the_runtime_is_cheap(root: Path, heavy: str) -> None:
    assert heavy not in modules_loaded_by(root, "import lauren_runtime")


def test_no_path_of_a_machine(texts: dict[str, str]) -> None:
    machine = re.compile("|".join(re.escape(f"/{name}/") for name in ("work", "root")))
    found = [f"{name}: {hit[0]}" for name, text in texts.items() if (hit := machine.search(text))]
    assert found == []


def test_the_changelog_has_the_version(root: Path) -> None:
    version = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert re.search(rf"^## {re.escape(version)}\b", (root / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)


def test_the_architecture_page_names_the_folders_there_are(root: Path) -> None:
    page = (root / "docs" / "architecture.md").read_text("utf-8")
    package = root / "compiler" / "lauren_compiler"
    phases = set(re.findall(r"^\| [^|]+ \| `(\w+)/` \|", page, re.MULTILINE))
    folders = {path.parent.name for path in package.glob("*/__init__.py")}
    assert phases <= folders
    assert folders - phases <= {"commands", "config", "diagnostics", "runs", "source"}


def test_the_compiler_knows_every_public_name_of_the_runtime() -> None:
    assert set(lauren_runtime.__all__) <= known.known_names("lauren_runtime")
