"""A sample of the corpus: the reading of real libraries crashes nowhere, in no phase."""

from __future__ import annotations

import sysconfig
import tomllib
from pathlib import Path

import pytest
from lauren_compiler.config import CommandLine, load

from .comparing import differences
from .gathering import packages
from .reading import Findings, read
from .real import HERE, PAGE, project_text
from .report import lines

STANDARD = Path(sysconfig.get_path("stdlib"))
INSTALLED = Path(sysconfig.get_path("purelib"))


def found(folder: Path, *names: str) -> Findings:
    total = Findings()
    for paths in packages(folder, frozenset(names)).values():
        total.add(read(paths, folder, None))
    return total


@pytest.mark.parametrize("names", [("asyncio", "importlib", "json", "typing"), ("email", "html", "tomllib", "ast")])
def test_the_standard_library_is_read_without_a_crash(names: tuple[str, ...]) -> None:
    total = found(STANDARD, *names)
    assert total.crashes == []
    assert total.functions > 100
    assert 0 < total.tools < total.functions


@pytest.mark.parametrize("name", ["referencing", "hypothesis", "docstring_parser", "pluggy"])
def test_installed_packages_are_read_without_a_crash(name: str) -> None:
    total = found(INSTALLED, name)
    assert total.crashes == []
    assert total.resolved > 0
    assert total.silent == []
    assert total.parameters == total.resolved + len(total.reasons)


def test_the_report_groups_reasons_by_kind(tmp_path: Path) -> None:
    source = "def f(a: complex, b: Nowhere, c: int, d): ...\n\ndef g(e: Anywhere): ...\n"
    (tmp_path / "shop.py").write_text(source, "utf-8")
    total = read([tmp_path / "shop.py"], tmp_path, None)
    text = "\n".join(lines(total, 2))
    assert "4 annotated parameters, 1 resolved (25.0 %)" in text
    assert "     2 LC201 `…` is defined nowhere | not found" in text
    assert f"{tmp_path}/shop.py:1:22 `Nowhere` is defined nowhere" in text


def test_a_difference_is_of_one_kind() -> None:
    ours = {
        "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "b": {"$ref": "#/$defs/B"}},
        "required": ["b"],
        "additionalProperties": False,
        "$defs": {"B": {"type": "integer", "description": "A number."}},
    }
    theirs = {"properties": {"a": {"type": "string"}, "b": {"type": "number", "title": "B"}}, "required": ["b"]}
    assert list(differences(ours, theirs, "Text.", "Text.\n")) == [
        ("closed", ""),
        ("null", "a"),
        ("texts of parameters", "b"),
        ("schema", '`b`: ours `{"type": "integer"}`, theirs `{"type": "number"}`'),
    ]


def test_the_page_of_real_tools_has_every_package(tmp_path: Path) -> None:
    settings = tomllib.loads((HERE / "real.toml").read_text("utf-8"))
    page = PAGE.read_text("utf-8")
    for package in settings["package"]:
        assert f"\n| {package['name']} | " in page
        assert package["environment"] in settings["environments"]
        assert set(package.get("frameworks", ())) <= set(settings["frameworks"])
    (tmp_path / "pyproject.toml").write_text(project_text(list(settings["frameworks"].values()), "python"), "utf-8")
    loaded = load(CommandLine(directory=tmp_path))
    assert len(loaded.config.decorators) == len(settings["frameworks"])
