"""A file of the output, before anything touches the disk."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property

from msgspec import Struct


class Artifact(Struct, frozen=True, dict=True):
    """`path` is POSIX, relative to the output folder. The content may be in pieces: a long file of which little is new
    is never made as a whole."""

    path: str
    text: bytes | Sequence[bytes | memoryview]

    @property
    def content(self) -> bytes:
        """The whole file."""
        return self.text if isinstance(self.text, bytes) else b"".join(self.text)

    @property
    def pieces(self) -> Sequence[bytes | memoryview]:
        """The whole file, one behind the other."""
        return (self.text,) if isinstance(self.text, bytes) else self.text

    def moved(self, content: Sequence[bytes]) -> Artifact:
        """The same file, whose content is elsewhere from now on: its digest is made while it is at hand."""
        found = Artifact(self.path, content)
        vars(found)["digest"] = self.digest
        return found

    @cached_property
    def digest(self) -> str:
        """As the manifest's `files` have it: SHA-256 of the content, in lower-case hexadecimal."""
        found = hashlib.sha256()
        for piece in self.pieces:
            found.update(piece)
        return found.hexdigest()
