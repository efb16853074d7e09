"""What a build has of wiring; the rest is imported where there is an application, which most builds have not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from ..artifact import Artifact

if TYPE_CHECKING:
    from ...ir.graph import Application


class Wired(Struct, frozen=True):
    """The file and its digest; nothing where there is no application."""

    artifacts: tuple[Artifact, ...] = ()
    digest: str | None = None


def render(applications: Sequence[Application]) -> Wired:
    """The wiring of all applications."""
    if not applications:
        return Wired()
    from .module import render as rendered

    return rendered(applications)
