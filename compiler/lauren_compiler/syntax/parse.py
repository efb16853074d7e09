"""Source text → `ParsedModule`. Nothing is run: the text is parsed, and compiled to find what only compiling finds."""

from __future__ import annotations

import ast
import re
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
            if thorough and not _compiles(tree):
                compile(file.text, file.shown, "exec", dont_inherit=True)
    except (SyntaxError, UnicodeError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        sink.add(_diagnose(file, error))
        return None
    module = ParsedModule(file)
    try:
        build_module(module, tree.body)
        module.prune(tree.body)
    except RecursionError:
        sink.add(_too_deep(file))
        return None
    return module


def _compiles(tree: ast.Module) -> bool:
    """Whether a tree can be compiled. It takes less than to compile the text; what is wrong, that says better."""
    try:
        compile(tree, "<tree>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return False
    return True


def _diagnose(file: SourceFile, error: Exception) -> Diagnostic:
    if isinstance(error, (RecursionError, MemoryError)) or "too many nested" in str(error):
        return _too_deep(file, error)
    span = Span.of_file(file.shown)
    if not isinstance(error, SyntaxError):
        return reading.SYNTAX_ERROR.at(span, f"the file can't be parsed: {error}")
    span = _place(file, error)
    version = f"{sys.version_info[0]}.{sys.version_info[1]}"
    note = f"read as Python {version}, the version that runs lauren-compile"
    newer = needed_python(file.line(span.start.line), error.msg)
    help = None
    if newer is not None and newer > sys.version_info[:2]:
        named = f"{newer[0]}.{newer[1]}"
        help = f"this may be syntax of Python {named}: run `python{named} -m lauren_compiler`"
    return reading.SYNTAX_ERROR.at(span, f"invalid Python: {error.msg}", notes=(note,), help=help)


_NEWER = (
    (r"\s*(async\s+)?(def|class)\s+\w+\s*\[", (3, 12)),
    (r"\s*type\s+\w+\s*[\[=]", (3, 12)),
    (r"\s*except\s+[\w.]+\s*,", (3, 14)),
    (r".*\b[tT][rR]?[\"']", (3, 14)),
)
"""What a line looks like that holds syntax of a later version than the oldest supported: PEP 695, 758 and 750."""


def needed_python(line: str, message: str) -> tuple[int, int] | None:
    """The version of Python whose syntax a line that can't be parsed seems to be in; None if it is just wrong.

    The message "f-string: …" is of parsers older than PEP 701, which have rules of their own for f-strings.
    """
    if message.startswith("f-string"):
        return (3, 12)
    return next((version for pattern, version in _NEWER if re.match(pattern, line)), None)


def _too_deep(file: SourceFile, error: Exception | None = None) -> Diagnostic:
    span = _place(file, error) if isinstance(error, SyntaxError) else Span.of_file(file.shown)
    return reading.NESTING_TOO_DEEP.at(span, "the source is nested deeper than Python's parser can read")


def _place(file: SourceFile, error: SyntaxError) -> Span:
    """Where a syntax error points, kept inside the file (the parser may point behind its end)."""
    if not error.lineno and "\0" in file.text:  # of which the parser gives no place
        before = file.text[: file.text.index("\0")].split("\n")
        start = Position(len(before), len(before[-1]) + 1)
        return Span(file.shown, start, Position(start.line, start.column + 1))
    line = min(max(error.lineno or 1, 1), file.line_count)
    width = len(file.line(line))
    column = min(max(error.offset or 1, 1), width + 1)
    end = error.end_offset if error.end_lineno == error.lineno else None
    stop = min(max(end or column + 1, column + 1), max(width + 1, column + 1))
    return Span(file.shown, Position(line, column), Position(line, stop))
