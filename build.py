"""Set up, build and test this project with nothing but a Python and its pip; also hatchling's build hook.

    python3 build.py            .venv, install, compile the skills and examples/, call one tool through a table
    python3 build.py test       the whole suite: ruff, import-linter, mypy, pyright, pytest, also on other Pythons found
    python3 build.py bench      what it costs, beside other programs, into docs/performance.md (an hour)
    python3 build.py --check    exit 1 if these builds are not what their sources give now

All that it writes stays in this folder: environments and pip's cache in `.venv`, the builds in `examples/lauren_build`
and beside the skills that the runtime brings, `runtime/lauren_runtime/skills/_generated`, which a wheel holds too.
It imports the standard library only. Annotations that only a newer Python can evaluate are quoted, so that an old one
gets as far as the line that says which is needed.
"""

import hashlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hatchling.builders.config import BuilderConfig
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
EXAMPLES = ROOT / "examples"
OUT = EXAMPLES / "lauren_build"
SKILLS = ROOT / "runtime" / "lauren_runtime" / "skills"
GENERATED = SKILLS / "_generated"
#: The Python that environments are made from, also when we run in one.
BASE_PYTHON: str = getattr(sys, "_base_executable", None) or sys.executable
OLDEST = (3, 11)
OTHER_PYTHONS = ("3.11", "3.12", "3.13")
#: What runs on other Pythons too: all that reads, generates or runs code. Types, style and packaging are checked once.
CORE_TESTS = (
    "tests/mdtest",
    "tests/ir",
    "tests/decoders",
    "tests/runtime",
    "tests/container",
    "tests/agents",
    "tests/units",  # processes are forked otherwise by each Python
)
LAUREN_AI = "lauren-ai==1.6.0"
USAGE = "usage: python3 build.py [build | test | bench | --check]"


class Failure(Exception):
    """What went wrong, in one line; printed, exit status 1."""


def say(text: str) -> None:
    print(f"build.py: {text}\n", end="", flush=True)  # in one piece, for two may speak at a time


# --- Environments ---------------------------------------------------------------------------------------------------


def child_environment() -> "dict[str, str]":
    """The environment for programs we start: nothing that points Python or pip at another place than our `.venv`."""
    dropped = {"PYTHONHOME", "PYTHONPATH", "PYTHONSTARTUP", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__"}
    dropped |= {"PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_REQUIRE_VIRTUALENV", "PIP_PYTHON"}
    kept = {name: value for name, value in os.environ.items() if name not in dropped}
    kept.setdefault("PIP_CACHE_DIR", str(VENV / "pip-cache"))
    return kept | {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1", "PIP_ROOT_USER_ACTION": "ignore"}


def venv_python(folder: Path) -> Path:
    return folder / "Scripts" / "python.exe" if os.name == "nt" else folder / "bin" / "python"


def last_lines(text: str, count: int) -> str:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(("WARNING:", "[notice]"))]
    return "\n".join(f"    {line}" for line in lines[-count:])


def run_quietly(command: "list[str]", failure: str) -> None:
    """Run a command; its output is shown only if it fails, and then its last lines."""
    variables = child_environment()
    try:
        done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, errors="replace")
    except OSError as problem:
        raise Failure(f"{failure}: {problem}") from problem
    if done.returncode:
        print(last_lines(done.stdout + "\n" + done.stderr, 12), file=sys.stderr, flush=True)
        raise Failure(f"{failure} (exit status {done.returncode}; its last lines are above)")


def make_venv(python: str, folder: Path) -> "list[str]":
    """Create a virtual environment; return the command that is pip for it.

    A Python without ensurepip (Debian without python3-venv) gets one without pip, which the pip outside fills.
    """
    if importlib.util.find_spec("venv") is None:
        raise Failure("this Python has no `venv` module: install it (Debian, Ubuntu: apt install python3-venv)")
    if importlib.util.find_spec("ensurepip") is not None:
        run_quietly([python, "-m", "venv", str(folder)], f"could not create {folder.name}")
        return [str(venv_python(folder)), "-m", "pip"]
    if importlib.util.find_spec("pip") is None:
        raise Failure("this Python has neither pip nor ensurepip (Debian, Ubuntu: apt install python3-venv)")
    run_quietly([python, "-m", "venv", "--without-pip", str(folder)], f"could not create {folder.name}")
    return [python, "-m", "pip", "--python", str(venv_python(folder))]


