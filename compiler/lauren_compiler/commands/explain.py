"""`lauren-compile explain CODE`: the page of a rule; without a code a line for each."""

from __future__ import annotations

import argparse
import sys

from .. import resources
from ..config import UsageError
from ..config.pyproject import meant_rule
from ..diagnostics.rules import ALL, find
from ..runs.again import put


def run(options: argparse.Namespace) -> int:
    """Prints the page, or the list. Raises UsageError for what is no rule."""
    if options.rule is None:
        lines = (f"{known.code}  {known.level.value:7}  {known.name}: {known.summary}\n" for known in ALL)
        put(sys.stdout, "".join(lines))
        return 0
    name: str = options.rule
    rule = find(name) or find(name.upper()) or find(name.lower())
    if rule is None:
        raise UsageError(f"no rule has the code or name `{name}`: {meant_rule(name)}")
    put(sys.stdout, resources.page(rule.code))
    return 0
