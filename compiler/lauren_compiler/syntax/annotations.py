"""Annotations in quotes: the text parsed where it stands, with places mapped back into the file.

x: "list[Point]"   →   Subscript(Name("list"), Name("Point")), each with its own columns
"""

from __future__ import annotations

import ast
import warnings

from ..source.file import Pos, SourceFile
from .expressions import Constant, Expr, convert, defer


def parse_annotation(constant: Constant, file: SourceFile) -> Expr | None:
    """The expression a string annotation holds; None if it is not valid Python.

    Text over several lines is read as if in parentheses, as the typing specification has it. Places are exact for a
    plain literal; one with escapes, a prefix, several lines or parts is pointed at as a whole.
    """
    text: str = constant.value
    inside = f"({text}\n)" if "\n" in text else text.lstrip(" \t")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(inside, "<annotation>", "eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None
    start = None if "\n" in text else _text_start(constant.pos, text, file)
    shift = 0 if start is None else start[1] + len(text) - len(inside)
    for node in ast.walk(tree):
        if isinstance(node, (ast.expr, ast.keyword)):
            _move(node, constant.pos, None if start is None else (start[0], shift))
    return convert(defer(tree.body))


def _text_start(pos: Pos, text: str, file: SourceFile) -> tuple[int, int] | None:
    """Line and byte column of the text's first character, if the literal spells it plainly."""
    line = file.line(pos[0]).encode("utf-8", "surrogatepass") if pos[0] <= file.line_count else b""
    literal = line[pos[1] : pos[3] if pos[2] == pos[0] else None]
    for quotes in (b'"""', b"'''", b'"', b"'"):
        body = text.encode("utf-8", "surrogatepass")
        if literal == quotes + body + quotes:
            return (pos[0], pos[1] + len(quotes))
    return None


def _move(node: ast.expr | ast.keyword, whole: Pos, start: tuple[int, int] | None) -> None:
    if start is None:
        node.lineno, node.col_offset, node.end_lineno, node.end_col_offset = whole
        return
    node.lineno = node.end_lineno = start[0]
    node.col_offset += start[1]
    node.end_col_offset = (node.end_col_offset or 0) + start[1]
