"""`lauren-compile check`: the diagnostics, nothing else."""

from __future__ import annotations

import argparse

from ..driver.build import check
from .session import configuration, finish, run_phases, working_directory


def run(options: argparse.Namespace) -> int:
    """Exit status 1 if there are errors."""
    loaded = configuration(options, paths=options.paths, targets=options.target)
    return finish(check(loaded, working_directory(), run_phases), loaded, options)
