"""The configuration of a run: `Config`, and `load`, which makes it of defaults, pyproject.toml and command line."""

from __future__ import annotations

from .load import RUNTIMES, CommandLine, Loaded, UsageError, load, shown, working_directory
from .model import Config
from .pyproject import Document

__all__ = [
    "RUNTIMES",
    "CommandLine",
    "Config",
    "Document",
    "Loaded",
    "UsageError",
    "load",
    "shown",
    "working_directory",
]
