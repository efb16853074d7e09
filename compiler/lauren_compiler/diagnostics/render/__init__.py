"""Five ways to write one sorted list of diagnostics; `renderer` gives the one that a `--format` names.

Each renderer is a function from a `Report` to text. None reads a file: source lines come from the report.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from .report import KnownLines, Report

FORMATS: tuple[str, ...] = ("full", "concise", "json", "github", "sarif")

DOCUMENTS: frozenset[str] = frozenset({"json", "sarif"})
"""Formats that are one whole document, for stdout; the others are lines, for stderr."""


def renderer(name: str) -> Callable[[Report], str]:
    """The renderer of a format in `FORMATS`; its text ends with a newline unless it is empty."""
    render: Callable[[Report], str] = import_module(f".{name}", __name__).render
    return render


__all__ = ["DOCUMENTS", "FORMATS", "KnownLines", "Report", "renderer"]
