"""Sources in other encodings, with other line ends, and nested deep: what Python reads is compiled, the rest is one
finding each, and a whole file beside them is compiled always."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

HEAD = "from lauren_runtime import tool\n\n\n"
TOOL = HEAD + '@tool()\ndef odd(x: int) -> str:\n    """Maß für café."""\n    return ""\n'
WHOLE = HEAD + '@tool()\ndef whole() -> str:\n    """Whole."""\n    return ""\n'


def check(command: Any, folder: Path, content: bytes) -> tuple[int, list[tuple[str, str, int]]]:
    """How many tools are found, and what is told of the odd file: code, level and line."""
    (folder / "whole.py").write_text(WHOLE, encoding="utf-8")
    (folder / "odd.py").write_bytes(content)
    ended = command("check", str(folder), "--format", "json")
    assert "Traceback" not in ended.err
    document = json.loads(ended.out)
    found = [(each["code"], each["level"], each["start"]["line"]) for each in document["diagnostics"]]
    assert all(each["path"].endswith("odd.py") for each in document["diagnostics"])
    return document["tools"], found


def compiled(command: Any, folder: Path) -> dict[str, Any]:
    """The odd tool as the manifest has it."""
    ended = command("build", str(folder), "-o", str(folder / "built"))
    assert ended.status == 0, ended.err
    manifest = json.loads((folder / "built" / "manifest.json").read_text(encoding="utf-8"))
    shown: dict[str, Any] = next(tool for tool in manifest["tools"] if tool["name"] == "odd")
    return shown


@pytest.mark.parametrize(
    "content",
    [
        TOOL.encode(),
        TOOL.encode("utf-8-sig"),
        b"\xef\xbb\xbf# coding: utf-8\n" + TOOL.encode(),
        b"# -*- coding: latin-1 -*-\n" + TOOL.encode("latin-1"),
        b"#!/usr/bin/env python\n# vim: set fileencoding=cp1252 :\n" + TOOL.encode("cp1252"),
        TOOL.replace("\n", "\r\n").encode(),
        TOOL.replace("\n", "\r").encode(),
        b"\x0c" + TOOL.encode(),
        TOOL.encode().rstrip(b"\n"),
    ],
    ids=[
        "utf-8",
        "mark",
        "mark and cookie",
        "latin-1",
        "cp1252 in line 2",
        "CRLF",
        "CR",
        "form feed",
        "no last newline",
    ],
)
def test_read_as_python_does(tmp_path: Path, command: Any, content: bytes) -> None:
    assert check(command, tmp_path, content) == (2, [])
    assert compiled(command, tmp_path)["description"] == "Maß für café."


def test_mixed_line_ends_and_tabs_in_a_docstring(tmp_path: Path, command: Any) -> None:
    text = (
        '@tool()\ndef odd(x: int) -> str:\n\t"""One\r\ttwo\r\n\tthree.\n\n'
        '\tArgs:\n\t\tx: by tabs\n\t\t\tand more\n\t"""\n\treturn ""\n'
    )
    assert check(command, tmp_path, (HEAD + text).encode()) == (2, [])
    shown = compiled(command, tmp_path)
    assert shown["description"] == "One two three."
    assert shown["input_schema"]["properties"]["x"]["description"] == "by tabs and more"


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        (TOOL.encode("latin-1"), "LC102", 6),
        (b"# coding: rot13\n" + TOOL.encode(), "LC102", 1),
        (TOOL.encode() + b"\x1a", "LC103", 8),
    ],
    ids=["latin-1 without a cookie", "no text encoding", "Ctrl-Z"],
)
def test_refused_as_python_does(tmp_path: Path, command: Any, content: bytes, code: str, line: int) -> None:
    assert check(command, tmp_path, content) == (1, [(code, "error", line)])


def test_a_tool_that_only_its_encoding_shows(tmp_path: Path, command: Any) -> None:
    """Python reads UTF-7 where a file says so: a comment may hold a tool, which is never passed over in silence."""
    hidden = "# just a comment +AAoAQA-tool()+AAo-def odd(x: int) -+AD4- str: return ''+AAo-\n"
    tools, found = check(command, tmp_path, ("# coding: utf-7\n" + HEAD + hidden).encode("ascii"))
    assert tools == 2 or any(level == "error" for _, level, _ in found)


def nested(before: str, inner: str, after: str, depth: int) -> str:
    return before * depth + inner + after * depth


def tool_of(annotation: str, before: str = "") -> str:
    return f'{HEAD}{before}@tool()\ndef odd(x: {annotation}) -> str:\n    """Odd."""\n    return ""\n'


CLASSES = "".join(f"{' ' * depth}class C{depth}:\n" for depth in range(90)) + " " * 90 + "pass\n"
BRANCHES = "if False:\n    pass\n" + "".join(f"elif {n} == 1:\n    pass\n" for n in range(3000))


@pytest.mark.parametrize(
    "content",
    [
        tool_of(nested("list[", "int", "]", 5000)),
        tool_of("int" + " | int" * 20_000),
        tool_of("a" + ".b" * 20_000, "import a\n"),
        tool_of("'" + nested("list[", "int", "]", 3000) + "'"),
        HEAD + "@tool(description=" + " + ".join(['"a"'] * 20_000) + ")\ndef odd(x: int) -> str:\n    return ''\n",
        tool_of("int", BRANCHES),
        tool_of("C0", CLASSES),
        tool_of(nested("dict[str, ", "int", "]", 190)),
    ],
    ids=["brackets", "union", "attributes", "quoted", "sum", "branches", "classes", "dicts"],
)
def test_nested_deep(tmp_path: Path, command: Any, content: str) -> None:
    """A result, or one error that says where: never a traceback, and nothing of it for the other file."""
    tools, found = check(command, tmp_path, content.encode())
    errors = [each for each in found if each[1] == "error"]
    assert (tools == 2 and not errors) or len(errors) == 1


@pytest.mark.parametrize("depth", [50, 60])
def test_nested_as_python_takes_it(tmp_path: Path, command: Any, depth: int) -> None:
    assert check(command, tmp_path, tool_of(nested("list[", "int", "]", depth)).encode()) == (2, [])
    kind = compiled(command, tmp_path)["input_schema"]["properties"]["x"]
    for _ in range(depth):
        assert kind["type"] == "array"
        kind = kind["items"]
    assert kind == {"type": "integer"}
