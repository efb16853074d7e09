"""A file of the output, before anything touches the disk."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Artifact:
    """`path` is POSIX, relative to the output folder; `content` is the whole file."""

    path: str
    content: bytes
