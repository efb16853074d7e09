"""A file of the output, before anything touches the disk."""

from __future__ import annotations

import hashlib
from functools import cached_property

from msgspec import Struct


class Artifact(Struct, frozen=True, dict=True):
    """`path` is POSIX, relative to the output folder; `content` is the whole file."""

    path: str
    content: bytes

    @cached_property
    def digest(self) -> str:
        """As the manifest's `files` have it: SHA-256 of the content, in lower-case hexadecimal."""
        return hashlib.sha256(self.content).hexdigest()
