"""`lauren-compile check`: the diagnostics, nothing else."""

from __future__ import annotations

import argparse

from ..driver.build import check
from .remembered import Session


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if there are errors."""
    session = Session(options)
    return session.ended(lambda: check(session.loaded, session.directory, session.run_phases))