def fingerprint(python: str, requirements: "list[str]") -> "dict[str, str]":
    """What an environment was made from; the same again means there is nothing to do."""
    digest = hashlib.sha256((ROOT / "pyproject.toml").read_bytes()).hexdigest()
    made = f"{python} {platform.machine()} {ROOT}" if python != BASE_PYTHON else f"{python} {sys.version} {ROOT}"
    return {"made": made, "pyproject": digest, "requirements": " ".join(requirements)}


def environment(folder: Path, requirements: "list[str]", python: str = BASE_PYTHON, accept: str = "") -> Path:
    """A virtual environment in `folder` with `requirements`; return its Python.

    Nothing is done when the stamp of an earlier run says that it is there already. `accept` are requirements which, if
    they are what is installed, are as good.
    """
    wanted = fingerprint(python, requirements)
    stamp = folder / "build-stamp.json"
    found: dict[str, str] = json.loads(stamp.read_text("utf-8")) if stamp.is_file() else {}
    inside = venv_python(folder)
    if inside.exists() and found in (wanted, {**wanted, "requirements": accept}):
        return inside
    if folder.exists() and (not inside.exists() or (found and found["made"] != wanted["made"])):
        remove_environment(folder)
    name = folder.relative_to(ROOT).as_posix()
    stamp.unlink(missing_ok=True)
    pip = make_venv(python, folder)
    say(f"{name}: installing {' '.join(requirements)} (up to a minute or two the first time)")
    run_quietly([*pip, "install", "--quiet", *requirements], "pip could not install what is needed")
    stamp.write_text(json.dumps(wanted), "utf-8")
    return inside


def remove_environment(folder: Path) -> None:
    """Remove an environment made by another Python or for another folder, but not pip's cache in it."""
    for item in folder.iterdir():
        if item.name == "pip-cache":
            continue
        shutil.rmtree(item) if item.is_dir() and not item.is_symlink() else item.unlink()


def project_environment(extras: str = "") -> Path:
    everything = f"-e .[{TEST_EXTRAS}]"
    wanted = f"-e .[{extras}]" if extras else "-e ."
    return environment(VENV, wanted.split(), accept=everything)


TEST_EXTRAS = "test,providers,lint"


# --- build, --check -------------------------------------------------------------------------------------------------


