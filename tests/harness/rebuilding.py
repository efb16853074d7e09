"""A small project whose files have several forms, and builds of it that are remembered."""

from __future__ import annotations

import tomllib
from pathlib import Path

from lauren_compiler.commands.main import main

FORMS: dict[str, list[str]] = {
    name: table["forms"]
    for name, table in tomllib.loads((Path(__file__).parents[1] / "units/edits.toml").read_text("utf-8")).items()
}
ABSENT = "absent"


def put(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if text == ABSENT:
        file.unlink(missing_ok=True)
    else:
        file.write_text(text, encoding="utf-8")


def written(project: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in (project / "lauren_build").rglob("*") if path.is_file()}


def built(*options: str) -> int:
    return main(["build", "-q", *options], remembers=True)
