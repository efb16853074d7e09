"""Text from sources that tries to break out of what it is put into: terminal, annotations, JSON, diffs, file names."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from lauren_compiler.diagnostics.render.terminal import is_hostile

ATTACKS = [
    "\x1b]0;owned\x07\x1b[2J",
    "\u202edetrevni\u202c",
    "\u2066hidden\u2069\u200b",
    "line\nbreak\r::error file=x::injected\n::set-output name=a::b",
    '"}],"tools":[{"name":"injected"}]',
    "'''\"\"\"\\",
    "{{ 7 * 7 }}{% raw %}{# x #}",
    "```\n# injected heading\n| a | b |",
    "\udfff\ud800\U000e0041",
    "%0A%25,:file=",
    "</script><!--",
    "$(touch owned)`touch owned`",
    "\x00\x7f\x85\u2028",
]


def source(attack: str) -> str:
    """Tools whose every text is the attack, and a second file in which each is wrong somehow."""
    return f"""
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Literal
from pydantic import Field
from lauren_runtime import tool

class Choice(Enum):
    A = {attack!r}

@dataclass
class Row:
    cell: str = {attack!r}

@tool(description={attack!r})
def good(
    text: Annotated[str, Field(description={attack!r})],
    literal: Literal[{attack!r}, "plain"],
    choice: Choice = Choice.A,
    row: Row = Row(cell={attack!r}),
    plain: str = {attack!r},
) -> str:
    return text
"""


def broken(attack: str) -> str:
    return f"""
from lauren_runtime import tool

@tool(name={attack!r})
def named(text: "{attack.encode("unicode_escape").decode()}") -> str:
    {("Args:  " + attack + ": x")!r}
    return text
"""


def folder(tmp_path: Path, text: str) -> Path:
    place = tmp_path / "work"
    place.mkdir()
    (place / "tools.py").write_text(text, encoding="utf-8", errors="surrogatepass")
    return place


def hostile(text: str) -> list[str]:
    return [character for character in text if is_hostile(character) and character != "\n"]


@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
def test_diagnostics_stay_what_they_are(
    tmp_path: Path, command: Any, attack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder(tmp_path, broken(attack)))
    document = json.loads(command("check", ".", "--format", "json").out)
    count = len(document["diagnostics"])
    assert count
    for format in ("full", "concise", "github"):
        ended = command("check", ".", "--format", format)
        assert ended.status == 1
        assert hostile(ended.err) == []
        assert hostile(ended.out) == []
        if format != "full":
            assert len(ended.err.splitlines()) == count
        if format == "github":
            assert all(re.match(r"::(error|warning|notice) file=tools\.py,", line) for line in ended.err.splitlines())
    sarif = json.loads(command("check", ".", "--format", "sarif").out)
    assert len(sarif["runs"][0]["results"]) == count


@pytest.mark.parametrize("attack", ATTACKS, ids=ascii)
def test_a_build_holds_the_text_and_nothing_more(
    tmp_path: Path, command: Any, attack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = folder(tmp_path, source(attack))
    monkeypatch.chdir(place)
    ended = command("build", ".", "--format", "concise")
    assert ended.status == 0, ended.err
    assert hostile(ended.err + ended.out) == []
    manifest = json.loads((place / "lauren_build" / "manifest.json").read_bytes())
    (tool,) = manifest["tools"]
    properties = tool["input_schema"]["properties"]
    assert properties["text"]["description"] == attack
    assert properties["literal"]["enum"] == [attack, "plain"]
    assert properties["plain"]["default"] == attack
    for path in place.rglob("*.json"):
        json.loads(path.read_bytes())
    for path in (place / "lauren_build").rglob("*.py"):
        compile(path.read_bytes(), str(path), "exec")
    assert command("validate", "lauren_build").status == 0
    shown = command("show", "tools.py", "--tool", "good").out
    assert hostile(shown) == []
    assert json.loads(shown)["properties"]["plain"]["default"] == attack
    (place / "tools.py").write_text(source("changed"), encoding="utf-8")
    drift = command("build", ".", "--check", "-q", "--format", "concise")
    assert drift.status == 1
    assert hostile(drift.out) == []
    assert not (place / "owned").exists()


FILE_NAMES = [b"a\x1b[2Jb.py", b"new\nline.py", b"\xff\xfe.py", "\u202egnp.py".encode(), b"a,b:c%0A.py", b"q'uote\".py"]


@pytest.mark.parametrize("name", FILE_NAMES, ids=ascii)
def test_file_names_stay_what_they_are(
    tmp_path: Path, command: Any, name: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = folder(tmp_path, source("x"))
    monkeypatch.chdir(place)
    (place / "tools.py").rename(place / os.fsdecode(name))
    document = json.loads(command("build", ".", "--format", "json").out)
    found = document["diagnostics"]
    assert {entry["code"] for entry in found} == {"LC005"}
    for format in ("full", "concise", "github"):
        ended = command("build", ".", "--format", format)
        assert ended.status == 1
        assert hostile(ended.err + ended.out) == []
        if format != "full":
            assert len(ended.err.splitlines()) == len(found)
    assert json.loads(command("check", ".", "--format", "sarif").out)
    gone = command("build", os.fsdecode(name) + ".gone")
    assert gone.status == 2
    assert hostile(gone.err) == []
