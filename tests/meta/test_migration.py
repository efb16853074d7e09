"""The tables of the page on migration are those that the differential tests hold; `--update` writes them anew."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from harness.golden import Goldens
from lauren_compiler.ir.divergences import DIVERGENCES

TABLES = (
    "compiler/lauren_compiler/ir/divergences.py",
    "tests/differential/call_divergences.toml",
    "tests/differential/agent_divergences.toml",
    "tests/differential/container_divergences.toml",
)
_KIND = re.compile(r"[A-Z][A-Za-z]+(Error|Violation)")


def schemas() -> Iterator[str]:
    yield "| name | lauren-ai | here | why |\n|---|---|---|---|"
    for row in DIVERGENCES:
        named = f"`{row.name}`" if row.told else f"{row.name} (not told)"
        yield f"| {named} | {cell(row.theirs)} | {cell(row.ours)} | {cell(row.why)} |"


def calls(root: Path) -> Iterator[str]:
    yield "| | lauren-ai | here | why |\n|---|---|---|---|"
    for entry in entries(root / TABLES[1]):
        yield f"| {entry['name']} | {cell(entry['theirs'])} | {cell(entry['ours'])} | {cell(entry['reason'])} |"


def reasons(path: Path) -> Iterator[str]:
    """What is the case here; and which errors are raised, where one is."""
    for entry in entries(path):
        kinds = [entry[key] if _KIND.fullmatch(entry[key]) else "none" for key in ("theirs", "ours")]
        errors = "" if kinds == ["none", "none"] else f" ({kinds[0]} there, {kinds[1]} here)"
        yield f"- {entry['reason']}{errors}"


def entries(path: Path) -> list[dict[str, str]]:
    found: list[dict[str, str]] = tomllib.loads(path.read_text("utf-8"))["divergence"]
    return found


def cell(text: str) -> str:
    return text.replace("|", "\\|")


def section(root: Path, table: str) -> str:
    makers: dict[str, Callable[[], Iterator[str]]] = {
        TABLES[0]: schemas,
        TABLES[1]: lambda: calls(root),
        TABLES[2]: lambda: reasons(root / TABLES[2]),
        TABLES[3]: lambda: reasons(root / TABLES[3]),
    }
    return f"<!-- {table} -->\n\n" + "\n".join(makers[table]()) + "\n\n<!-- end -->"


def test_the_tables_are_what_the_tests_hold(root: Path, goldens: Goldens) -> None:
    page = root / "docs" / "migrating-from-lauren-ai.md"
    text = page.read_text("utf-8")
    assert re.findall(r"<!-- (\S+/\S+) -->", text) == list(TABLES)
    for table in TABLES:
        pattern = rf"<!-- {re.escape(table)} -->.*?<!-- end -->"
        made = section(root, table)
        text = re.sub(pattern, lambda _, made=made: made, text, flags=re.DOTALL)
    goldens.check_text(page, text)


@pytest.mark.parametrize("row", DIVERGENCES, ids=lambda row: row.name)
def test_a_row_says_all(row: object) -> None:
    told = [getattr(row, name) for name in ("name", "theirs", "ours", "why", "example")]
    assert all(told)
    assert len({each.name for each in DIVERGENCES}) == len(DIVERGENCES)
