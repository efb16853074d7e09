"""Which files a build reads, and the module name of each."""

from __future__ import annotations

from .files import SourcePath, find_sources
from .roots import Rooted, rooted

__all__ = ["Rooted", "SourcePath", "find_sources", "rooted"]
