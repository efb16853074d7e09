"""The two streams: results and documents on stdout, diagnostics and remarks on stderr."""

from __future__ import annotations

import io
import json
import os
import sys
from typing import TextIO

from ..diagnostics.render import DOCUMENTS, Report, renderer
from ..diagnostics.render.terminal import is_hostile


def prepare_streams() -> None:
    """A terminal that can't show a character gets its escape, never an exception."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def remark(text: str) -> None:
    """A line of the program's own on stderr."""
    print(f"lauren-compile: {text}", file=sys.stderr)


def emit_report(report: Report, format: str) -> None:
    """The diagnostics in `format`: documents to stdout, lines to stderr."""
    stream = sys.stdout if format in DOCUMENTS else sys.stderr
    colour = format == "full" and wants_colour(stream)
    text = renderer(format)(Report(report.diagnostics, report.sources, report.tools, colour, report.error))
    stream.write(text)
    stream.flush()


def wants_colour(stream: TextIO) -> bool:
    """Only on a terminal, and never against NO_COLOR (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def emit_json(value: object) -> None:
    """A JSON result on stdout, readable where the stream can show it.

    Characters that could change how the text around them is read stay escaped.
    """
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower().replace("-", "")
    text = json.dumps(value, indent=2, ensure_ascii=encoding != "utf8")
    sys.stdout.write("".join(_escaped(character) if is_hostile(character) else character for character in text))
    sys.stdout.write("\n")


def _escaped(character: str) -> str:
    """Newlines are the document's own layout: `json.dumps` has escaped those inside strings."""
    return character if character == "\n" else json.dumps(character)[1:-1]
