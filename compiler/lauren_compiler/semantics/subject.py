"""What an annotation belongs to."""

from __future__ import annotations

from msgspec import Struct

from ..diagnostics.model import Label


class Subject(Struct, frozen=True):
    """For messages: "parameter `when`", and the way there through classes and aliases."""

    text: str
    via: tuple[Label, ...] = ()
