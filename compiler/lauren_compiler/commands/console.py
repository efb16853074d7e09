"""The two streams: results and documents on stdout, diagnostics and remarks on stderr.

What prints here raises StreamError where a stream can't be written.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable
from typing import TextIO

from ..diagnostics.render import DOCUMENTS, Report, renderer
from ..diagnostics.render.terminal import escape, escape_lines
from ..emit.json_text import readable_json
from ..runs.again import put


def prepare_streams() -> None:
    """A terminal that can't show a character gets its escape, never an exception."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def remark(text: str) -> None:
    """The program's own words on stderr; what users and files gave it is shown escaped."""
    put(sys.stderr, f"lauren-compile: {escape_lines(text)}\n")


def summary(lines: Iterable[str]) -> None:
    """Lines for people on stdout, escaped too."""
    put(sys.stdout, "".join(f"{escape(line)}\n" for line in lines))


def emit_report(report: Report, format: str) -> None:
    """The diagnostics in `format`: documents to stdout, lines to stderr."""
    stream = sys.stdout if format in DOCUMENTS else sys.stderr
    put(stream, report_text(report, format, stream))


def report_text(report: Report, format: str, stream: TextIO) -> str:
    """The diagnostics in `format`, with colours if they are for people and the stream is a terminal."""
    colour = format == "full" and wants_colour(stream)
    return renderer(format)(Report(report.diagnostics, report.sources, report.tools, colour, report.error))


def wants_colour(stream: TextIO) -> bool:
    """Only on a terminal, and never against NO_COLOR (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def emit_json(value: object) -> None:
    """A JSON result on stdout, as in the files of a build; all ASCII where the stream may not hold more."""
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    if encoding == "utf8":
        put(sys.stdout, readable_json(value).decode())
    else:
        put(sys.stdout, json.dumps(value, indent=2) + "\n")
