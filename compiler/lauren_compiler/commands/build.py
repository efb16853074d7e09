"""`lauren-compile build`: compile, then write, or with `--check` compare."""

from __future__ import annotations

import argparse

from ..driver.build import build
from .session import configuration, finish, run_phases, working_directory


def run(options: argparse.Namespace) -> int:
    """Exit status 0 if the output is as it should be, 1 if there are errors or, with `--check`, it is not."""
    loaded = configuration(options, paths=options.paths, targets=options.target)
    built = build(loaded, working_directory(), run_phases, compare_only=options.check)
    return finish(built, loaded, options)
