"""What a command line meant: read, or as it was read for the run that is remembered of the same one.

To read one takes argparse, which takes longer to load than a small build takes.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from ..runs.record import Run

if TYPE_CHECKING:
    import argparse

_OWN = ("arguments", "before")
"""What is put beside the options of a command line."""
_INSTALLED = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "")


def options_of(arguments: Sequence[str], given: Sequence[str] | None, before: Run | None) -> argparse.Namespace:
    """The options of a command line, with what runs are remembered by: what was `given`, if they are, and the run
    `before`, if one was found. Raises UsageError for a wrong one, SystemExit for one that only asks for help."""
    own = dict(zip(_OWN, (given, before), strict=True))
    # What the compiler itself means by an option may be new, if it is another one.
    if before is not None and not any(path.startswith(_INSTALLED) for _, path in before.changed):
        return cast("argparse.Namespace", SimpleNamespace(**before.options, **own))
    import argparse

    from .options import parser

    return parser().parse_args(arguments, argparse.Namespace(**own))


def given_options(options: argparse.Namespace) -> dict[str, object]:
    """The options alone."""
    return {name: value for name, value in vars(options).items() if name not in _OWN}
