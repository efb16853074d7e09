"""A file of the output, before anything touches the disk."""

from __future__ import annotations

from msgspec import Struct


class Artifact(Struct, frozen=True):
    """`path` is POSIX, relative to the output folder; `content` is the whole file."""

    path: str
    content: bytes
