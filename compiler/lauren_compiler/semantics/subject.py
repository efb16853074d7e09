"""What an annotation belongs to."""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics.model import Label


@dataclass(frozen=True, slots=True)
class Subject:
    """For messages: "parameter `when`", and the way there through classes and aliases."""

    text: str
    via: tuple[Label, ...] = ()
