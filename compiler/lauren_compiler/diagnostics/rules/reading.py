"""LC1xx: reading and parsing source files."""

from __future__ import annotations

from ..model import Level, Rule

UNREADABLE_FILE = Rule("LC101", "unreadable-file", "a source file can't be read")
UNDECODABLE_FILE = Rule("LC102", "undecodable-file", "a source file is not in the encoding it declares")
SYNTAX_ERROR = Rule("LC103", "syntax-error", "a source file is not valid Python")
NESTING_TOO_DEEP = Rule("LC104", "nesting-too-deep", "source is nested deeper than can be read")
INVALID_BYTES = Rule(
    "LC105", "invalid-bytes", "a comment holds bytes that are not in the file's encoding", Level.WARNING
)