def compiler(python: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [str(python), "-m", "lauren_compiler", *arguments]
    return subprocess.run(command, cwd=ROOT, env=child_environment(), text=True)


def build_skills(python: Path) -> None:
    say("compiling the skills of the runtime")
    if compiler(python, *skills_build(GENERATED), "-q").returncode:
        raise Failure("the skills do not compile (see above)")


def skills_build(out: Path) -> "list[str]":
    """The arguments of the compiler for a build of the skills."""
    return ["build", str(SKILLS), "-o", str(out), "--root", str(ROOT / "runtime")]


def show_build() -> None:
    """Print the tools and the files of the examples' build, as its manifest has them."""
    manifest = json.loads((OUT / "manifest.json").read_text("utf-8"))
    rows = [("tool", "kind", "from", "module:object")]
    for tool in manifest["tools"]:
        kind = f"{'async ' if tool['is_async'] else ''}{tool['form']}"
        source = f"{tool['source']['path']}:{tool['source']['line']}"
        rows.append((tool["name"], kind, source, f"{tool['module']}:{tool['qualname']}"))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row in rows:
        print("   ", *(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3], sep="  ")
    files = [*manifest["files"], "manifest.json"]
    say(f"{len(manifest['tools'])} tools, {len(files)} files in {OUT.relative_to(ROOT).as_posix()}:")
    for folder in sorted({path.rpartition("/")[0] for path in files}):
        inside = sorted(path.rpartition("/")[2] for path in files if path.rpartition("/")[0] == folder)
        print("   ", f"{folder}/" if folder else "./", " ".join(inside), sep="  ")


def build_examples(python: Path) -> None:
    say("compiling examples/")
    if compiler(python, "build", "-q", str(EXAMPLES)).returncode:
        raise Failure("the examples do not compile (see above)")


def build() -> int:
    python = project_environment()
    build_skills(python)
    build_examples(python)
    show_build()
    call = ("call", "examples/lauren_build", "get_weather", '{"city": "Paris"}', "--root", "examples")
    say("calling one tool: lauren-compile " + " ".join(f"'{part}'" if " " in part else part for part in call))
    return compiler(python, *call).returncode


def check() -> int:
    python = project_environment()
    say("are examples/lauren_build and the build of the skills what their sources give now?")
    builds = (["build", str(EXAMPLES)], skills_build(GENERATED))
    status = max(compiler(python, *arguments, "--check", "-q").returncode for arguments in builds)
    say("up to date" if status == 0 else "not up to date: run python3 build.py")
    return status


# --- test -----------------------------------------------------------------------------------------------------------


def interpreter(version: str) -> "str | None":
    """The path of a Python of this version that can make environments: beside the running one, in pyenv, or on PATH."""
    pyenv = shutil.which("pyenv")
    shelves = [Path(sys.base_prefix).parent, Path(os.environ.get("PYENV_ROOT", ROOT / "none")) / "versions"]
    shelves += [Path(pyenv).resolve().parent.parent / "versions"] if pyenv else []
    folders = [folder for shelf in shelves for folder in sorted(shelf.glob(f"{version}.*"), reverse=True)]
    on_path = shutil.which(f"python{version}")
    candidates = [str(folder / "bin" / "python") for folder in folders] + ([on_path] if on_path else [])
    return next((path for path in candidates if os.path.exists(path) and is_python(path, version)), None)


def is_python(path: str, version: str) -> bool:
    question = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
    answer = subprocess.run([path, "-c", question], capture_output=True, text=True, env=child_environment())
    return answer.stdout.strip() == version


def other_pythons() -> "dict[str, Path]":
    """An environment with the project and its test tools for each other Python that is found."""
    running = "{}.{}".format(*sys.version_info[:2])
    pythons: dict[str, Path] = {}
    for version in OTHER_PYTHONS:
        python = None if version == running else interpreter(version)
        if python is not None:
            folder = VENV / f"python{version}"
            pythons[version] = environment(folder, ["-e", ".[test]"], python)
        elif version != running:
            say(f"Python {version}: not found; what is tested on it is skipped")
    return pythons


def test_variables(pythons: "dict[str, Path]") -> "dict[str, str]":
    """What tells tests where the other interpreters are: LAUREN_PYTHON_312 …, LAUREN_AI_PYTHON."""
    variables = {f"LAUREN_PYTHON_{version.replace('.', '')}": str(path) for version, path in pythons.items()}
    running = "{}{}".format(*sys.version_info[:2])
    variables[f"LAUREN_PYTHON_{running}"] = str(venv_python(VENV))
    variables["LAUREN_AI_PYTHON"] = str(environment(VENV / "lauren-ai", [LAUREN_AI]))
    return variables


def checks(python: Path) -> "dict[str, list[str]]":
    """Name → command of what reads the sources only; each keeps one processor busy."""
    module = [str(python), "-m"]
    return {
        "ruff check": [*module, "ruff", "check", "."],
        "ruff format": [*module, "ruff", "format", "--check", "."],
        "import-linter": [str(python.with_name("lint-imports"))],
        "mypy": [*module, "mypy"],
        "pyright": [*module, "pyright", "--pythonpath", str(python)],
    }


def runs(python: Path, pythons: "dict[str, Path]") -> "dict[str, list[str]]":
    """Name → command of each run of the tests, which take all processors."""
    # One more than there are processors: tests of sandboxes and of other processes wait for most of their time.
    workers = ["-n", str(min(os.cpu_count() or 1, 4) + 1), "--dist", "loadgroup"]
    workers += ["--max-worker-restart", "0"]  # a worker that dies ends the run; with a new one it may wait for ever
    core = [folder for folder in CORE_TESTS if (ROOT / folder).is_dir()]
    pytest = ["-m", "pytest", "-q", "-rs", *workers]
    # The type checkers are in the main environment only.
    once = ["-k", "not mypy and not pyright", "-m", "not one_python"]
    others = {f"pytest on {version}": [str(other), *pytest, *once, *core] for version, other in pythons.items()}
    return {**others, "pytest": [str(python), *pytest]}


def failing(parts: "dict[str, list[str]]", variables: "dict[str, str]", *, aside: bool = False) -> "list[str]":
    """Run each command, also after one has failed; return the names of those that fail.

    `aside`: something else runs meanwhile, so what a command prints is shown when it has ended.
    """
    failed: list[str] = []
    for name, command in parts.items():
        say(f"{name} ...")
        started = time.monotonic()
        shown = subprocess.PIPE if aside else None
        done = subprocess.run(
            command, cwd=ROOT, env=variables, stdout=shown, stderr=subprocess.STDOUT if aside else None
        )
        verdict = f"FAILED (exit status {done.returncode})" if done.returncode else "passed"
        printed = (done.stdout or b"").decode(errors="replace").rstrip()
        print(
            *filter(None, [printed]),
            f"build.py: {name}: {verdict}, {time.monotonic() - started:.0f} s",
            sep="\n",
            flush=True,
        )
        failed += [name] if done.returncode else []
    return failed


def beside_checks() -> "tuple[dict[str, Path], dict[str, str], list[str]]":
    """What takes its time without a second processor: the other environments, and whether each benchmark can be run."""
    pythons = other_pythons()
    variables = child_environment() | test_variables(pythons)
    benchmarks = {"benchmarks": [str(bench_environment()), "-m", "benchmarks.run", "--short"]}
    return pythons, variables, failing(benchmarks, variables, aside=True)


def test() -> int:
    """Run every part, also after one has failed; return 1 if any failed."""
    python = project_environment(TEST_EXTRAS)
    build_skills(python)
    build_examples(python)
    with ThreadPoolExecutor(1) as other:
        beside = other.submit(beside_checks)
        failed = failing(checks(python), child_environment(), aside=True)
        pythons, variables, more = beside.result()
    failed += more + failing(runs(python, pythons), variables)
    say("all passed" if not failed else f"failed: {', '.join(failed)}")
    return 1 if failed else 0


# --- bench ----------------------------------------------------------------------------------------------------------


def bench_environment() -> Path:
    """The peers that we are measured beside, with the project as a wheel: editable installs cost at every start."""
    folder = VENV / "bench"
    python = environment(folder, [f"{ROOT}[bench]"])
    # The stamp knows the requirements; the project itself is as it is now.
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", str(ROOT)]
    run_quietly(install, "pip could not install the project")
    return python


def bench() -> int:
    command = [str(bench_environment()), "-m", "benchmarks.run", "--keep", "docs/performance.md"]
    return subprocess.run(command, cwd=ROOT, env=child_environment()).returncode


# --- The build hook -------------------------------------------------------------------------------------------------


def get_build_hook() -> "type[BuildHookInterface[BuilderConfig]]":
    """Hatchling asks for this: the hook that puts into a wheel what its packages do not hold as they lie here.

    templates/ becomes lauren_compiler/templates, and the skills are compiled. Only for a standard wheel: an editable
    install reads the checkout's own, where copies would go stale; its skills are compiled in their place.
    """
    from hatchling.builders.config import BuilderConfig
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

    class Additions(BuildHookInterface[BuilderConfig]):
        def initialize(self, version: str, build_data: dict[str, dict[str, str]]) -> None:
            if version == "editable":
                compile_skills_for_distribution(GENERATED)
                return
            self.folder = tempfile.TemporaryDirectory()
            out = Path(self.folder.name) / "_generated"
            compile_skills_for_distribution(out)
            build_data["force_include"][str(ROOT / "templates")] = "lauren_compiler/templates"
            build_data["force_include"][str(out)] = "lauren_runtime/skills/_generated"

        def finalize(self, version: str, build_data: dict[str, dict[str, str]], artifact_path: str) -> None:
            if version != "editable":
                self.folder.cleanup()

    return Additions


def compile_skills_for_distribution(out: Path) -> None:
    """Compile the skills with the compiler beside this file, in the environment that hatchling runs in.

    That environment is found through PYTHONPATH where pip made it, so all of ours is passed on.
    """
    path = [str(ROOT / "compiler"), str(ROOT / "runtime"), os.environ.get("PYTHONPATH", "")]
    variables = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))}
    command = [sys.executable, "-m", "lauren_compiler", *skills_build(out), "-q", "--python", sys.executable]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise RuntimeError(f"the skills do not compile:\n{done.stdout}{done.stderr}")


COMMANDS = {"build": build, "test": test, "bench": bench, "--check": check, "check": check}


def main(arguments: "list[str]") -> int:
    if sys.version_info < OLDEST:
        raise Failure(f"Python 3.11 or later is needed; this is {platform.python_version()} ({sys.executable})")
    name = arguments[0] if arguments else "build"
    if name in ("-h", "--help"):
        print(USAGE)
        return 0
    if name not in COMMANDS or len(arguments) > 1:
        print(USAGE, file=sys.stderr)
        return 2
    return COMMANDS[name]()


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failure as failure:
        print(f"build.py: error: {failure}", file=sys.stderr)
        sys.exit(1)
