"""The collector of Markdown cases: each section is compiled in a folder of its own and held against its blocks."""

from __future__ import annotations

import contextlib
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from lauren_compiler.config import CommandLine, load
from lauren_compiler.diagnostics.render import KnownLines, Report, renderer
from lauren_compiler.driver.build import Built, build

from .calls import answer_calls
from .sections import Block, CaseError, Section, read_sections


@dataclass
class Rewriter:
    """Collects new texts of blocks and writes every file once, from its last block to its first."""

    changes: dict[Path, list[tuple[Block, tuple[str, ...]]]] = field(default_factory=dict)

    def add(self, path: Path, block: Block, lines: Sequence[str]) -> None:
        self.changes.setdefault(path, []).append((block, tuple(lines)))

    def write(self) -> None:
        """Rewrites the files. Raises CaseError for one that was changed since it was read, and leaves it alone."""
        changes, self.changes = self.changes, {}
        for path, blocks in changes.items():
            text = path.read_text(encoding="utf-8").split("\n")
            for block, new in sorted(blocks, key=lambda change: change[0].line, reverse=True):
                place = slice(block.line - 1, block.line - 1 + len(block.lines))
                if tuple(text[place]) != block.lines:
                    raise CaseError(f"{path} was changed while its tests ran; run --update again")
                text[place] = new
            path.write_text("\n".join(text), encoding="utf-8", newline="")


REWRITER = pytest.StashKey[Rewriter]()


class MarkdownFile(pytest.File):
    """A case file."""

    def collect(self) -> Iterator[MarkdownItem]:
        try:
            sections = read_sections(self.path.read_text(encoding="utf-8"))
        except CaseError as error:
            raise self.CollectError(f"{self.path.name}: {error}") from error
        for section in sections:
            yield MarkdownItem.from_parent(self, name=section.name or "file", section=section)


class Mismatch(Exception):
    """A block that is not what came out."""


class MarkdownItem(pytest.Item):
    """A section as a test."""

    def __init__(self, *, section: Section, **rest: Any) -> None:
        super().__init__(**rest)
        self.section = section

    def runtest(self) -> None:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            built = compile_section(self.section, Path(folder).resolve())
            wrong = [text for block in self._blocks() if (text := self._compare(block, built, Path(folder)))]
        if wrong:
            raise Mismatch("\n".join(wrong))

    def _blocks(self) -> list[Block]:
        """Without a diagnostics block, a section has to compile clean."""
        blocks = self.section.expectations
        if any(block.language == "diagnostics" for block in blocks):
            return blocks
        return [Block("diagnostics", "", (), 0), *blocks]

    def _compare(self, block: Block, built: Built, folder: Path) -> str | None:
        actual = _ANSWERS[block.language](block, built, folder)
        if tuple(actual) == block.lines:
            return None
        if self.config.getoption("--update") and block.line:
            self.config.stash[REWRITER].add(self.path, block, actual)
            return None
        title = f"line {block.line or self.section.line}: {block.language} is not as expected, but"
        return "\n".join([title, *actual, "instead of", *block.lines])

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        if isinstance(excinfo.value, Mismatch | CaseError):
            return f"{self.path}:{self.section.line}: {self.section.name}\n{excinfo.value}"
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.section.line - 1, self.section.name


def compile_section(section: Section, folder: Path) -> Built:
    """Writes the section's files and a pyproject.toml, and builds them as `lauren-compile` does without a PATH."""
    from lauren_compiler.pipeline import run
    from lauren_compiler.targets import TARGETS

    files = {"pyproject.toml": f"[tool.lauren-compile]\n{section.settings}", **section.files}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    loaded = load(CommandLine(directory=folder), known_targets=TARGETS)
    return build(loaded, folder, run)


def _diagnostics(block: Block, built: Built, folder: Path) -> list[str]:
    return renderer("concise")(Report(built.diagnostics, KnownLines(built.lines))).splitlines()


def _schema(block: Block, built: Built, folder: Path) -> list[str]:
    tools = _manifest(built, folder)["tools"]
    found = [tool for tool in tools if block.argument in ("", tool["name"])]
    if len(found) != 1:
        names = ", ".join(tool["name"] for tool in tools)
        raise CaseError(f"line {block.line - 1}: `schema {block.argument}` is not one of the tools: {names}")
    return json.dumps(found[0]["input_schema"], indent=2, ensure_ascii=False).split("\n")


def _dispatch(block: Block, built: Built, folder: Path) -> list[str]:
    """The tool's entry in the generated table."""
    _manifest(built, folder)
    lines = (folder / "lauren_build" / "dispatch.py").read_text(encoding="utf-8").split("\n")
    for start, line in enumerate(lines):
        if line.strip() != "Entry(":
            continue
        indent = line[: len(line) - len(line.lstrip())]
        end = lines.index(f"{indent}),", start)
        entry = [text.removeprefix(indent) for text in lines[start : end + 1]]
        if not block.argument or f'    name="{block.argument}",' in entry:
            return entry
    raise CaseError(f"line {block.line - 1}: the table has no entry `{block.argument}`")


def _agents(block: Block, built: Built, folder: Path) -> list[str]:
    """All agents of the manifest: what each is, and its tools with their places."""
    manifest = _manifest(built, folder)
    places = {tool["digest"]: f"{tool['module']}:{tool['qualname']}" for tool in manifest["tools"]}
    lines: list[str] = []
    for agent in manifest["agents"]:
        said = [f", {key} {json.dumps(agent[key])}" for key in ("model", "system") if key in agent]
        where = "" if agent["folder"] == agent["name"] else f" in {agent['folder']}"
        lines.append(f"{agent['name']}{where}: {agent['module']}:{agent['qualname']}{''.join(said)}")
        pairs = zip(agent["tools"], agent["tool_digests"], strict=True)
        lines += [f"  {name} = {places[digest]}" for name, digest in pairs]
    return lines


def _call(block: Block, built: Built, folder: Path) -> list[str]:
    _manifest(built, folder)
    return answer_calls(block.lines, folder)


def _manifest(built: Built, folder: Path) -> dict[str, Any]:
    if built.written is None:
        raise CaseError(f"nothing was built: {[found.message for found in built.diagnostics]}")
    document: dict[str, Any] = json.loads((folder / "lauren_build" / "manifest.json").read_bytes())
    return document


_ANSWERS = {
    "schema": _schema,
    "diagnostics": _diagnostics,
    "dispatch": _dispatch,
    "agents": _agents,
    "call": _call,
}
