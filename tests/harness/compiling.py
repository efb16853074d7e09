"""Compile source text in this process: what a test of the whole way from source to schema starts with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lauren_compiler.config import Config
from lauren_compiler.diagnostics.model import Level
from lauren_compiler.pipeline import run


@dataclass(frozen=True)
class Build:
    """The tools by name, as the manifest has them, and the codes of all errors."""

    tools: Mapping[str, Mapping[str, Any]]
    errors: tuple[str, ...]
    messages: str


def compile_source(source: str, folder: Path, name: str = "shop") -> Build:
    """Compile one module, which is written into `folder` and stays there."""
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    return compile_files([path], folder)


def compile_files(paths: list[Path], root: Path) -> Build:
    """Compile files below a source root."""
    outcome = run(Config(sources=tuple(paths), roots=(root,), project=root, out=root / "lauren_build"))
    errors = [found for found in outcome.diagnostics if found.level is Level.ERROR]
    files = {artifact.path: artifact.content for artifact in outcome.artifacts}
    document = json.loads(files.get("manifest.json", b'{"tools": []}'))
    messages = [
        f"{found.span.path}:{found.span.start.line}:{found.span.start.column}: {found.rule.code} {found.message}"
        for found in errors
    ]
    tools = {tool["name"]: tool for tool in document["tools"]}
    return Build(tools, tuple(found.rule.code for found in errors), "\n".join(messages))


def write_build(source: str, folder: Path, name: str = "shop") -> None:
    """Compile one module, which is written into `folder`, and write its build to `folder/lauren_build`."""
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    outcome = run(Config(sources=(path,), roots=(folder,), project=folder, out=folder / "lauren_build"))
    errors = [found.message for found in outcome.diagnostics if found.level is Level.ERROR]
    assert not errors, errors
    for artifact in outcome.artifacts:
        file = folder / "lauren_build" / artifact.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(artifact.content)
