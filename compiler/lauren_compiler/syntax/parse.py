"""Source text → `ParsedModule`. Nothing is run: the text is parsed, and compiled to find what only compiling finds."""

from __future__ import annotations

import ast
import sys
import warnings

from ..diagnostics.model import Diagnostic, Sink
from ..diagnostics.rules import reading
from ..source.file import SourceFile
from ..source.span import Position, Span
from .declarations import ParsedModule
from .scopes import build_module


def parse(file: SourceFile, sink: Sink, *, thorough: bool) -> ParsedModule | None:
    """The module in `file`; None, with a diagnostic, if it is not valid Python.

    `thorough` also reports what parses but can never be imported, such as `return` outside a function: for
    files that are to be compiled, not for libraries that are only looked into.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(file.text, file.shown)
            if thorough:
                compile(file.text, file.shown, "exec", dont_inherit=True)
    except (SyntaxError, UnicodeError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        sink.add(_diagnose(file, error))
        return None
    module = ParsedModule(file)
    try:
        build_module(module, tree.body)
    except RecursionError:
        sink.add(_too_deep(file))
        return None
    return module


def _diagnose(file: SourceFile, error: Exception) -> Diagnostic:
    if isinstance(error, (RecursionError, MemoryError)) or "too many nested" in str(error):
        return _too_deep(file, error)
    span = Span.of_file(file.shown)
    if not isinstance(error, SyntaxError):
        return reading.SYNTAX_ERROR.at(span, f"the file can't be parsed: {error}")
    span = _place(file, error)
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    note = f"read as Python {version}, the version that runs lauren-compile"
    return reading.SYNTAX_ERROR.at(span, f"invalid Python: {error.msg}", notes=(note,))


def _too_deep(file: SourceFile, error: Exception | None = None) -> Diagnostic:
    span = _place(file, error) if isinstance(error, SyntaxError) else Span.of_file(file.shown)
    return reading.NESTING_TOO_DEEP.at(span, "the source is nested deeper than Python's parser can read")


def _place(file: SourceFile, error: SyntaxError) -> Span:
    """Where a syntax error points, kept inside the file (the parser may point behind its end)."""
    if not error.lineno and "\0" in file.text:  # of which the parser gives no place
        before = file.text[: file.text.index("\0")].split("\n")
        start = Position(len(before), len(before[-1]) + 1)
        return Span(file.shown, start, Position(start.line, start.column + 1))
    line = min(max(error.lineno or 1, 1), len(file.lines))
    width = len(file.lines[line - 1])
    column = min(max(error.offset or 1, 1), width + 1)
    end = error.end_offset if error.end_lineno == error.lineno else None
    stop = min(max(end or column + 1, column + 1), max(width + 1, column + 1))
    return Span(file.shown, Position(line, column), Position(line, stop))
