"""`lauren-compile build`: compile, then write, or with `--check` compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..driver.build import Built, build
from .remembered import Session

if TYPE_CHECKING:
    import argparse


def run(options: argparse.Namespace) -> int:
    """Exit status 0 if the output is as it should be, 1 if there are errors or, with `--check`, it is not."""
    session = Session(options)
    return session.ended(lambda: built(session, compare_only=options.check))


def built(session: Session, *, compare_only: bool = False) -> Built:
    """The build of a session."""
    return build(
        session.loaded, session.directory, session.run_phases, compare_only=compare_only, standing=session.standing
    )
