"""`python -m tests.corpus.real`: compile the tools of published packages, and compare them with what their own runtimes
list; writes docs/real-tools.md. Needs PyPI; everything is made below `--work`. Exit status 1 if a difference has no
explanation.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lauren_compiler.config import CommandLine, load
from lauren_compiler.diagnostics.model import Level
from lauren_compiler.emit.manifest import entries
from lauren_compiler.pipeline import Outcome, run

from .comparing import KINDS, differences

HERE = Path(__file__).parent
PAGE = HERE.parent.parent / "docs" / "real-tools.md"


@dataclass
class Compared:
    """One package: how many tools each side has, and how those of one name differ."""

    name: str
    listed: int
    outcome: Outcome
    kinds: Counter[str] = field(default_factory=Counter[str])
    details: list[str] = field(default_factory=list[str])
    ours_only: list[str] = field(default_factory=list[str])
    theirs_only: list[str] = field(default_factory=list[str])
    both: int = 0

    @property
    def errors(self) -> Counter[str]:
        """The errors of the build, by rule."""
        found = (each for each in self.outcome.diagnostics if each.level is Level.ERROR)
        return Counter(f"{each.rule.code} ({each.message})" for each in found)


def environment(requirements: Sequence[str], folder: Path) -> Path:
    """The Python of an environment with these packages, made unless it is there."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", *requirements], check=True)
    return python


def compare(package: Mapping[str, Any], frameworks: Mapping[str, Any], python: Path, work: Path) -> Compared:
    """Compile a package's sources, and ask its own runtime for its tools."""
    outcome = compiled(package, [frameworks[name] for name in package.get("frameworks", ())], python, work)
    listed = asked(package["lister"], python)
    renamed: Mapping[str, str] = package.get("renamed", {})
    listed = {renamed.get(name, name): tool for name, tool in listed.items()}
    ours = {entry["name"]: entry for entry in entries(outcome.toolset)}
    found = Compared(package["name"], len(listed), outcome)
    found.ours_only = sorted(ours.keys() - listed.keys())
    found.theirs_only = sorted(listed.keys() - ours.keys())
    for name in sorted(ours.keys() & listed.keys()):
        mine, theirs = ours[name], listed[name]
        found.both += 1
        kinds = list(
            differences(mine["input_schema"], theirs["schema"], mine["description"], theirs["description"] or "")
        )
        found.kinds.update({kind for kind, _ in kinds})
        found.details += [f"`{name}`: {detail}" for kind, detail in kinds if kind == "schema"]
    return found


def compiled(package: Mapping[str, Any], frameworks: Sequence[Mapping[str, Any]], python: Path, work: Path) -> Outcome:
    """The outcome of compiling a copy of the package's sources: what lies in an environment is no source."""
    installed = next((python.parent.parent / "lib").glob("python3*/site-packages"))
    project = work / package["name"]
    shutil.rmtree(project, ignore_errors=True)
    skipped = shutil.ignore_patterns("__pycache__", "test_*.py", *package.get("skip", ()))
    shutil.copytree(installed / package["sources"], project / package["sources"], ignore=skipped)
    (project / "pyproject.toml").write_text(project_text(frameworks, str(python)), "utf-8")
    command = CommandLine(paths=(package["sources"],), directory=project)
    return run(load(command).config, directory=project)


def project_text(frameworks: Sequence[Mapping[str, Any]], python: str) -> str:
    """The pyproject.toml of a package whose tools are made by these frameworks' decorators."""
    tables = (
        "{" + ", ".join(f"{key} = {json.dumps(value)}" for key, value in each.items()) + "}" for each in frameworks
    )
    return f'[tool.lauren-compile]\nroots = ["."]\npython = "{python}"\ndecorators = [{", ".join(tables)}]\n'


def asked(lister: Sequence[str], python: Path) -> dict[str, Any]:
    """What a package's own runtime lists."""
    command = [str(python), str(HERE / lister[0]), *lister[1:]]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if answer.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{answer.stderr}")
    found: dict[str, Any] = json.loads(answer.stdout.strip().splitlines()[-1])
    return found


def page(found: Sequence[Compared], reasons: Mapping[str, str]) -> Iterator[str]:
    """The page's lines."""
    yield from (HERE / "real_head.md").read_text("utf-8").splitlines()
    yield "| package | its runtime lists | found here | compiled | not decidable | compared | that differ, by kind |"
    yield "|---|--:|--:|--:|--:|--:|---|"
    for each in found:
        kinds = ", ".join(f"{kind} {count}" for kind, count in each.kinds.most_common() if kind != "closed")
        made = each.outcome.tools
        cells = (each.name, each.listed, made.found, made.compiled, made.undecidable, each.both, kinds or "none")
        yield f"| {' | '.join(map(str, cells))} |"
    yield from ("", "## Kinds of differences", "", "| kind | explanation |", "|---|---|")
    yield from (f"| {kind} | {text} |" for kind, text in KINDS.items())
    yield from ("", "## Tools on one side only, and other differences", "", "| package | what | why |", "|---|---|---|")
    yield from (f"| {package} | {what} | {why} |" for package, what, why in rows(found, reasons))
    yield ""


def rows(found: Sequence[Compared], reasons: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Package, difference and reason of all that no kind explains."""
    for each in found:
        sides = (("listed by the runtime only", each.theirs_only), ("compiled here only", each.ours_only))
        for what, names in sides:
            for why, group in _by_reason(each.name, names, reasons):
                yield each.name, f"{what}: {', '.join(f'`{name}`' for name in group)}", why
        for detail in each.details:
            key = f"{each.name} {detail.split('`')[1]}"
            yield each.name, detail.replace("|", "\\|"), reasons.get(key) or reasons.get(each.name, "")
        for error, count in sorted(each.errors.items()):
            yield each.name, f"error {error}", "refused" if count == 1 else f"refused ({count} places)"


def _by_reason(package: str, names: Sequence[str], reasons: Mapping[str, str]) -> Iterator[tuple[str, list[str]]]:
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(reasons.get(f"{package} {name}") or reasons.get(package, ""), []).append(name)
    yield from groups.items()


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.corpus.real", description=__doc__)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "lauren-real-tools")
    parser.add_argument("--only", default="", help="names of packages, with commas between; writes no page")
    given = parser.parse_args()
    settings = tomllib.loads((HERE / "real.toml").read_text("utf-8"))
    only = set(filter(None, given.only.split(",")))
    found: list[Compared] = []
    for package in settings["package"]:
        if not only or package["name"] in only:
            name = package["environment"]
            python = environment(settings["environments"][name], given.work.absolute() / "environments" / name)
            found.append(compare(package, settings["frameworks"], python, given.work.absolute()))
    text = "\n".join(page(found, settings["reasons"]))
    if only:
        print(text)
    else:
        PAGE.write_text(text, "utf-8")
    unexplained = [(package, what) for package, what, why in rows(found, settings["reasons"]) if not why]
    for package, what in unexplained:
        print(f"no explanation: {package}: {what}", file=sys.stderr)
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
