"""`# lauren: ignore[LC402] reason`: comments that silence a warning on their line.

Comments are found by the tokenizer, so that the same words in a string do nothing.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from msgspec import Struct

from ..source.patterns import pattern
from ..source.span import Position, Span
from .model import Diagnostic, Rule
from .rules import find, relevelable
from .rules.configuration import INVALID_IGNORE

_COMMENT = pattern(r"#\s*lauren:\s*ignore\b(?:\[(?P<rules>[^\]#]*)\])?")
_WORD = pattern(r"[^\s,]+")


class Ignore(Struct, frozen=True):
    """One rule named by one comment; `span` is the name inside the brackets."""

    rule: Rule
    span: Span


def read_ignores(path: str, text: str) -> tuple[list[Ignore], list[Diagnostic]]:
    """The ignores in a file's text, and what is wrong with them (LC008)."""
    ignores: list[Ignore] = []
    problems: list[Diagnostic] = []
    if "lauren:" not in text:
        return ignores, problems
    for line, column, comment in _comments(text):
        for match in _COMMENT.finditer(comment):
            for found in _entries(path, line, column, match):
                if isinstance(found, Ignore):
                    ignores.append(found)
                else:
                    problems.append(found)
    return ignores, problems


def _comments(text: str) -> Iterator[tuple[int, int, str]]:
    """Line, column and text of each comment, up to where the source can no longer be read."""
    import tokenize

    reader = io.StringIO(text + "\n")
    try:
        for token in tokenize.generate_tokens(reader.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.start[1] + 1, token.string
    except (tokenize.TokenError, SyntaxError):
        return  # the parser reports the same place (LC103); comments above it still count


def _entries(path: str, line: int, column: int, match: re.Match[str]) -> Iterator[Ignore | Diagnostic]:
    words = list(_WORD.finditer(match["rules"] or ""))
    if not words:
        span = _span(path, line, column + match.start(), column + match.end())
        example = "name the rules: `# lauren: ignore[LC402] reason`"
        yield INVALID_IGNORE.at(span, "an ignore comment names no rule", help=example)
    for word in words:
        start = column + match.start("rules") + word.start()
        yield _entry(word[0], _span(path, line, start, start + len(word[0])))


def _entry(name: str, span: Span) -> Ignore | Diagnostic:
    rule = find(name)
    if rule is None:
        return INVALID_IGNORE.at(span, f"`{name}` is no rule")
    if not relevelable(rule):
        return INVALID_IGNORE.at(span, f"{rule.code} ({rule.name}) is an error, which can't be silenced")
    return Ignore(rule, span)


def _span(path: str, line: int, start: int, end: int) -> Span:
    return Span(path, Position(line, start), Position(line, end))
